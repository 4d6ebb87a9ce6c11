import { type AppError, appError } from '@contract/errors';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { features } from '@features/core';
import { interruptions } from '../recovery/recover';
import { cancelScopes } from '../scope/end';
import { withdrawPrompts } from './prompts';

/** Why it ends, in words for the operator. */
interface CutShort {
  /** For a turn or command: it "was in flight when ...". */
  readonly when: string;
  /** For the run. */
  readonly reason: string;
}

const CANCELLED: Omit<RunEventOf<'activation.finished'>, 'activationId'> = {
  type: 'activation.finished',
  outcome: 'cancelled',
  outputs: {},
  signals: [],
  receipt: {},
  warnings: [],
  error: null,
};

/**
 * Ends a truncated history, for a run that must not continue by itself: work in progress is marked
 * interrupted, questions are withdrawn, and steps and run end as cancelled. As after a cancellation, the run
 * can be resumed. Folds the returned events into the state.
 */
export function cutShort(state: RunState, { when, reason }: CutShort): RunEvent[] {
  const added: RunEvent[] = [];
  const say = (...events: readonly RunEvent[]): void => {
    for (const event of events) {
      reduce(state, { seq: state.seq + 1, at: state.at, event });
      added.push(event);
    }
  };
  const nothing = {
    partialResponse: () => ({ response: '' }),
    survives: () => false,
    session: () => null,
    // According to the last event it was still running.
    workedUntil: state.at,
  };
  say(
    ...interruptions(state, nothing).map((event) => ('reason' in event ? { ...event, reason: when } : event)),
  );
  say(...unmade(state, when));
  const end = { state, say, error: appError('cancelled', when) };
  endOpen(end);
  say(...features.flatMap((feature) => feature.atCancel(state, { isCut: true })));
  endOpen(end);
  for (const { id: gateId, status } of Object.values(state.gates))
    if (status === 'open')
      say({ type: 'gate.withdrawn', gateId, reason: `The run was shortened: ${reason}.` });
  say(...withdrawPrompts(state, reason));
  const { reopened } = state;
  say(...cancelScopes(state));
  for (const activation of Object.values(state.activations))
    if (activation.status === 'running') say({ ...CANCELLED, activationId: activation.id });
  say({ type: 'run.finished', ...(reopened ?? { outcome: 'cancelled', reason }) });
  return added;
}

interface OpenEnd {
  readonly state: RunState;
  readonly say: (...events: readonly RunEvent[]) => void;
  readonly error: AppError;
}

/** Ends the features' effects whose end nothing will report, each with what follows from its result. */
function endOpen({ state, say, error }: OpenEnd): void {
  for (const feature of features)
    for (const event of feature.open(state)) {
      const result = feature.effectOf(event)?.broken(state, error);
      if (result === undefined) continue;
      say(result);
      say(...feature.react(state, result));
    }
}

/** Folders and captures whose end nothing will report. */
function unmade(state: RunState, when: string): RunEvent[] {
  const error = appError('workspace.failed', `it was not done: ${when}`);
  return [
    ...(state.workspaceStatus === 'requested' ? [{ type: 'run.workspace-failed' as const, error }] : []),
    ...Object.values(state.workspaces).flatMap(({ id: workspaceId, status }): RunEvent[] =>
      status === 'requested' ? [{ type: 'workspace.failed', workspaceId, error }] : [],
    ),
    ...Object.values(state.captures).flatMap(({ id: captureId, status }): RunEvent[] =>
      status === 'running' ? [{ type: 'capture.failed', captureId, error }] : [],
    ),
  ];
}
