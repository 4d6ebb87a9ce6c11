import { type AttemptState, type LoopState, type LoopWatch, runnerOf } from '../../loop/state';
import { unreachable } from '../../result';
import type { RunEvent } from '../events';
import type { RunState } from '../state';

export type LoopEvent = Extract<RunEvent, { type: `loop.${string}` }>;

export function applyLoop(state: RunState, event: LoopEvent, at: number): void {
  const loop = state.loops[event.activationId] ?? blank(event.activationId, at);
  state.loops[event.activationId] = { ...loop, ...change(loop, event, at) };
}

const UNSEEN: LoopWatch = { pid: null, seen: null, past: null, before: null, ended: null };

const blank = (activationId: number, startedAt: number): LoopState => ({
  activationId,
  folder: '.',
  wantedBranch: null,
  branch: null,
  of: 1,
  step: 1,
  reading: null,
  plan: { state: 'none' },
  attempts: [],
  skipped: [],
  pauseRequested: false,
  resumedAfter: 0,
  watch: null,
  archived: [],
  startedAt,
});

function change(loop: LoopState, event: LoopEvent, at: number): Partial<LoopState> {
  switch (event.type) {
    case 'loop.plan-requested': {
      const { after, folder, branch, of } = event;
      const first = loop.reading === null && loop.resumedAfter === 0;
      return {
        ...{ folder, wantedBranch: branch, of, step: first ? of : loop.step, pauseRequested: false },
        reading: { after, status: 'requested', error: null },
      };
    }
    case 'loop.plan-read':
      return {
        ...{ plan: event.plan, branch: event.branch },
        archived: event.archived === null ? loop.archived : [...loop.archived, event.archived],
        reading: { after: event.after, status: 'read', error: null },
      };
    case 'loop.plan-refused':
      return { reading: { after: event.after, status: 'refused', error: event.error } };
    case 'loop.story-skipped':
      return { skipped: [...loop.skipped.filter((id) => id !== event.storyId), event.storyId] };
    case 'loop.watch-started': {
      const { folder, of, pid } = event;
      const reading = { after: 0, status: 'read', error: null } as const;
      return { folder, of, step: of, reading, watch: { ...UNSEEN, pid } };
    }
    case 'loop.watch-ended':
      return { watch: { ...(loop.watch ?? UNSEEN), ended: event.why }, plan: event.plan };
    case 'loop.watch-noted':
      return {
        watch: { ...(loop.watch ?? UNSEEN), past: event.past, before: event.before ?? null },
      };
    case 'loop.watch-observed': {
      const watch = { ...(loop.watch ?? UNSEEN), seen: event.seen };
      return { watch, of: runnerOf(watch)?.iterations ?? loop.of, plan: event.plan ?? loop.plan };
    }
    case 'loop.pause-requested':
      return { pauseRequested: true };
    case 'loop.attempt-started': {
      const { type: _, activationId: __, attemptId: id, mark = null, ...facts } = event;
      const nothing = { before: null, refused: null, end: null, endedAt: null, after: null, judged: null };
      return { attempts: [...loop.attempts, { id, ...facts, mark, startedAt: at, ...nothing }] };
    }
    default:
      return changeAttempt(loop, event, at);
  }
}

type OfAttempt = Exclude<Extract<LoopEvent, { attemptId: number }>, { type: 'loop.attempt-started' }>;

function changeAttempt(loop: LoopState, event: OfAttempt, at: number): Partial<LoopState> {
  const changed = attemptChange(event, at);
  const attempts = loop.attempts.map((attempt) =>
    attempt.id === event.attemptId ? { ...attempt, ...changed } : attempt,
  );
  const seen = event.type === 'loop.attempt-examined' ? event.after?.plan : undefined;
  return { attempts, ...(seen === undefined ? {} : { plan: seen }) };
}

function attemptChange(event: OfAttempt, at: number): Partial<AttemptState> {
  switch (event.type) {
    case 'loop.attempt-prepared':
      return { before: event.before };
    case 'loop.attempt-refused':
      return { refused: event.error };
    case 'loop.attempt-ended':
      return { end: event.end, endedAt: at };
    case 'loop.attempt-examined':
      return { after: event.after };
    case 'loop.attempt-judged': {
      const { type: _, activationId: __, attemptId: ___, ...judged } = event;
      return { judged };
    }
    default:
      return unreachable(event);
  }
}

/** The operator takes a loop up again: the plan is read anew, and a loop that was at its limit may go on as long again. */
export function loopResumed(state: RunState, activationId: number, text?: string): void {
  const loop = state.loops[activationId];
  if (loop === undefined) return;
  const { resumeText: _, ...kept } = loop;
  const last = loop.attempts.at(-1);
  const spent = last !== undefined && last.iteration >= loop.of;
  state.loops[activationId] = {
    ...kept,
    of: spent ? loop.of + loop.step : loop.of,
    reading: null,
    resumedAfter: loop.attempts.length,
    ...(text === undefined ? {} : { resumeText: text }),
  };
}
