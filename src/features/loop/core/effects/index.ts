import { CodexTally } from '@areas/agents/contract/codex/facts';
import type { AppError } from '@contract/errors';
import { ok } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { wholeResponse } from '@main/core/engine/activation/view';
import type { EffectParts } from '@main/core/engine/base/effect-parts';
import type { LiveRun } from '@main/core/engine/base/live-run';
import { folderAgain, folderOf } from '@main/core/engine/effects/workspace-effects';
import { workspaceBefore } from '@main/core/engine/folders/workspace';
import type { LoopAfter } from '../../contract/events';
import { MESSAGE_LAG_MS } from '../../contract/limits';
import type { AttemptPlace, LoopPlace, WorkerLogs } from '../../contract/ports';
import type { AttemptState, LoopState } from '../../contract/state';
import { readPlan } from '../prd';

type Parts = Pick<EffectParts, 'loops' | 'engine' | 'transcripts' | 'workspaces'>;
export type LoopCall = Extract<
  RunEvent,
  { type: 'loop.plan-requested' | 'loop.attempt-started' | 'loop.attempt-ended' }
>;

const workspaceOf = (state: RunState, { activationId }: LoopState): number | null => {
  const activation = state.activations[activationId];
  return activation === undefined ? null : workspaceBefore(state, activation);
};

const placeOf = (state: RunState, loop: LoopState): LoopPlace => {
  const workspaceId = workspaceOf(state, loop);
  const cwd = folderOf(state, workspaceId);
  const { folder, watch } = loop;
  // A watched loop is only looked at.
  const shares = watch === null && state.workspaceMode === 'worktree' && cwd !== state.projectPath;
  return { cwd, folder, ...(shares ? { project: state.projectPath } : {}) };
};

/** Runs the effect of a loop's event and reports its result. Safe to repeat after a crash. */
export async function runLoop(parts: Parts, run: LiveRun, event: LoopCall): Promise<void> {
  const loop = run.state.loops[event.activationId];
  if (loop === undefined) return;
  // A watched attempt needs no preparation: the watcher has already recorded the state.
  if (loop.watch !== null && event.type !== 'loop.attempt-ended') return;
  // It may have been deleted by hand while the loop waited for the operator.
  const folder = loop.watch === null ? await folderAgain(parts, run, workspaceOf(run.state, loop)) : ok(null);
  await parts.engine.report(run, [
    folder.ok ? await resultOf(parts, run, { loop, event }) : brokenLoop(event, folder.error),
  ]);
}

function resultOf(
  parts: Parts,
  run: LiveRun,
  { loop, event }: { loop: LoopState; event: LoopCall },
): Promise<RunEvent> {
  switch (event.type) {
    case 'loop.plan-requested':
      return readThePlan(parts, run, { loop, event });
    case 'loop.attempt-started':
      return prepare(parts, run, { loop, event });
    case 'loop.attempt-ended':
      return examine(parts, run, { loop, attemptId: event.attemptId });
  }
}

/** The result for a loop's effect that threw. */
export function brokenLoop(event: LoopCall, error: AppError): RunEvent {
  const { activationId } = event;
  switch (event.type) {
    case 'loop.plan-requested':
      return { type: 'loop.plan-refused', activationId, after: event.after, error };
    case 'loop.attempt-started':
      return { type: 'loop.attempt-prepared', activationId, attemptId: event.attemptId, before: null, error };
    case 'loop.attempt-ended':
      return { type: 'loop.attempt-examined', activationId, attemptId: event.attemptId, after: null, error };
  }
}

async function readThePlan(
  { loops }: Parts,
  { state }: LiveRun,
  { loop, event }: { loop: LoopState; event: RunEventOf<'loop.plan-requested'> },
): Promise<RunEvent> {
  const { activationId, after, branch } = event;
  const opened = await loops.open(placeOf(state, loop), {
    branchOf: (text) => {
      const plan = readPlan(text);
      return branch ?? (plan.state === 'read' ? plan.branchName : null);
    },
  });
  if (!opened.ok) return { type: 'loop.plan-refused', activationId, after, error: opened.error };
  const { text, archived } = opened.value;
  const plan = readPlan(text);
  return { type: 'loop.plan-read', activationId, after, plan, branch: opened.value.branch, archived };
}

async function prepare(
  { loops }: Parts,
  { state }: LiveRun,
  { loop, event }: { loop: LoopState; event: RunEventOf<'loop.attempt-started'> },
): Promise<RunEvent> {
  const { activationId, attemptId, iteration, retry } = event;
  const looked = await loops.prepare(placeOf(state, loop), { iteration, retry, branch: loop.branch });
  const prepared = { type: 'loop.attempt-prepared', activationId, attemptId } as const;
  if (!looked.ok) return { ...prepared, before: null, error: looked.error };
  const { text, ...facts } = looked.value;
  const before = { ...facts, plan: readPlan(text) };
  return { ...prepared, before, error: null };
}

async function examine(
  parts: Parts,
  run: LiveRun,
  { loop, attemptId }: { loop: LoopState; attemptId: number },
): Promise<RunEvent> {
  const { activationId } = loop;
  const nothing = (error: AppError | null): RunEvent => ({
    type: 'loop.attempt-examined',
    activationId,
    attemptId,
    after: null,
    error,
  });
  const attempt = loop.attempts.find(({ id }) => id === attemptId);
  if (attempt?.before == null) return nothing(attempt?.refused ?? null);
  const { iteration, before, mark } = attempt;
  const tally = new CodexTally();
  // The existing files belong to another attempt.
  const stale = loop.watch !== null && attempt.end?.how === 'failed';
  const looked = await parts.loops.examine(
    placeOf(run.state, loop),
    {
      iteration,
      before,
      mark,
      branch: loop.watch === null ? loop.branch : null,
      ...workedTo(run.state, attempt),
    },
    { logs: loop.watch === null ? logsOf(parts, run, attempt) : null, reader: stale ? noLines : tally },
  );
  if (!looked.ok) return nothing(looked.error);
  const {
    text,
    message,
    messageLag,
    commits,
    elsewhere = [],
    conflicts = [],
    untold,
    ...facts
  } = looked.value;
  const lost = stale || untold.includes('log');
  const codex = lost ? null : tally.result();
  // Codex writes both at the end of its turn, so an older file is an earlier attempt's message.
  const old = codex !== null && messageLag > MESSAGE_LAG_MS;
  const after: LoopAfter = {
    ...facts,
    commits: [...commits],
    ...(elsewhere.length === 0 ? {} : { elsewhere: [...elsewhere] }),
    ...(conflicts.length === 0 ? {} : { conflicts: [...conflicts] }),
    plan: text === undefined ? before.plan : readPlan(text),
    codex,
    message: lastMessage(run, attempt, {
      file: lost || old ? null : message,
      codexMessage: codex?.message ?? null,
    }),
    ...(untold.length === 0 ? {} : { untold: [...untold] }),
  };
  return { type: 'loop.attempt-examined', activationId, attemptId, after, error: null };
}

/** Only where a check ran, which may commit too. */
function workedTo({ turns }: RunState, { before, end }: AttemptState): Pick<AttemptPlace, 'worked'> {
  const turn = turns[end?.turnId ?? 0];
  if (end?.check === undefined || turn?.status !== 'completed') return {};
  // A turn has no commit of its own where HEAD is the same after it.
  return { worked: turn.commit ?? before?.head ?? null };
}

const noLines = { line: () => undefined };

/** Keeps the end of a message, which contains the claim. */
const MESSAGE_LIMIT = 64 * 1024;

/** The message file first (seed 004, FR-2), then the log's last message, then the turn's response. */
function lastMessage(
  run: Pick<LiveRun, 'plan' | 'state'>,
  { end }: AttemptState,
  { file, codexMessage }: { file: string | null; codexMessage: string | null },
): string {
  const turn = run.state.turns[end?.turnId ?? 0];
  const answered = turn === undefined ? '' : wholeResponse(run, turn);
  const found = [file, codexMessage, answered].find((text) => text !== null && text.trim() !== '') ?? '';
  // What it said before it was asked for its result.
  const before = Object.values(run.state.turns).findLast(
    (one) =>
      turn?.kind === 'reminder' &&
      one.id < turn.id &&
      one.sessionId === turn.sessionId &&
      one.status === 'completed',
  );
  const earlier = before === undefined ? '' : `${wholeResponse(run, before).trim()}\n\n`;
  return `${earlier}${found}`.slice(-MESSAGE_LIMIT);
}

function logsOf(
  { transcripts }: Parts,
  run: Pick<LiveRun, 'plan' | 'state'>,
  { id, end }: AttemptState,
): WorkerLogs {
  const { state } = run;
  const turnId = end?.turnId ?? null;
  const turn = state.turns[turnId ?? 0];
  return {
    message: turn === undefined ? '' : wholeResponse(run, turn),
    jsonl: () => {
      if (turn === undefined) return '';
      const items = transcripts.turn(state, { sessionId: turn.sessionId, turnId: turn.id });
      return items.map((item) => `${JSON.stringify({ attempt: id, item })}\n`).join('');
    },
  };
}
