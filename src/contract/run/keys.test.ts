import { featureKeys } from '@features/contract';
import { idleKey } from '@features/team/contract/status';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { double } from '../testing/double';
import { unchecked } from '../testing/unchecked';
import { type DurableKey, keyOf, keyText, type TimerKey, timerWords } from './keys';

type Rounds = Parameters<typeof idleKey>[0]['rounds'];
const rounds: Rounds = [double<Rounds[number]>({}), double<Rounds[number]>({})];

test.each<[TimerKey, string]>([
  [['turn.limit', 1], 'the provider’s limit ends and the turn is sent again'],
  [idleKey({ name: 'ana', rounds }), 'ana is parked unless round 2 is answered'],
  [['step.time-limit', 2], 'the step’s time limit is up and the step is stopped'],
  [['team.before-idle', 'ana', 2], 'a reminder says that round 2 of ana waits for an answer'],
  [['team.stall', 'dr-brac', 7, 1], 'Muster checks whether dr-brac still shows a sign of life'],
  [['team.stall', 'lead', 7, 12], 'Muster checks whether the lead still shows a sign of life'],
  [['team.round', 'ana', 3, null], 'you are told if ana is still working on round 3'],
  [['team.round', 'ana', 3, 9], 'you are told if ana is still working on round 3'],
  [['team.round', 'lead', 5, null], 'you are told if the lead is still working on its turn'],
  [['team.round', 'lead', 5, 9], 'you are told if the lead is still working on its turn'],
  [['team.rest', 16], 'you are asked whether the team should end, if nothing happens before'],
  [['loop.time-limit', 0, 0], 'the loop’s time limit is up and you are asked whether to continue'],
  [['loop.attempt-limit', 3, null, null], 'the attempt is stopped if it is still running'],
  [['loop.attempt-limit', 3, 4, null], 'the attempt is stopped if it is still running'],
  [['loop.attempt-limit', 3, null, 2], 'the attempt is stopped if it is still running'],
  [['loop.attempt-limit', 3, 4, 2], 'the attempt is stopped if it is still running'],
])('the timer %j is shown as a sentence without its key', (key, sentence) => {
  expect(timerWords(keyText(key))).toBe(sentence);
});

test('a purpose that is no known key is not shown', () => {
  for (const purpose of ['someday x:1', '["someday",1]', '["team.rest"]', '["team.rest","x"]', '7'])
    expect(timerWords(purpose)).toBe('Muster looks at the step again');
});

/** Possible member names: also digits, and words that occur in keys. */
const names = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,20}[A-Za-z0-9])?$/).filter((name) => name !== 'lead'),
  fc.constantFrom('after', 'turn', 'idle', 'merge', 'failed', '1', '42'),
);
const numbers = fc.nat(Number.MAX_SAFE_INTEGER);
const values = { name: names, number: numbers, 'number?': fc.option(numbers) };
const keys = fc.oneof(
  ...Object.entries(featureKeys).map(([kind, parts]) =>
    fc.tuple(...parts.map((part) => values[part])).map((made) => unchecked<DurableKey>([kind, ...made])),
  ),
);

test('every key is read back from its stored form, and no two keys have the same', () => {
  fc.assert(
    fc.property(keys, keys, (key, other) => {
      expect(keyOf(keyText(key))).toEqual(key);
      expect(keyText(key) === keyText(other)).toBe(JSON.stringify(key) === JSON.stringify(other));
    }),
  );
});
