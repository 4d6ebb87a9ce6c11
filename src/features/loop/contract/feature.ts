import { defineFeature } from '@contract/run/feature';
import { loopAnnounced } from './announced';
import { loopEvents } from './events';
import { loopReducers, loopResumed } from './reduce';
import { looking } from './state';

/** Loops, as the contract of runs knows them. */
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
  takesHint: ({ watch }) => watch === null,
  moved(event, home) {
    if (event.type !== 'loop.attempt-ended') return event;
    const { check } = event.end;
    if (check?.outputPath == null) return event;
    return { ...event, end: { ...event.end, check: { ...check, outputPath: home(check.outputPath) } } };
  },
});
