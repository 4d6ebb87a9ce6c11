import { defineFeature, type Piece, worksIf } from '@contract/run/features/feature';
import { loopAnnounced } from './announced';
import { type LoopEvent, loopEvents } from './events';
import { loopReducers, loopResumed } from './reduce';
import { attemptIn, attemptLane, looking } from './state';

/** The story given to an attempt; later the one that its evidence names. */
function storyIn(event: LoopEvent): Piece | null {
  if (event.type === 'loop.attempt-started') {
    const { attemptId, story } = event;
    const [name, title] = [story?.id ?? 'unknown', story?.title ?? null];
    return { key: attemptLane(attemptId), kind: 'story', name, title, accepted: false };
  }
  if (event.type !== 'loop.attempt-judged') return null;
  const { attemptId, storyId, storyTitle: title, result } = event;
  const accepted = result === 'completed';
  return { key: attemptLane(attemptId), kind: 'story', name: storyId ?? 'unknown', title, accepted };
}

/** The contract of loops. */
export const loopFeature = defineFeature({
  slice: 'loops',
  events: loopEvents,
  reducers: loopReducers,
  follows: { 'run.resumed': loopResumed },
  progress: (_, loop) => worksIf(looking(loop) || (loop.watch !== null && loop.watch.ended === null)),
  /** A worker gets no more prompts once its attempt has ended. */
  lane: (loop, lane) => ({ stopped: (attemptIn(loop, lane)?.end ?? null) !== null }),
  announced: loopAnnounced,
  pieceOf: (loop, { lane }) => (attemptIn(loop, lane ?? '') === undefined ? null : lane),
  pieceIn: (_, event) => storyIn(event),
  takesHint: ({ watch }) => watch === null,
  moved(event, home) {
    if (event.type !== 'loop.attempt-ended') return event;
    const { check } = event.end;
    if (check?.outputPath == null) return event;
    return { ...event, end: { ...event.end, check: { ...check, outputPath: home(check.outputPath) } } };
  },
});
