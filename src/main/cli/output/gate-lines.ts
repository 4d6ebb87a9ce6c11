import { unifiedDiff } from '@areas/changes/node/unified-diff';
import { evidencePieces } from '@areas/evidence/contract/evidence';
import { type GateOption, needsReason, needsText } from '@areas/gates/contract/gate';
import type { GateRow } from '@areas/gates/contract/procedures';
import { evidenceLines, oneLine } from './evidence-lines';

/** The shown part of a gate, from a list or a run's state. */
type ShownGate = Pick<
  GateRow,
  | 'runId'
  | 'gateId'
  | 'kind'
  | 'title'
  | 'message'
  | 'evidence'
  | 'evidence_parts'
  | 'request'
  | 'why'
  | 'options'
>;

const EVIDENCE_LINES = 12;

/** Requested file changes as a diff; a new file by its content. */
const editLines = ({ request }: ShownGate): string[] =>
  (request?.diffs ?? []).flatMap(({ path, oldText, newText }) =>
    unifiedDiff(oldText === null ? `${path} (new file)` : path, oldText ?? '', newText)
      .trimEnd()
      .split('\n'),
  );

/** Where a request would happen, if that is not the folder in which the agent works. */
const placeLines = ({ request }: ShownGate): string[] => [
  ...(request?.cwd === undefined || request.cwd === request.folder ? [] : [`In ${oneLine(request.cwd)}`]),
  ...(request?.own_checkout ? ['This would happen in your own checkout.'] : []),
];

interface ShownParts {
  readonly whole: boolean;
  /** The lines of its changes as they are now; without them, each is summed up as it was when it was asked. */
  readonly changes?: readonly string[];
}

/** The question with its subject, and for each answer its effect and exact command. */
export function gateLines(
  gate: ShownGate,
  again: (...words: string[]) => string,
  { whole, changes = [] }: ShownParts = { whole: false },
): string[] {
  const address = `${gate.runId}/${gate.gateId}`;
  const pieces = evidencePieces(gate, 'text').filter(({ capture }) => !whole || capture === undefined);
  const all = [...editLines(gate), ...evidenceLines(pieces), ...changes];
  const most = whole ? all.length : EVIDENCE_LINES;
  const remaining = all.length - most;
  const more =
    remaining > 0
      ? [`(${remaining} more ${remaining === 1 ? 'line' : 'lines'}: ${again('gates', address)})`]
      : [];
  return [
    `Gate ${address}  ${oneLine(gate.title)}`,
    ...gate.message.split('\n').map((text) => `  ${text}`),
    ...placeLines(gate).map((text) => `  ${text}`),
    ...(gate.why === null ? [] : [`  ${gate.why}`]),
    ...[...all.slice(0, most), ...more].map((text) => `  | ${text}`),
    ...gate.options.flatMap((option) => [
      `  ${oneLine(option.label)}${option.effect === '' ? '' : `: ${oneLine(option.effect)}`}`,
      `    ${answerCommand(option, gate.options, { address, again })}`,
    ]),
  ];
}

function answerCommand(
  option: GateOption,
  options: readonly GateOption[],
  { address, again }: { address: string; again: (...words: string[]) => string },
): string {
  const many = options.filter((other) => needsText(other) && other.tone === 'approve').length > 1;
  const byId = many || option.tone !== 'approve' ? ['--option', option.id] : [];
  if (needsText(option)) return again('answer', address, 'TEXT', ...byId);
  const only = options.filter((other) => other.tone === option.tone).length === 1;
  const named = option.tone === 'neutral' || !only ? ['--option', option.id] : [];
  if (needsReason(option)) return again('reject', address, ...named, '--reason', 'TEXT');
  return again(option.tone === 'reject' ? 'reject' : 'approve', address, ...named);
}
