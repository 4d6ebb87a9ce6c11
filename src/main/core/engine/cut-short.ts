import { appError } from '@contract/errors';
import { attemptLane, type LoopState } from '@contract/loop/state';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { verdictOf } from '../loop/update';
import { brokenFreeze } from './freeze-effects';
import { withdrawPrompts } from './prompts';
import { interruptions } from './recover';

/** Why it ends, in words for whoever looks at the run. */
export interface CutShort {
  /** Of a turn or a command: it "was in flight when ...". */
  readonly when: string;
  /** Of the run. */
  readonly reason: string;
}

const CANCELLED: Omit<RunEventOf<'activation.finished'>, 'activationId'> = {
  type: 'activation.finished',
  outcome: 'cancelled',
  ...{ outputs: {}, signals: [], receipt: {}, warnings: [], error: null },
};

/**
 * What ends a history that stops in the middle, for a run that is to go on nowhere by itself: all that was under way is
 * said to be cut off, questions are withdrawn, steps and run end as cancelled. As after a cancel, the run can be resumed.
 * Folds what it gives into the state.
 */
export function cutShort(state: RunState, { when, reason }: CutShort): RunEvent[] {
  const said: RunEvent[] = [];
  const say = (...events: readonly RunEvent[]): void => {
    for (const event of events) {
      reduce(state, { seq: state.seq + 1, at: state.at, event });
      said.push(event);
    }
  };
  const nothing = {
    ...{ partialResponse: () => ({ response: '' }), survives: () => false, session: () => null },
    // The last event shows that it went on.
    workedUntil: state.at,
  };
  say(
    ...interruptions(state, nothing).map((event) => ('reason' in event ? { ...event, reason: when } : event)),
  );
  say(...unmade(state, when));
  for (const loop of Object.values(state.loops)) endLoop(state, loop, { when, say });
  for (const { id: gateId, status } of Object.values(state.gates))
    if (status === 'open')
      say({ type: 'gate.withdrawn', gateId, reason: `The run was cut short: ${reason}.` });
  say(...withdrawPrompts(state, reason));
  const { reopened } = state;
  for (const activation of Object.values(state.activations))
    if (activation.status === 'running') say({ ...CANCELLED, activationId: activation.id });
  say({ type: 'run.finished', ...(reopened ?? { outcome: 'cancelled', reason }) });
  return said;
}

/** Folders, looks at them, what members leave and merges of which nobody will tell an end. */
function unmade(state: RunState, when: string): RunEvent[] {
  const error = appError('workspace.failed', `it was not done: ${when}`);
  const merges = Object.values(state.teams).flatMap(({ activationId, merges: all }) =>
    Object.values(all).map(({ id: mergeId, status }) => ({ activationId, mergeId, status })),
  );
  return [
    ...(state.workspaceStatus === 'requested' ? [{ type: 'run.workspace-failed' as const, error }] : []),
    ...Object.values(state.workspaces).flatMap(({ id: workspaceId, status }): RunEvent[] =>
      status === 'requested' ? [{ type: 'workspace.failed', workspaceId, error }] : [],
    ),
    ...Object.values(state.captures).flatMap(({ id: captureId, status }): RunEvent[] =>
      status === 'running' ? [{ type: 'capture.failed', captureId, error }] : [],
    ),
    ...Object.values(state.teams).flatMap(({ activationId, members }) =>
      Object.values(members).flatMap(({ name: member, freezing }) =>
        freezing === null
          ? []
          : [brokenFreeze(state, { activationId, member, reason: freezing.reason }, error)],
      ),
    ),
    ...merges.flatMap(({ status, ...which }): RunEvent[] =>
      status === 'requested' || status === 'confirmed'
        ? [{ type: 'team.merge-failed', ...which, error }]
        : [],
    ),
  ];
}

interface Saying {
  readonly when: string;
  readonly say: (...events: readonly RunEvent[]) => void;
}

/** An attempt that has no verdict gets one, by what is known of it; a look at the plan is not waited for. */
function endLoop(state: RunState, loop: LoopState, { when, say }: Saying): void {
  const { activationId, reading, watch } = loop;
  const error = appError('cancelled', when);
  if (reading?.status === 'requested')
    say({ type: 'loop.plan-refused', activationId, after: reading.after, error });
  const last = loop.attempts.at(-1);
  const activation = state.activations[activationId];
  if (last === undefined || last.judged !== null || activation === undefined) return;
  const attemptId = last.id;
  if (last.end === null) {
    const turnId =
      activation.turnIds.findLast((id) => state.turns[id]?.lane === attemptLane(attemptId)) ?? null;
    const how = watch === null ? ('interrupted' as const) : ('unknown' as const);
    say({ type: 'loop.attempt-ended', activationId, attemptId, end: { how, turnId, error: null } });
  }
  say({ type: 'loop.attempt-examined', activationId, attemptId, after: null, error });
  const now = state.loops[activationId];
  const attempt = now?.attempts.find(({ id }) => id === attemptId);
  if (now === undefined || attempt === undefined) return;
  say(...verdictOf(now, attempt, { stepId: activation.stepId, trouble: when }));
}
