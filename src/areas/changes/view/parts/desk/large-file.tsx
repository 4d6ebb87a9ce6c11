import type { AppError } from '@contract/errors';
import { OPENED_IN_SIGHT_MS } from '@renderer/limits';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { useEffect, useState } from 'react';
import type { DiffFile } from '../../../contract/procedures';

interface LargeFileProps {
  readonly file: DiffFile;
  readonly open: ((path: string) => Promise<AppError | null>) | null;
}

/** Changes of up to this many lines are read as soon as they are in sight. */
const READ_IN_SIGHT = 2_000;

/** In the place of a diff that is not in the list: its size, and the button that opens it. */
export function LargeFile({ file, open }: LargeFileProps) {
  const [state, setState] = useState<'closed' | 'opening' | AppError>('closed');
  const small = (file.added ?? 0) + (file.removed ?? 0) <= READ_IN_SIGHT;
  const press = async () => {
    if (open === null) return;
    setState('opening');
    const error = await open(file.path);
    setState(error ?? 'closed');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file that comes into sight
  useEffect(() => {
    if (!small || open === null) return;
    // What is passed while scrolling is not read.
    const timer = setTimeout(() => void press(), OPENED_IN_SIGHT_MS);
    return () => clearTimeout(timer);
  }, [file.path, small, open === null]);
  if (open === null)
    return <p className="change-note quiet">Too large to show here. Open it in the editor.</p>;
  return (
    <>
      <p className="change-note quiet">
        <button
          type="button"
          className="text-button"
          disabled={state === 'opening'}
          onClick={() => void press()}
        >
          {state === 'opening' ? 'Reading' : 'Show the diff of'} {inPlainSight(file.path)} {countsOf(file)}
        </button>
      </p>
      {typeof state === 'object' && <ErrorNote error={state} />}
    </>
  );
}

const countsOf = ({ added, removed }: DiffFile): string =>
  `(+${(added ?? 0).toLocaleString('en-US')} −${(removed ?? 0).toLocaleString('en-US')})`;
