import { type AppError, appError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import { keyText, type TimerKey } from '@contract/run/keys';
import { MINUTE_MS } from '@contract/time-units';
import { shownText } from '@contract/whole-text';
import { agentRef } from '@main/core/step/agent/agent';
import type { AgentRef, CommandDecision, StepDecision, TurnDecision } from '@main/core/step/decision';
import type { ActivationView, LaneView } from '@main/core/step/module';
import type { AttemptCheck, AttemptEnd, Story } from '../contract/events';
import type { LoopKey } from '../contract/keys';
import {
  type AttemptState,
  allPass,
  attemptLane,
  type LoopState,
  missingStories,
  openInLoop,
  openStories,
} from '../contract/state';
import { isBranch, type RalphConfig } from './config';
import { endOf, finishLoop } from './finish';
import { claimOf, judgedText, promises } from './judge/message';
import { saysStuck, saysUnfinished } from './judge/plain-words';
import { RESULT_QUESTION, workerPrompt } from './prompt';
import { afterAttempt, isRetried, questionAfter, reasonToAsk, skippable, timeLimitKey } from './questions';

type View = ActivationView<RalphConfig>;

/**
 * A loop's next step (seed 004): read the plan; one attempt after the other, each in its own session; retry a
 * failed one once; stop when the operator is needed. Pure: depends only on the loop's state.
 */
export function decideRalph(view: View): StepDecision[] {
  const loop = view.part('loops');
  if (view.config.watch !== null) return watching(view, view.config.watch.pid);
  if (loop === null || loop.reading === null) {
    const { branch } = view.config;
    if (branch !== null && !isBranch(branch)) return [noBranch(branch)];
    return [readPlan(view, loop?.attempts.length ?? 0)];
  }
  const { reading } = loop;
  if (reading.status === 'requested') return [];
  if (reading.status === 'refused')
    return [fail(view, loop, reading.error ?? appError('internal', 'the plan was refused'))];
  const last = loop.attempts.at(-1);
  if (last !== undefined && last.judged === null) return attemptGoes(view, loop, last);
  return [
    ...(last === undefined ? [] : [release(last)]),
    ...timeLimit(view, loop),
    ...(last === undefined ? begin(view, loop) : goOn(view, loop, last)),
  ];
}

/** A watched loop: its watcher reports the results. */
function watching(view: View, pid: number | null): StepDecision[] {
  const { activationId, config } = view;
  const loop = view.part('loops');
  if (loop === null || loop.reading === null) {
    const { folder, iterations: of } = config;
    return [tell({ type: 'loop.watch-started', activationId, folder, of, pid })];
  }
  const why = loop.watch?.ended ?? null;
  if (why === null) return [];
  const lost = missingStories(loop);
  if (allPass(loop.plan) && lost.length === 0)
    return [finishLoop(view, loop, { outcome: 'succeeded', error: null })];
  const open = openStories(loop.plan, []).map(({ id }) => id);
  const named = (what: string, ids: string[]) => (ids.length === 0 ? '' : `; ${what}: ${ids.join(', ')}`);
  const remaining = named('still open', open) + named('lost from prd.json', lost);
  return [
    fail(view, loop, appError('step.failed', `the loop that was watched has ended: ${why}${remaining}`)),
  ];
}

const tell = (...events: RunEvent[]): StepDecision => ({ kind: 'tell', events });
const release = ({ id }: AttemptState): StepDecision => ({
  kind: 'release',
  lane: attemptLane(id),
  how: 'close',
});
const fail = (view: View, loop: LoopState, error: AppError): StepDecision =>
  finishLoop(view, loop, { outcome: 'failed', error });

/** The expanded `branch` is not a valid git branch name. */
const noBranch = (branch: string): StepDecision => ({
  kind: 'finish',
  outcome: 'failed',
  outputs: {},
  signals: [],
  receipt: {},
  warnings: [],
  error: appError('input.invalid', `${JSON.stringify(branch)} is not the name of a branch`, {
    where: { path: 'branch' },
    mend: 'let the references in branch produce letters, digits, - and / only',
  }),
});

function readPlan(view: View, after: number, ...before: RunEvent[]): StepDecision {
  const { activationId, config } = view;
  const loop = view.part('loops');
  const { folder, branch } = config;
  const request: RunEvent = {
    type: 'loop.plan-requested',
    activationId,
    after,
    folder,
    branch,
    of: loop !== null && loop.reading !== null ? loop.of : Math.max(loop?.of ?? 0, config.iterations),
  };
  return { kind: 'tell', events: [...before, request], inWorkspace: true };
}

function timeLimit(view: View, loop: LoopState): StepDecision[] {
  const { minutes } = view.config;
  if (minutes === null) return [];
  const purpose = timeLimitKey(loop);
  if (view.timer(purpose) !== null) return [];
  return [{ kind: 'timer', purpose, dueAt: view.now + minutes * MINUTE_MS, watches: null }];
}

/** One attempt, from its preparation to its examination. */
function attemptGoes(view: View, loop: LoopState, attempt: AttemptState): StepDecision[] {
  const { activationId } = view;
  const { id: attemptId, before, refused, end } = attempt;
  const ended = (how: AttemptEnd['how'], error: string | null): StepDecision[] => {
    const check = before === null || how === 'cancelled' ? null : checkAfter(view, attempt);
    if (check !== null && 'kind' in check) return [check];
    const turnId = view.lane(attemptLane(attemptId)).last?.turnId ?? null;
    const facts = { how, turnId, error, ...(check === null ? {} : { check }) };
    return [tell({ type: 'loop.attempt-ended', activationId, attemptId, end: facts })];
  };
  if (end !== null) return [];
  if (refused !== null) return ended('failed', refused.message);
  if (before === null) return [];
  const lane = view.lane(attemptLane(attemptId));
  if (lane.broken !== null) {
    const cut = lane.last?.status === 'interrupted';
    return ended(cut ? 'interrupted' : 'failed', lane.broken.message);
  }
  switch (lane.last?.status) {
    case 'completed':
      return lacksResult(lane) ? [resultTurn(view, attempt)] : ended('answered', null);
    case 'cancelled':
      return lane.last.cancelledBy === TIME_LIMIT
        ? ended('failed', `ended after ${view.config.attempt_minutes ?? 0} minutes, the limit of an attempt`)
        : ended('cancelled', null);
    case undefined:
      return [workerTurn(view, loop, attempt)];
    default:
      return attemptLimit(view, attempt);
  }
}

/** A worker that changed nothing and does not say how it ended, in whatever words, is asked once. */
function lacksResult({ turns }: LaneView): boolean {
  const [answer, ...more] = turns;
  if (answer === undefined || more.length > 0) return false;
  const { changes, response } = answer;
  // Null: it is unknown what changed.
  if (changes === null || changes.files > 0) return false;
  const text = judgedText(response);
  return claimOf(response) === null && !promises(response) && !saysStuck(text) && !saysUnfinished(text);
}

function resultTurn(view: View, { id, iteration, of }: AttemptState): TurnDecision {
  return {
    kind: 'turn',
    agent: workerAgent(view.config, null),
    session: { kind: 'own' },
    turn: 'reminder',
    ordinal: 1,
    of: 2,
    prompt: RESULT_QUESTION,
    attachments: [],
    progress: [],
    lane: attemptLane(id),
    label: `iteration ${iteration}/${of}: result`,
  };
}

/** Maximum characters of a check's output kept as evidence and shown to the next worker. */
const CHECK_OUTPUT = 4_000;

/** The project's check after an attempt: the command, or its result; null if the loop has none. */
function checkAfter(view: View, { id, verify }: AttemptState): CommandDecision | AttemptCheck | null {
  if (verify === undefined) return null;
  const about: LoopKey = ['loop.check', id];
  const text = keyText(about);
  const ran = view.commands.findLast((command) => command.about === text);
  if (ran === undefined)
    return {
      kind: 'command',
      script: verify,
      terminal: false,
      joinsErrors: true,
      env: {},
      about,
      timeoutSeconds: Math.ceil(view.config.verify_minutes * 60),
    };
  const { outcome, exitCode, outputPath } = ran;
  const printed = shownText(ran.output);
  const output = printed.trim() === '' ? (ran.error?.message ?? '') : printed;
  return { command: verify, outcome, exitCode, output: output.slice(-CHECK_OUTPUT), outputPath };
}

/** What stopped a turn; stored events contain these words. */
const TIME_LIMIT = 'the time limit of an attempt';

/**
 * The time restarts after the worker had to wait: for a provider's limit, a login, or the operator's answer.
 */
function attemptLimitKey(attemptId: number, { last, held }: LaneView): TimerKey {
  return ['loop.attempt-limit', attemptId, last?.waitedAt ?? null, held.lastGate];
}

function attemptLimit(view: View, { id }: AttemptState): StepDecision[] {
  const minutes = view.config.attempt_minutes;
  if (minutes === null) return [];
  const lane = view.lane(attemptLane(id));
  const turn = lane.last;
  if (turn === null || turn.status !== 'in_flight' || lane.held.now) return [];
  const purpose = attemptLimitKey(id, lane);
  const timer = view.timer(purpose);
  if (timer === null) {
    // A question dismissed at a terminal may have been answered long after its gate was closed.
    const from = lane.held.lastGate === null ? turn.startedAt : view.now;
    return [{ kind: 'timer', purpose, dueAt: from + minutes * MINUTE_MS, watches: turn.turnId }];
  }
  return timer.fired ? [{ kind: 'stop', lane: attemptLane(id), by: TIME_LIMIT }] : [];
}

/** `MUSTER_LOOP_LOG` gives a worker that keeps the loop's logs itself their path, relative to its folder. */
export function workerAgent(config: RalphConfig, logs: string | null, retry = 0): AgentRef {
  const { worker, retry_profile, retry_model } = config;
  const usual = { ...agentRef(worker), path: 'worker.acp_profile_id' };
  const other = retry > 0 && retry_profile !== null;
  const agent = {
    ...usual,
    // The usual worker's model belongs to its own agent.
    ...(other ? { profileId: retry_profile, model: null, path: 'retry_profile' } : {}),
    ...(retry > 0 && retry_model !== null ? { model: retry_model } : {}),
  };
  return logs === null ? agent : { ...agent, env: { ...agent.env, MUSTER_LOOP_LOG: logs } };
}

function workerTurn(view: View, loop: LoopState, attempt: AttemptState): TurnDecision {
  const { iteration, of, retry, id } = attempt;
  const logs = `${loop.folder === '.' ? '' : `${loop.folder}/`}logs/codex-iteration-${iteration}`;
  return {
    kind: 'turn',
    agent: workerAgent(view.config, logs, retry),
    session: { kind: 'own' },
    turn: 'primary',
    ordinal: 0,
    of: 1,
    prompt: workerPrompt(view, loop, attempt),
    attachments: [],
    progress: [],
    lane: attemptLane(id),
    label: `iteration ${iteration}/${of}${retry > 0 ? ` (retry ${retry})` : ''}`,
  };
}

function begin(view: View, loop: LoopState): StepDecision[] {
  const text = loop.resumeText?.trim() || null;
  return (
    planProblem(view, loop) ?? done(view, loop, null) ?? [start(view, loop, { iteration: 1, retry: 0, text })]
  );
}

/** A loop without a usable plan or prompt does not start. */
function planProblem(view: View, loop: LoopState): StepDecision[] | null {
  const { plan, folder } = loop;
  const file = `${folder === '.' ? '' : `${folder}/`}prd.json`;
  if (plan.state === 'broken') {
    const message = `${file} is not valid: ${plan.problems.join('; ')}`;
    return [fail(view, loop, appError('validation.failed', message, { where: { file } }))];
  }
  if (plan.state === 'read' || view.config.prompt !== null) return null;
  const mend =
    'commit prd.json on the branch, or add it to .gitignore (a worktree gets a copy of an ignored plan), name its folder, or give the step a prompt of its own';
  return [
    fail(view, loop, appError('validation.file_missing', `there is no ${file}`, { where: { file }, mend })),
  ];
}

function goOn(view: View, loop: LoopState, last: AttemptState): StepDecision[] {
  const { judged, iteration } = last;
  if (judged === null) return [];
  const resumed = last.id <= loop.resumedAfter;
  if (judged.terminal && !resumed) return [endOf(view, loop, last)];
  const gate = view.gateByKey(afterAttempt(last.id));
  const answer = gate?.answer ?? null;
  const read = answer !== null && loop.reading?.after === last.id;
  const again = isRetried(last);
  const asking = judged.result === 'blocked' || judged.halt !== null;
  // A promise from a worker that asks or failed does not count; the plan does, once the operator has
  // answered.
  const unsettled = asking || again;
  const end = unsettled && !resumed && !read ? null : done(view, loop, unsettled ? null : last);
  if (end !== null) return end;
  const reason = resumed ? null : reasonToAsk(view, loop, last);
  if (answer === null && reason !== null) return gate === null ? [questionAfter(view, last, reason)] : [];
  if (answer !== null && !resumed && !read) return [afterAnswer(view, loop, last)];
  const note = (resumed ? (loop.resumeText ?? '') : (answer?.text ?? answer?.reason ?? '')).trim();
  const retry = again && (resumed || answer?.option !== 'skip') ? 1 : 0;
  if (retry === 0 && iteration >= loop.of) return [spent(view, loop)];
  const next = { iteration: iteration + 1 - retry, retry, text: note === '' ? null : note };
  return (
    planProblem(view, loop) ?? [
      start(view, loop, { ...next, prefer: unsettled ? last.story?.id : undefined }),
    ]
  );
}

/** The operator has answered: the plan is read again, because they may have changed it. */
function afterAnswer(view: View, loop: LoopState, last: AttemptState): StepDecision {
  const { activationId } = view;
  const option = view.gateByKey(afterAttempt(last.id))?.answer?.option;
  if (option === 'stop') return finishLoop(view, loop, { outcome: 'cancelled', error: null });
  const storyId = option === 'skip' ? skippable(view, last) : null;
  if (storyId === null) return readPlan(view, last.id);
  return readPlan(view, last.id, { type: 'loop.story-skipped', activationId, storyId, by: 'operator' });
}

/** Every story passes or is skipped; without a plan the worker's own tag counts. */
function done(view: View, loop: LoopState, last: AttemptState | null): StepDecision[] | null {
  const { plan } = loop;
  const over =
    plan.state === 'read'
      ? openInLoop(loop).length === 0
      : plan.state === 'none' &&
        last !== null &&
        last.id > loop.resumedAfter &&
        last.judged?.promised === true;
  return over ? [finishLoop(view, loop, { outcome: 'succeeded', error: null })] : null;
}

function spent(view: View, loop: LoopState): StepDecision {
  const open = openInLoop(loop).map(({ id }) => id);
  const remaining = open.length === 0 ? '' : `; still open: ${open.join(', ')}`;
  const error = appError('step.max_iterations', `all ${loop.of} iterations are used${remaining}`, {
    mend: 'resume the run for as many iterations again',
  });
  return fail(view, loop, error);
}

interface Next {
  readonly iteration: number;
  readonly retry: number;
  /** The story to continue with, if it is still open. */
  readonly prefer?: string | undefined;
  readonly text?: string | null;
}

function start(view: View, loop: LoopState, { iteration, retry, prefer, text = null }: Next): StepDecision {
  const open = openInLoop(loop);
  const story: Story | undefined = open.find(({ id }) => id === prefer) ?? open[0];
  return tell({
    type: 'loop.attempt-started',
    activationId: view.activationId,
    attemptId: loop.attempts.length + 1,
    iteration,
    retry,
    text,
    of: loop.of,
    story: story === undefined ? null : { id: story.id, title: story.title },
    ...(view.config.verify === null ? {} : { verify: view.config.verify }),
  });
}
