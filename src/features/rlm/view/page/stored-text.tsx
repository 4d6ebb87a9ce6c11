import { count } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Printed } from '@renderer/ui/code/code';
import type { StoredText } from '../../contract/events';

const MOST_CHARS = 20_000;

interface StoredProps {
  readonly runId: number;
  readonly of: StoredText;
  readonly label: string;
}

/** A text stored beside the run, loaded when expanded. */
export function Stored({ runId, of, label }: StoredProps) {
  const { value, error } = useQuery(
    'rlm.text',
    of.path === '' ? null : { runId, path: of.path, mostChars: MOST_CHARS },
  );
  if (of.path === '') return <p className="faint note">Nothing was kept.</p>;
  if (error) return <ErrorNote error={error} />;
  if (value === null) return <p className="faint note">Reading…</p>;
  const { cut = 0 } = value;
  return (
    <>
      <Printed label={label} text={value.text} />
      {cut > 0 && <p className="quiet note">{count(cut)} more characters are not shown.</p>}
    </>
  );
}
