import { laneRole } from '@contract/run/lane/lane-role';
import { stepTitle } from '@contract/run/scope/path';
import type { GateState, RunState, SessionState, TurnState } from '@contract/run/state';
import { waitsForItsLimit } from '@contract/run/status';
import type { StackRow } from '@renderer/ui/lists/stack';

/** The transcript of a session, from top to bottom. */
export type SessionTurnRow = StackRow &
  (
    | {
        readonly kind: 'step';
        readonly title: string;
        readonly attempt: number;
        readonly role: string | null;
      }
    | { readonly kind: 'turn'; readonly turn: TurnState; readonly gates: readonly GateState[] }
    | { readonly kind: 'gate'; readonly gate: GateState }
  );

const GUESS = { step: 40, turn: 220, gate: 200 };

/**
 * The turns of a session in order, with the gates asked in them; each step's first turn is preceded by its
 * name.
 */
export function sessionRows(state: RunState, session: SessionState): SessionTurnRow[] {
  const gates = Object.values(state.gates).filter((gate) => gate.sessionId === session.id);
  const ownTurnIds = new Set(session.turnIds);
  const loose = gates.filter((gate) => gate.turnId === null || !ownTurnIds.has(gate.turnId));
  const rows: SessionTurnRow[] = [];
  let activationId: number | null = null;
  for (const id of session.turnIds) {
    const turn = state.turns[id];
    if (!turn) continue;
    while (loose[0] && loose[0].openedAt < turn.startedAt) rows.push(gateRow(loose.shift() as GateState));
    if (turn.activationId !== activationId) rows.push(stepRow(state, turn));
    activationId = turn.activationId;
    const turnGates = gates.filter((gate) => gate.turnId === id);
    rows.push({ kind: 'turn', key: `turn/${id}`, guess: GUESS.turn, turn, gates: turnGates });
  }
  return [...rows, ...loose.map(gateRow)];
}

const gateRow = (gate: GateState): SessionTurnRow => ({
  kind: 'gate',
  key: `gate/${gate.id}`,
  guess: GUESS.gate,
  gate,
});

function stepRow(state: RunState, turn: TurnState): SessionTurnRow {
  const activation = state.activations[turn.activationId];
  const title = activation === undefined ? 'Step' : stepTitle(state, activation.stepId);
  const role = turn.lane === null ? null : laneRole(state, activation?.stepId, turn.lane);
  const key = `step/${turn.id}`;
  return { kind: 'step', key, guess: GUESS.step, title, attempt: activation?.attempt ?? 1, role };
}

/** The row for an address: a gate that belongs to a turn is in that turn's row. */
export function rowKey(rows: readonly SessionTurnRow[], kind: string, id: string): string | null {
  const key = `${kind}/${id}`;
  if (rows.some((row) => row.key === key)) return key;
  if (kind !== 'gate') return null;
  const holds = (row: SessionTurnRow) =>
    row.kind === 'turn' && row.gates.some((gate) => String(gate.id) === id);
  return rows.find(holds)?.key ?? null;
}

/** The gate of a session that the keys of the inbox apply to: the only open one. */
export function onlyOpenGate(state: RunState, sessionId: number): number | null {
  const open = Object.values(state.gates).filter(
    (gate) => gate.sessionId === sessionId && gate.status === 'open',
  );
  return open.length === 1 ? (open[0]?.id ?? null) : null;
}

export const turnInFlight = (state: RunState, session: SessionState): TurnState | null =>
  session.turnIds.map((id) => state.turns[id]).find((turn) => turn?.status === 'in_flight') ?? null;

export const queuedPrompts = (state: RunState, sessionId: number) =>
  Object.values(state.prompts).filter(
    (prompt) => prompt.sessionId === sessionId && prompt.status === 'queued',
  );

/** Those, and prompts that are sent again when a limit ends: all that can be withdrawn. */
export const waitingPrompts = (state: RunState, sessionId: number) =>
  Object.values(state.prompts).filter(
    (prompt) =>
      prompt.sessionId === sessionId && (prompt.status === 'queued' || waitsForItsLimit(state, prompt)),
  );

/** The usage of a session's turns, as far as it was reported. */
export function spentBy(state: RunState, session: SessionState): { tokens: number; usd: number } {
  let [tokens, usd] = [0, 0];
  for (const id of session.turnIds) {
    const usage = state.turns[id]?.usage;
    tokens += usage?.total_tokens ?? (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
    usd += usage?.cost_usd ?? 0;
  }
  return { tokens, usd };
}

/** The folder of a session: its own workspace, otherwise the run's. */
export function workplaceOf(
  state: RunState,
  session: SessionState,
): { path: string | null; branch: string | null } {
  const own = session.workspaceId === null ? state.workspace : state.workspaces[session.workspaceId];
  return { path: session.cwd ?? own?.path ?? null, branch: own?.branch ?? null };
}
