import { defineFeature, type Piece } from '@contract/run/features/feature';
import { loopAnnounced } from './announced';
import { type LoopEvent, loopEvents } from './events';
import { loopReducers, loopResumed } from './reduce';
import { attemptLane, looking } from './state';

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
  works: (loop) => looking(loop) || (loop.watch !== null && loop.watch.ended === null),
  rests: () => false,
  stoppedLanes: () => [],
  resumedLanes: [],
  announced: loopAnnounced,
  pieceOf: ({ attempts }, { lane }) => (attempts.some(({ id }) => attemptLane(id) === lane) ? lane : null),
  pieceIn: (_, event) => storyIn(event),
  takesHint: ({ watch }) => watch === null,
  moved(event, home) {
    if (event.type !== 'loop.attempt-ended') return event;
    const { check } = event.end;
    if (check?.outputPath == null) return event;
    return { ...event, end: { ...event.end, check: { ...check, outputPath: home(check.outputPath) } } };
  },
});
