import type { AppError } from '@contract/errors';
import { call } from '@renderer/client/rpc';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { useMemo, useState } from 'react';
import type { DiffScope } from '../../contract/diff-scope';
import type { DiffFile } from '../../contract/procedures';

/** Where the diff of a single file can be read. */
export interface DiffSource {
  readonly runId: number;
  readonly of: DiffScope;
}

interface OpenedFiles {
  /** The files, with the hunks of those that were opened. */
  readonly files: readonly DiffFile[];
  /** Null if single files cannot be read. */
  readonly open: ((path: string) => Promise<AppError | null>) | null;
}

/** Files whose diffs are too large for a list are read one by one, on demand. */
export function useOpenedFiles(files: readonly DiffFile[], source: DiffSource | null): OpenedFiles {
  const [opened, setOpened] = useState<ReadonlyMap<DiffFile, DiffFile>>(new Map());
  const shown = useMemo(() => files.map((file) => opened.get(file) ?? file), [files, opened]);
  if (source === null) return { files: shown, open: null };
  const open = async (path: string): Promise<AppError | null> => {
    const read = await call('workspace.diff', { ...source, only: path });
    if (!read.ok) return read.error;
    const [file] = read.value.files;
    const listed = files.find((one) => one.path === path);
    if (file !== undefined && listed !== undefined) setOpened((now) => new Map(now).set(listed, file));
    return null;
  };
  return { files: shown, open };
}

interface LargeFileProps {
  readonly file: DiffFile;
  readonly open: OpenedFiles['open'];
}

/** In the place of a large diff: its size, and the button that opens it. */
export function LargeFile({ file, open }: LargeFileProps) {
  const [state, setState] = useState<'closed' | 'opening' | AppError>('closed');
  if (open === null)
    return <p className="change-note quiet">Too large to show here. Open it in the editor.</p>;
  const press = async () => {
    setState('opening');
    const error = await open(file.path);
    setState(error ?? 'closed');
  };
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
