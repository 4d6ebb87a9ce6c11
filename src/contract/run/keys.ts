import { featureKeys, featureTimerWords } from '@features/contract';
import { type KeyIn, keyCodec, type TimerWords } from './key-codec';

const platformKeys = {
  /** The turn that met its provider's limit. */
  'turn.limit': ['number'],
  /** A failed step waits for its next attempt, which has this number. */
  'step.retry': ['number'],
  /** The step's time limit ends. Set again under the next number after the step waited for the operator. */
  'step.time-limit': ['number'],
} as const;

type PlatformTimer = 'turn.limit' | 'step.retry' | 'step.time-limit';

const keys = { ...platformKeys, ...featureKeys };
const codec = keyCodec(keys);

/** The durable key of a gate, a timer or a command within its activation. */
export type DurableKey = KeyIn<typeof keys>;
/** Timer keys need words for the operator; a kind without them is no timer. */
export type TimerKey = KeyIn<typeof keys, PlatformTimer | keyof typeof featureTimerWords>;

/** The stored form of a key. */
export const keyText = (key: DurableKey): string => codec.text(key);
/** The key in a stored text; null if this Muster does not know its kind. */
export const keyOf = (text: string): DurableKey | null => codec.read(text);

const platformWords: TimerWords<typeof platformKeys, PlatformTimer> = {
  'turn.limit': () => 'the provider’s limit ends and the turn is sent again',
  'step.retry': (attempt) => `the step is tried again (attempt ${attempt})`,
  'step.time-limit': () => 'the step’s time limit is up and the step is stopped',
};
const words = { ...platformWords, ...featureTimerWords };

/** What happens when the timer with this stored key fires, as a clause without a time. */
export function timerWords(purpose: string): string {
  const [kind, ...parts] = keyOf(purpose) ?? [];
  const clause = Object.entries(words).find(([name]) => name === kind)?.[1];
  if (clause === undefined) return 'Muster looks at the step again';
  // The codec parsed the parts with the types that the kind's words take.
  return (clause as (...parts: readonly unknown[]) => string)(...parts);
}
