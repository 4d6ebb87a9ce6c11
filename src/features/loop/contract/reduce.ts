import type { LocalId } from '@contract/ids';
import type { OfType, Reducer, Reducers } from '@contract/run/event-table';
import type { PlatformEventOf } from '@contract/run/platform-events';
import type { LoopEvent } from './events';
import { type AttemptState, type LoopState, type LoopWatch, runnerOf } from './state';

/** A run's loops, by activation. */
type Loops = Record<LocalId, LoopState>;

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

/** Changes the entry of the event's loop. */
const changing =
  <E extends LoopEvent>(
    change: (loop: LoopState, event: E, at: number) => Partial<LoopState>,
  ): Reducer<Loops, E> =>
  (loops, event, at) => {
    const { activationId } = event;
    const loop = loops[activationId] ?? blank(activationId, at);
    loops[activationId] = { ...loop, ...change(loop, event, at) };
  };

/** Changes the event's attempt. */
const changingAttempt = <E extends Extract<LoopEvent, { attemptId: number }>>(
  change: (event: E, at: number) => Partial<AttemptState>,
): Reducer<Loops, E> =>
  changing<E>((loop, event, at) => ({ attempts: attemptsWith(loop, event.attemptId, change(event, at)) }));

const attemptsWith = (
  { attempts }: LoopState,
  attemptId: number,
  changed: Partial<AttemptState>,
): AttemptState[] =>
  attempts.map((attempt) => (attempt.id === attemptId ? { ...attempt, ...changed } : attempt));

export const loopReducers: Reducers<Loops, LoopEvent> = {
  'loop.plan-requested': changing((loop, { after, folder, branch, of }) => {
    const first = loop.reading === null && loop.resumedAfter === 0;
    return {
      folder,
      wantedBranch: branch,
      of,
      step: first ? of : loop.step,
      pauseRequested: false,
      reading: { after, status: 'requested', error: null },
    };
  }),
  'loop.plan-read': changing((loop, { plan, branch, archived, after }) => ({
    plan,
    branch,
    archived: archived === null ? loop.archived : [...loop.archived, archived],
    reading: { after, status: 'read', error: null },
  })),
  'loop.plan-refused': changing((_, { after, error }) => ({
    reading: { after, status: 'refused', error },
  })),
  'loop.story-skipped': changing(({ skipped }, { storyId }) => ({
    skipped: [...skipped.filter((id) => id !== storyId), storyId],
  })),
  'loop.watch-started': changing((_, { folder, of, pid }) => ({
    folder,
    of,
    step: of,
    reading: { after: 0, status: 'read', error: null },
    watch: { ...UNSEEN, pid },
  })),
  'loop.watch-ended': changing((loop, { why, plan }) => ({
    watch: { ...(loop.watch ?? UNSEEN), ended: why },
    plan,
  })),
  'loop.watch-noted': changing((loop, { past, before = null }) => ({
    watch: { ...(loop.watch ?? UNSEEN), past, before },
  })),
  'loop.watch-observed': changing((loop, { seen, plan }) => {
    const watch = { ...(loop.watch ?? UNSEEN), seen };
    return { watch, of: runnerOf(watch)?.iterations ?? loop.of, plan: plan ?? loop.plan };
  }),
  'loop.pause-requested': changing(() => ({ pauseRequested: true })),
  'loop.attempt-started': changing((loop, event, at) => {
    const { type: _, activationId: __, attemptId: id, mark = null, ...facts } = event;
    const nothing = { before: null, refused: null, end: null, endedAt: null, after: null, judged: null };
    return { attempts: [...loop.attempts, { id, ...facts, mark, startedAt: at, ...nothing }] };
  }),
  'loop.attempt-prepared': changingAttempt(({ before, error }) => ({ before, refused: error })),
  'loop.attempt-ended': changingAttempt(({ end }, at) => ({ end, endedAt: at })),
  'loop.attempt-examined': changing((loop, { attemptId, after }) => ({
    attempts: attemptsWith(loop, attemptId, { after }),
    ...(after === null ? {} : { plan: after.plan }),
  })),
  'loop.attempt-judged': changingAttempt(judged),
};

function judged(event: OfType<LoopEvent, 'loop.attempt-judged'>): Partial<AttemptState> {
  const { type: _, activationId: __, attemptId: ___, ...verdict } = event;
  return { judged: verdict };
}

/** The operator resumes a loop: the plan is read again, and a loop at its limit gets the same limit again. */
export function loopResumed(loops: Loops, { activationIds, text }: PlatformEventOf<'run.resumed'>): void {
  for (const activationId of activationIds) {
    const loop = loops[activationId];
    if (loop === undefined) continue;
    const { resumeText: _, ...kept } = loop;
    const last = loop.attempts.at(-1);
    const spent = last !== undefined && last.iteration >= loop.of;
    loops[activationId] = {
      ...kept,
      of: spent ? loop.of + loop.step : loop.of,
      reading: null,
      resumedAfter: loop.attempts.length,
      ...(text === undefined ? {} : { resumeText: text }),
    };
  }
}
