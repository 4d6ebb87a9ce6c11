import { OutputText } from '@areas/evidence/view/parts/output-text';
import { ownValue } from '@contract/own';
import { firstLine } from '@renderer/client/format';
import { Marked } from '@renderer/parts/marks/marks';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { toolWord } from '@renderer/parts/words/status-words';
import { Printed } from '@renderer/ui/code/code';
import { DiffView } from '@renderer/ui/code/diff';
import { diffLines } from '@renderer/ui/code/diff-lines';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Fold } from '@renderer/ui/layout/fold';
import {
  FileText,
  Globe,
  type LucideIcon,
  Move,
  Pencil,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from 'lucide-react';
import { memo, useMemo } from 'react';
import type { ToolCall } from '../../contract/session';
import styles from './tool-line.module.css';

const KINDS: Readonly<Record<string, LucideIcon>> = {
  read: FileText,
  edit: Pencil,
  delete: Trash2,
  move: Move,
  search: Search,
  execute: SquareTerminal,
  fetch: Globe,
};

interface ToolLineProps {
  readonly call: ToolCall;
  /** Its turn is in flight. */
  readonly inFlight: boolean;
}

/** A tool call in one line, which expands into its input and result. */
export const ToolLine = memo(function ToolLine({ call, inFlight }: ToolLineProps) {
  const diffs = call.diffs ?? [];
  const tally = useMemo(() => tallyOf(call.diffs ?? []), [call.diffs]);
  const head = (
    <>
      <Glyph of={ownValue(KINDS, call.kind) ?? Wrench} size={13} />
      <Title text={firstLine(call.title)} />
      <span className={`cut faint ${styles.toolPlace}`}>{placeOf(call)}</span>
      <span className="grow" />
      {tally && <LineCounts {...tally} />}
      <Marked word={toolWord(call.status, inFlight)} markOnly />
    </>
  );
  return (
    <Fold head={head} className={styles.tool}>
      {call.input !== undefined && diffs.length === 0 && (
        <Printed text={inputText(call.input)} label="Arguments of the tool call" />
      )}
      {diffs.map((diff) => (
        <DiffView key={diff.path} {...diff} />
      ))}
      {call.output &&
        (call.kind === 'execute' ? (
          <OutputText text={call.output} label="Output of the command" />
        ) : (
          <Printed text={call.output} label="Result of the tool" />
        ))}
      {call.input === undefined && diffs.length === 0 && !call.output && (
        <p className="note faint">The agent reported nothing else about this call.</p>
      )}
    </Fold>
  );
});

/** Above this many characters, counting a change would cause a noticeable delay. */
const MOST_COUNTED = 200_000;

function tallyOf(diffs: NonNullable<ToolCall['diffs']>): { added: number; removed: number } | null {
  const size = diffs.reduce((sum, diff) => sum + (diff.oldText?.length ?? 0) + diff.newText.length, 0);
  if (diffs.length === 0 || size > MOST_COUNTED) return null;
  const found = diffs.map((diff) => diffLines(diff.oldText, diff.newText));
  return {
    added: found.reduce((sum, one) => sum + one.added, 0),
    removed: found.reduce((sum, one) => sum + one.removed, 0),
  };
}

/** A title that is code as a whole is shown as code: agents title a command so. */
function Title({ text }: { text: string }) {
  const code = /^`([^`]+)`$/.exec(text)?.[1];
  return (
    <span className={`cut ${styles.toolTitle} ${code === undefined ? '' : 'mono'}`}>
      {inPlainSight(code ?? text)}
    </span>
  );
}

function placeOf(call: ToolCall): string {
  const [first, ...rest] = call.locations ?? call.diffs?.map((diff) => diff.path) ?? [];
  const name = first?.split(/[\\/]/).at(-1);
  if (first === undefined || name === undefined || call.title.includes(name)) return '';
  return rest.length > 0 ? `${first} and ${rest.length} more` : first;
}

const inputText = (input: ToolCall['input']): string =>
  typeof input === 'string' ? input : JSON.stringify(input, null, 2);
