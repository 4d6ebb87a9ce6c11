import type { ToolCall } from '@contract/session/session';
import {
  CircleCheck,
  CircleDashed,
  CirclePlay,
  CircleX,
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
import { memo } from 'react';
import { firstLine } from '../../client/format';
import { Marked } from '../../parts/marks';
import type { Word } from '../../parts/words';
import { Printed } from '../../ui/code';
import { DiffView } from '../../ui/diff';
import { Fold } from '../../ui/fold';
import { Glyph } from '../../ui/icon';

const KINDS: Readonly<Record<string, LucideIcon>> = {
  read: FileText,
  edit: Pencil,
  delete: Trash2,
  move: Move,
  search: Search,
  execute: SquareTerminal,
  fetch: Globe,
};

const STATES: Record<ToolCall['status'], Word> = {
  pending: { tone: 'grey', icon: CircleDashed, word: 'Not started' },
  in_progress: { tone: 'running', icon: CirclePlay, word: 'Running' },
  completed: { tone: 'done', icon: CircleCheck, word: 'Done' },
  failed: { tone: 'failed', icon: CircleX, word: 'Failed' },
};

/** A tool call in one line, that unfolds into what it was given and what came of it. */
export const ToolLine = memo(function ToolLine({ call }: { call: ToolCall }) {
  const diffs = call.diffs ?? [];
  const head = (
    <>
      <Glyph of={KINDS[call.kind] ?? Wrench} size={13} />
      <span className="cut tool-title">{firstLine(call.title)}</span>
      <span className="cut faint tool-place">{placeOf(call)}</span>
      <span className="grow" />
      <Marked word={STATES[call.status]} markOnly />
    </>
  );
  return (
    <Fold head={head} className="tool">
      {call.input !== undefined && diffs.length === 0 && (
        <Printed text={inputText(call.input)} label="What the tool was called with" />
      )}
      {diffs.map((diff) => (
        <DiffView key={diff.path} {...diff} />
      ))}
      {call.output && <Printed text={call.output} label="What the tool gave back" />}
      {call.input === undefined && diffs.length === 0 && !call.output && (
        <p className="note faint">The agent told nothing more of this call.</p>
      )}
    </Fold>
  );
});

function placeOf(call: ToolCall): string {
  const [first, ...rest] = call.locations ?? call.diffs?.map((diff) => diff.path) ?? [];
  const name = first?.split(/[\\/]/).at(-1);
  if (first === undefined || name === undefined || call.title.includes(name)) return '';
  return rest.length > 0 ? `${first} and ${rest.length} more` : first;
}

const inputText = (input: ToolCall['input']): string =>
  typeof input === 'string' ? input : JSON.stringify(input, null, 2);
