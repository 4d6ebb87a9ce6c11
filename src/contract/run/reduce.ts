import { setOwn } from '../own';
import type { RunEvent, RunEventOf, StoredEvent } from './events';
import { type ActivationEvent, applyActivation } from './reduce/activation';
import { applyCommand } from './reduce/command';
import { applyGate } from './reduce/gate';
import { applyLane, type LaneEvent } from './reduce/lane';
import { applyLoop, type LoopEvent } from './reduce/loop';
import { applyPrompt } from './reduce/prompt';
import { applyRun } from './reduce/run';
import { applySession } from './reduce/session';
import { applyTeam, type TeamEvent } from './reduce/team';
import { applyTimer } from './reduce/timer';
import { applyTurn } from './reduce/turn';
import { applyCapture, applyHunk, applyWorkspace } from './reduce/workspace';
import type { RunState } from './state';

/**
 * Folds one committed event into the state, and returns that state.
 *
 * The state belongs to the fold: its maps are changed in place, because copying them at each event would make a
 * run of n events cost n squared. Each entry (activation, turn, ...) is replaced, never changed, so that a reader
 * may compare entries by identity. The same function runs in the core and in the window; it reads no clock.
 */
export function reduce(state: RunState | null, stored: Pick<StoredEvent, 'seq' | 'at' | 'event'>): RunState {
  const { event, at, seq } = stored;
  if (event.type === 'run.started') return start(event, at, seq);
  if (state === null) throw new Error(`event ${event.type} before run.started`);
  state.seq = seq;
  if (at > state.at) state.before = state.at;
  state.at = at;
  apply(state, event, at);
  if ('keyed' in event && event.keyed !== undefined)
    setOwn(state.answers, event.keyed.key, event.keyed.answer);
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
  return {
    ...frozen,
    defaultProfile,
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
    spend: { tokens: 0, cost_usd: 0, untold: 0 },
    steps: Object.fromEntries(
      event.definition.steps.map((step) => [step.id, { id: step.id, activationIds: [], skipped: null }]),
    ),
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
    teams: {},
    loops: {},
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
  };
}

function apply(state: RunState, event: RunEvent, at: number): void {
  const area = event.type.slice(0, event.type.indexOf('.'));
  switch (area) {
    case 'run':
      return applyRun(state, event as Extract<RunEvent, { type: `run.${string}` }>, at);
    case 'activation':
    case 'step':
      return applyActivation(state, event as ActivationEvent, at);
    case 'session':
      return applySession(state, event as Extract<RunEvent, { type: `session.${string}` }>, at);
    case 'turn':
      return applyTurn(state, event as Extract<RunEvent, { type: `turn.${string}` }>, at);
    case 'command':
      return applyCommand(state, event as Extract<RunEvent, { type: `command.${string}` }>, at);
    case 'gate':
      return applyGate(state, event as Extract<RunEvent, { type: `gate.${string}` }>, at);
    case 'prompt':
      return applyPrompt(state, event as Extract<RunEvent, { type: `prompt.${string}` }>, at);
    case 'workspace':
      return applyWorkspace(state, event as Extract<RunEvent, { type: `workspace.${string}` }>);
    case 'capture':
      return applyCapture(state, event as Extract<RunEvent, { type: `capture.${string}` }>);
    case 'hunk':
      return applyHunk(state, event as Extract<RunEvent, { type: `hunk.${string}` }>);
    case 'lane':
      return applyLane(state, event as LaneEvent, at);
    case 'team':
      return applyTeam(state, event as TeamEvent, at);
    case 'loop':
      return applyLoop(state, event as LoopEvent, at);
    case 'timer':
      return applyTimer(state, event as Extract<RunEvent, { type: `timer.${string}` }>);
    default:
      // Progress and updates are told, not folded: nothing is decided by them.
      return;
  }
}
