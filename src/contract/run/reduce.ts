import { workspaceReducers } from '@areas/changes/contract/reduce';
import { updateReducers } from '@areas/feed/contract/reduce';
import { gateReducers } from '@areas/gates/contract/reduce';
import { hostReducers } from '@areas/hosts/contract/reduce';
import { sessionReducers } from '@areas/sessions/contract/reduce';
import { emptySlices, features } from '@features/contract';
import { setOwnValue } from '../own';
import { activationReducers } from './activation/reduce';
import { commandReducers } from './command/reduce';
import { type Reducer, type Reducers, reducerOf, type Typed } from './event-table';
import type { RunEventOf, StoredEvent } from './events';
import { laneReducers } from './lane/reduce';
import { lifecycleReducers } from './lifecycle/reduce';
import { derivedRunName } from './lifecycle/run-name';
import type { PlatformEvent } from './platform-events';
import type { PlatformState } from './platform-state';
import { progressReducers } from './progress/reduce';
import { promptReducers } from './prompt/reduce';
import { scopeReducers } from './scope/reduce';
import type { RunState } from './state';
import { timerReducers } from './timer/reduce';
import { turnReducers } from './turn/reduce';

type Started = RunEventOf<'run.started'>;

/** Every platform event has a reducer here, or none (`TOLD_ONLY`). */
const reducers: Reducers<PlatformState, Exclude<PlatformEvent, Started>> = {
  ...lifecycleReducers,
  ...activationReducers,
  ...scopeReducers,
  ...sessionReducers,
  ...turnReducers,
  ...promptReducers,
  ...workspaceReducers,
  ...laneReducers,
  ...commandReducers,
  ...hostReducers,
  ...gateReducers,
  ...timerReducers,
  ...progressReducers,
  ...updateReducers,
};

const known = new Map<string, readonly Reducer<RunState, Typed>[]>();

/** An event's reducers: the platform's, then the features'. Cached by type. */
function reducersOf(event: Typed): readonly Reducer<RunState, Typed>[] {
  const found = known.get(event.type);
  if (found !== undefined) return found;
  const own = reducerOf(reducers, event);
  const all = [own, ...features.map((feature) => feature.reducerOf(event))].filter((one) => one !== null);
  known.set(event.type, all);
  return all;
}

/**
 * Folds one committed event into the state, and returns that state.
 *
 * The state belongs to the fold. Its maps are modified in place, because copying them for each event would
 * make a run of n events cost n squared. Entries (activation, turn, ...) are replaced, never modified, so
 * readers may compare entries by identity. The same function runs in core and window; it reads no clock.
 */
export function reduce(state: RunState | null, stored: Pick<StoredEvent, 'seq' | 'at' | 'event'>): RunState {
  const { event, at, seq } = stored;
  if (event.type === 'run.started') return start(event, at, seq);
  if (state === null) throw new Error(`event ${event.type} before run.started`);
  state.seq = seq;
  if (at > state.at) state.before = state.at;
  state.at = at;
  for (const reducer of reducersOf(event)) reducer(state, event, at);
  if ('keyed' in event && event.keyed !== undefined)
    setOwnValue(state.answers, event.keyed.key, event.keyed.answer);
  return state;
}

/** Folds a whole history; or, onto a state that was folded before, what came after it. */
export function replay(
  events: Iterable<Pick<StoredEvent, 'seq' | 'at' | 'event'>>,
  onto: RunState | null = null,
): RunState | null {
  let state = onto;
  for (const stored of events) state = reduce(state, stored);
  return state;
}

function start(event: RunEventOf<'run.started'>, at: number, seq: number): RunState {
  const { type: _, startedBy: __, prompts = {}, defaultProfile = null, ...frozen } = event;
  // The known fields first: to add them to a copy of the others is slow, and so is each later access.
  return {
    defaultProfile,
    workflowName: frozen.name,
    seq,
    at,
    before: at,
    workspace: null,
    workspaceStatus: 'none',
    workspaceError: null,
    status: 'running',
    outcome: null,
    reason: null,
    startedAt: at,
    finishedAt: null,
    binned: false,
    results: null,
    applied: [],
    applying: null,
    undoing: null,
    spend: { tokens: 0, cost_usd: 0, untold: 0 },
    steps: Object.fromEntries(
      event.definition.steps.map((step) => [
        step.id,
        { id: step.id, activationIds: [], skipped: null, skipCause: null },
      ]),
    ),
    scopes: {},
    activations: {},
    sessions: {},
    turns: {},
    reopened: null,
    takenUpAtGate: 0,
    prompted: prompts,
    commands: {},
    prompts: {},
    workspaces: {},
    captures: {},
    hunks: {},
    viewed: {},
    lostHosts: {},
    ...emptySlices(),
    gates: {},
    timers: {},
    answers: {},
    last: {
      activation: 0,
      session: 0,
      turn: 0,
      command: 0,
      gate: 0,
      timer: 0,
      prompt: 0,
      workspace: 0,
      capture: 0,
    },
    ...frozen,
    name: derivedRunName({ ...frozen, workflowName: frozen.name }),
  };
}
