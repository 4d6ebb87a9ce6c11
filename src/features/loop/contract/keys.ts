import { type KeyIn, keyCodec, type TimerWords } from '@contract/run/key-codec';

/** The durable keys of loops. */
export const loopKeys = {
  /** Parts: the attempt after which the plan was read, and the one after which the operator resumed. */
  'loop.time-limit': ['number', 'number'],
  /** Restarts after a turn that had to wait for its provider, and after a gate that the operator answered. */
  'loop.attempt-limit': ['number', 'number?', 'number?'],
  'loop.after-attempt': ['number'],
  'loop.failed-twice': ['number'],
  /** The project's check after an attempt. */
  'loop.check': ['number'],
} as const;
export type LoopKey = KeyIn<typeof loopKeys>;

export const loopKey = keyCodec(loopKeys);

export const loopTimerWords: TimerWords<typeof loopKeys, 'loop.time-limit' | 'loop.attempt-limit'> = {
  'loop.time-limit': () => 'the loop’s time limit is up and you are asked whether to continue',
  'loop.attempt-limit': () => 'the attempt is stopped if it is still running',
};
