import type { GateKind, GateOption } from '@contract/gate/gate';
import { columns } from './columns';

/** What is shown of a gate, whether it comes from a list or from a run's state. */
export interface ShownGate {
  readonly runId: number;
  readonly gateId: number;
  readonly kind: GateKind;
  readonly title: string;
  readonly message: string;
  readonly evidence: string | null;
  readonly why: string | null;
  readonly options: readonly GateOption[];
}

const EVIDENCE_LINES = 12;

/** What an agent named is not to look like lines of Muster's own. */
export const oneLine = (text: string): string => text.trim().replace(/\s*[\r\n]\s*/g, ' ');

/** The question, and the exact command for each answer. */
export function gateLines(gate: ShownGate, again: (...words: string[]) => string): string[] {
  const address = `${gate.runId}/${gate.gateId}`;
  const evidence = gate.evidence?.trimEnd().split('\n') ?? [];
  const more = evidence.length > EVIDENCE_LINES ? [`(${evidence.length - EVIDENCE_LINES} more lines)`] : [];
  const quoted = [...evidence.slice(0, EVIDENCE_LINES), ...more].map((text) => `  | ${text}`);
  return [
    `Gate ${address}  ${oneLine(gate.title)}`,
    ...gate.message.split('\n').map((text) => `  ${text}`),
    ...(gate.why === null ? [] : [`  ${gate.why}`]),
    ...quoted,
    ...columns(
      gate.options.map((option) => [
        oneLine(option.label),
        answerCommand(option, gate.options, { address, again }),
      ]),
      { indent: '  ' },
    ),
  ];
}

function answerCommand(
  option: GateOption,
  options: readonly GateOption[],
  { address, again }: { address: string; again: (...words: string[]) => string },
): string {
  const only = options.filter((other) => other.tone === option.tone).length === 1;
  const named = option.tone === 'neutral' || !only ? ['--option', option.id] : [];
  return option.tone === 'reject'
    ? again('reject', address, ...named, '--reason', 'TEXT')
    : again('approve', address, ...named);
}
