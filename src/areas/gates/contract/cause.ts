import type { GateKind } from './gate';
import type { GateRow } from './procedures';

type CausedGate = Pick<
  GateRow,
  | 'kind'
  | 'title'
  | 'message'
  | 'evidence'
  | 'evidence_parts'
  | 'changes'
  | 'request'
  | 'options'
  | 'agent'
  | 'asker'
  | 'stepId'
  | 'stepTitle'
  | 'runName'
  | 'projectName'
>;
type Basis = (gate: CausedGate, bare: (text: string) => string) => readonly unknown[];

const byText: Basis = ({ agent, title, message }, bare) => [agent, bare(title), bare(message)];
/** For kinds whose text alone does not say what is being decided. */
const byContent: Basis = (gate, bare) => [
  ...byText(gate, bare),
  gate.projectName ?? null,
  gate.evidence,
  gate.evidence_parts ?? null,
  gate.changes ?? null,
];
/**
 * Tool and input, wherever they are requested; another project or the operator's own checkout makes another
 * question.
 */
const byRequest: Basis = (gate, bare) =>
  gate.request === null
    ? byContent(gate, bare)
    : [gate.request.hash, gate.request.own_checkout ?? false, gate.projectName ?? null];

const BASIS: Readonly<Record<GateKind, Basis>> = {
  approval: byContent,
  permission: byRequest,
  interrupted_turn: byText,
  interrupted_command: byContent,
  login: byText,
  provider_limit: byText,
  budget: byText,
  budget_near: byText,
  review_escalation: byContent,
  merge: byContent,
  team_plan: byContent,
  team_stalled: byText,
  team_limit: byText,
  team_wrote: byText,
  iteration_blocked: byContent,
  iteration_failed: byContent,
  terminal_question: byContent,
  agent_silent: byText,
  permission_flood: byText,
  host_lost: byText,
};

/**
 * The key by which similar questions are grouped: kind, options and request, without the names of the asking
 * member, step and run. Equal keys mean that one answer fits all; the key is not shown.
 */
export function causeOf(gate: CausedGate): string {
  const { kind, options, asker, stepTitle, stepId, runName } = gate;
  const names = [asker?.name, stepTitle, stepId, runName].filter((name) => name != null && name.length > 1);
  const longestFirst = names.sort((one, other) => (other?.length ?? 0) - (one?.length ?? 0));
  const bare = (text: string): string =>
    longestFirst.reduce<string>((rest, name) => rest.split(name ?? '').join('\u0000'), text);
  const answers = options.map(({ id, needs }) => [id, needs ?? null]);
  return JSON.stringify([kind, answers, BASIS[kind](gate, bare)]);
}

/** The open questions with the same cause, including this one, in list order. */
export const alikeOf = <G extends Pick<GateRow, 'status' | 'cause'>>(
  rows: readonly G[],
  gate: G,
): readonly G[] =>
  gate.cause === undefined
    ? [gate]
    : rows.filter(({ status, cause }) => status === 'open' && cause === gate.cause);

/** Groups questions by cause. Each group is placed where its oldest question was. */
export function groupsOf<G extends Pick<GateRow, 'status' | 'cause'>>(rows: readonly G[]): [G, ...G[]][] {
  const groups = new Map<string, [G, ...G[]]>();
  const all: [G, ...G[]][] = [];
  for (const row of rows) {
    const known = row.cause === undefined || row.status !== 'open' ? undefined : groups.get(row.cause);
    if (known !== undefined) known.push(row);
    else {
      const group: [G, ...G[]] = [row];
      all.push(group);
      if (row.cause !== undefined && row.status === 'open') groups.set(row.cause, group);
    }
  }
  return all;
}
