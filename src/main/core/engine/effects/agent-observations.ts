import { storedEvidence } from '@areas/evidence/contract/evidence';
import type { GateKind, GateOption } from '@areas/gates/contract/gate';
import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import { SCREEN_STILL_MS, silentAfterMs, TYPED_ANSWER_MS } from '../../../limits/core';
import type { Seen } from '../../ports/ports';
import type { EffectParts } from '../base/effect-parts';
import type { LiveRun } from '../base/live-run';
import { hasOwnTools } from '../permissions/own-tools';

const END_TURN = 'end_turn';
const RESTART = 'restart';
const ENDS_TURN: ReadonlySet<GateKind> = new Set(['terminal_question', 'agent_silent', 'permission_flood']);
const GONE_ON = 'The agent has gone on.';
/** Answers that are typed into the agent's terminal, so that no window is needed for them. */
const TYPED: Readonly<Record<string, 'line' | 'keys'>> = { type: 'line', keys: 'keys' };
const OPTIONS: readonly GateOption[] = [
  {
    id: 'type',
    label: 'Type an answer',
    effect: 'Your text is typed into its terminal, followed by Enter.',
    tone: 'neutral',
    needs: 'text',
  },
  {
    id: 'keys',
    label: 'Press keys',
    effect: 'The keys are pressed in its terminal, without Enter: 2, or down down enter.',
    tone: 'neutral',
    needs: 'text',
  },
  {
    id: 'leave',
    label: 'I answer in its terminal',
    effect: 'This leaves the inbox, and the agent waits on until you answer there.',
    tone: 'neutral',
  },
  { id: END_TURN, label: 'End the turn', effect: 'The turn is cancelled, unanswered.', tone: 'reject' },
];
const SILENT_OPTIONS: readonly GateOption[] = [
  {
    id: 'leave',
    label: 'Let it go on',
    effect:
      'Removes this from the inbox; the turn goes on. You are asked again if the agent works and then falls silent again.',
    tone: 'neutral',
  },
  {
    id: RESTART,
    label: 'Restart',
    effect: 'The turn is cancelled, and its prompt is sent again in a new turn of the same session.',
    tone: 'neutral',
  },
  { id: END_TURN, label: 'End the turn', effect: 'The turn is cancelled.', tone: 'reject' },
];

interface Observed {
  readonly sessionId: number;
  readonly turnId: number;
  readonly seen: Seen;
}

/**
 * Handles an observation of an agent. Reports changes; a question that only the operator can answer in the
 * agent's terminal stays in the inbox until the agent continues.
 */
export async function observe(parts: EffectParts, run: LiveRun, observed: Observed): Promise<void> {
  const { turnId, seen } = observed;
  // An agent that waits for the operator is not silent.
  if (seen.state === 'working' || seen.state === 'waits') run.heard.set(turnId, parts.clock.now());
  noteScreen(run, observed, parts.clock.now());
  const busy = run.looked.has(turnId);
  run.looked.set(turnId, seen);
  // Only the newest observation is reported: on a full disk, each would otherwise be retried until there is
  // space.
  if (busy) return;
  const latest = (): Seen => run.looked.get(turnId) ?? seen;
  const changes = (): RunEvent[] => news(run, { ...observed, seen: latest() }, parts.clock.now());
  try {
    for (let reported: Seen | null = null; reported !== latest(); ) {
      reported = latest();
      if (changes().length > 0) await parts.engine.report(run, changes);
    }
  } finally {
    run.looked.delete(turnId);
  }
}

function noteScreen({ screens }: LiveRun, { turnId, seen }: Observed, now: number): void {
  if (seen.state !== 'waits' || seen.screen === null) screens.delete(turnId);
  else if (screens.get(turnId)?.screen !== seen.screen)
    screens.set(turnId, { screen: seen.screen, since: now });
}

function news(run: LiveRun, observed: Observed, now: number): RunEvent[] {
  const { state } = run;
  const { sessionId, turnId, seen } = observed;
  if (state.status !== 'running' || state.turns[turnId]?.status !== 'in_flight') return [];
  const before = state.sessions[sessionId]?.observed ?? null;
  const isNew = (before?.turnId === turnId ? before.state : 'working') !== seen.state;
  const more: RunEvent[] = [];
  if (isSilent(state, observed, now) && !isReported(state, observed)) more.push(silence(state, observed));
  if (!isNew && asksAgain(state, observed, now)) return [...more, question(state, observed)];
  if (!isNew) return [...more, ...asksAnother(run, observed, now)];
  const { since, reason } = seen;
  const event: RunEvent = { type: 'session.observed', sessionId, turnId, state: seen.state, since, reason };
  if (isHeard(seen)) more.push(...takenBack(state, turnId, ['agent_silent', GONE_ON]));
  if (seen.state !== 'waits') more.push(...takenBack(state, turnId, ['terminal_question', GONE_ON]));
  else if (open(state, turnId, 'terminal_question').length === 0) more.push(question(state, observed));
  return [event, ...more];
}

/**
 * The agent still waits after an answer was typed: it asks something else now, or the answer had no effect. An answer
 * that a core could not type before it died is asked again too.
 */
function asksAgain(state: RunState, { turnId, seen }: Observed, now: number): boolean {
  const last = gatesOf(state, turnId).findLast(({ kind }) => kind === 'terminal_question');
  if (seen.state !== 'waits' || last?.status !== 'resolved') return false;
  if (ownValue(TYPED, last.answer?.option ?? '') === undefined) return false;
  return now - (last.closedAt ?? now) >= TYPED_ANSWER_MS;
}

/**
 * The screen shows another question than the one in the inbox, which an answer there would be typed into. A screen that
 * never stands still, such as one with a clock, does not count.
 */
function asksAnother({ state, screens }: LiveRun, observed: Observed, now: number): RunEvent[] {
  const { turnId } = observed;
  const [gate] = open(state, turnId, 'terminal_question');
  const shown = screens.get(turnId);
  if (gate === undefined || shown === undefined || now - shown.since < SCREEN_STILL_MS) return [];
  const next = question(state, observed);
  if (next.evidence === gate.evidence) return [];
  return [...takenBack(state, turnId, ['terminal_question', 'Its terminal shows something else now.']), next];
}

/** Types the operator's answer into the terminal of the agent that asked. */
export function typeAnswer(run: LiveRun, gateId: number): void {
  const gate = run.state.gates[gateId];
  const how = ownValue(TYPED, gate?.answer?.option ?? '');
  if (gate?.kind !== 'terminal_question' || how === undefined || gate.sessionId === null) return;
  if (run.state.turns[gate.turnId ?? 0]?.status !== 'in_flight') return;
  run.sessions.get(gate.sessionId)?.type?.(gate.answer?.text ?? '', how);
}

const isHeard = ({ state }: Seen): boolean => state === 'working' || state === 'waits';

/** A session that watches its agent says when it is stalled; where work is not visible, the profile's limit counts. */
function isSilent(run: RunState, { sessionId, seen }: Observed, now: number): boolean {
  if (seen.state !== 'unknown') return seen.state === 'stalled';
  const profile = ownValue(run.profiles, run.sessions[sessionId]?.profileId ?? '');
  return now - seen.since >= silentAfterMs(profile?.silence_minutes ?? null);
}

/** Whether this silence was already reported, or a team watches the agent itself. */
const isReported = (state: RunState, { sessionId, turnId, seen }: Observed): boolean =>
  hasOwnTools(state, sessionId) ||
  open(state, turnId, 'agent_silent').length > 0 ||
  gatesOf(state, turnId).some((gate) => gate.kind === 'agent_silent' && gate.openedAt >= seen.since);

/** What follows from an answer at such a gate or from the end of its turn; committed together with it. */
export function askedInTerminal(state: RunState, event: RunEvent): readonly RunEvent[] {
  if (event.type === 'turn.finished' || event.type === 'turn.interrupted')
    return (['terminal_question', 'agent_silent'] as const).flatMap((kind) =>
      takenBack(state, event.turnId, [kind, 'The turn has ended.']),
    );
  if (event.type !== 'gate.resolved') return [];
  const { option } = event.answer;
  if (option !== END_TURN && option !== RESTART) return [];
  const gate = state.gates[event.gateId];
  const turn = state.turns[gate?.turnId ?? 0];
  if (gate === undefined || !ENDS_TURN.has(gate.kind)) return [];
  if (turn?.status !== 'in_flight' || turn.cancelledBy !== null) return [];
  const cancel = { type: 'turn.cancel-requested', turnId: turn.id, by: event.by } as const;
  return [option === RESTART ? { ...cancel, again: true } : cancel];
}

/** Looked up through the activation, because a run may have very many gates. */
function gatesOf(state: RunState, turnId: number): GateState[] {
  const gateIds = state.activations[state.turns[turnId]?.activationId ?? 0]?.gateIds ?? [];
  return gateIds.flatMap((id) => state.gates[id] ?? []).filter((gate) => gate.turnId === turnId);
}

const open = (state: RunState, turnId: number, kind: GateKind): GateState[] =>
  gatesOf(state, turnId).filter((gate) => gate.kind === kind && gate.status === 'open');

const takenBack = (state: RunState, turnId: number, [kind, reason]: [GateKind, string]): RunEvent[] =>
  open(state, turnId, kind).map(({ id }) => ({ type: 'gate.withdrawn', gateId: id, reason }));

type Opened = RunEventOf<'gate.opened'>;

function about(state: RunState, { sessionId, turnId }: Observed): Omit<Opened, 'kind' | 'title' | 'message'> {
  return {
    type: 'gate.opened',
    gateId: state.last.gate + 1,
    sessionId,
    turnId,
    commandId: null,
    activationId: state.turns[turnId]?.activationId ?? null,
    evidence: null,
    request: null,
    options: [],
    why: null,
  };
}

function nameOf(state: RunState, { sessionId }: Observed): string {
  const profileId = state.sessions[sessionId]?.profileId ?? '';
  return ownValue(state.profiles, profileId)?.name ?? profileId;
}

const question = (state: RunState, observed: Observed): Opened => ({
  ...about(state, observed),
  kind: 'terminal_question',
  title: `${nameOf(state, observed)} waits for an answer in its terminal`,
  message: 'Answer it here or in its terminal. The question closes by itself once the agent goes on.',
  ...storedEvidence([{ kind: 'output', text: observed.seen.screen ?? observed.seen.reason }]),
  options: [...OPTIONS],
});

/** Only a notice: turn and run continue. */
const silence = (state: RunState, observed: Observed): Opened => ({
  ...about(state, observed),
  kind: 'agent_silent',
  title: `${nameOf(state, observed)} ${observed.seen.state === 'stalled' ? 'seems stalled' : 'is silent'}`,
  message: 'Its turn goes on. This is taken back once something is heard of it.',
  ...storedEvidence([{ kind: 'text', text: observed.seen.reason }]),
  options: [...SILENT_OPTIONS],
});
