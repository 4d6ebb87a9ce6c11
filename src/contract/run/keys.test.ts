import { featureKeys } from '@features/contract';
import { teamKey } from '@features/team/contract/keys';
import { idleKey } from '@features/team/contract/status';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { double } from '../testing/double';
import { unchecked } from '../testing/unchecked';
import { type DurableKey, keyOf, keyText, timerWords } from './keys';
import { limitPurpose } from './status';

type Rounds = Parameters<typeof idleKey>[0]['rounds'];
const rounds: Rounds = [double<Rounds[number]>({}), double<Rounds[number]>({})];

test.each<[string, string]>([
  [limitPurpose(1), 'the provider’s limit ends and the turn is sent again'],
  ['step-limit:2', 'the step’s time limit is up and the step is stopped'],
  [teamKey.text(idleKey({ name: 'ana', rounds })), 'ana is parked unless round 2 is answered'],
  ['before idle ana 2', 'a reminder says that round 2 of ana waits for an answer'],
  ['stall dr-brac 7 1', 'Muster checks whether dr-brac still shows a sign of life'],
  ['stall lead 7 12', 'Muster checks whether the lead still shows a sign of life'],
  ['round ana 3', 'you are told if ana is still working on round 3'],
  ['round ana 3 after turn 9', 'you are told if ana is still working on round 3'],
  ['round lead 5', 'you are told if the lead is still working on its turn'],
  ['round lead 5 after turn 9', 'you are told if the lead is still working on its turn'],
  ['rest 16', 'you are asked whether the team should end, if nothing happens before'],
  ['time limit 0 0', 'the loop’s time limit is up and you are asked whether to continue'],
  ['attempt 3', 'the attempt is stopped if it is still running'],
  ['attempt 3 after turn 4', 'the attempt is stopped if it is still running'],
  ['attempt 3 after gate 2', 'the attempt is stopped if it is still running'],
  ['attempt 3 after turn 4 after gate 2', 'the attempt is stopped if it is still running'],
])('the timer "%s" is shown as a sentence without its key', (purpose, sentence) => {
  expect(timerWords(purpose)).toBe(sentence);
});

test('a purpose of another version of Muster is not shown as its key', () => {
  expect(timerWords('someday x:1')).toBe('Muster looks at the step again');
});

test.each<[string, DurableKey]>([
  ['limit:12', ['turn.limit', 12]],
  ['idle ana 2', ['team.idle', 'ana', 2]],
  ['before idle ana 2', ['team.before-idle', 'ana', 2]],
  ['stall ana 7 1', ['team.stall', 'ana', 7, 1]],
  ['round ana 3', ['team.round', 'ana', 3, null]],
  ['round lead 3 after turn 9', ['team.round', 'lead', 3, 9]],
  ['rest 16', ['team.rest', 16]],
  ['rest', ['team.at-rest']],
  ['failed lead 0', ['team.lead-failed', 0, null]],
  ['failed lead 7 2', ['team.lead-failed', 7, 2]],
  ['failed ana 1795423623780', ['team.failed', 'ana', 1795423623780]],
  ['rounds ana 50', ['team.rounds-allowed', 'ana', 50]],
  ['pace lead 30', ['team.messages-allowed', 'lead', 30]],
  ['wrote ana 4', ['team.wrote', 'ana', 4]],
  ['plan ana 1', ['team.plan', 'ana', 1]],
  ['stalled lead 4', ['team.stalled', 'lead', 4]],
  ['long ana 4', ['team.takes-long', 'ana', 4]],
  ['silent-again ana 4', ['team.silent-again', 'ana', 4]],
  ['merge 1', ['team.merge', 1, null]],
  ['merge 1 2', ['team.merge', 1, 2]],
  ['merge declined 1 0', ['team.merge-told', 'declined', 1, 0]],
  ['unread ana 9', ['team.unread', 'ana', 9]],
  ['time limit 2 0', ['loop.time-limit', 2, 0]],
  ['attempt 3', ['loop.attempt-limit', 3, null, null]],
  ['attempt 3 after turn 7', ['loop.attempt-limit', 3, 7, null]],
  ['attempt 3 after gate 2', ['loop.attempt-limit', 3, null, 2]],
  ['attempt 3 after turn 7 after gate 2', ['loop.attempt-limit', 3, 7, 2]],
  ['after attempt 3', ['loop.after-attempt', 3]],
  ['failed 2', ['loop.failed-twice', 2]],
  ['check 2', ['loop.check', 2]],
])('the stored key "%s" is read as its tuple and written as it was', (stored, key) => {
  expect(keyOf(stored)).toEqual(key);
  expect(keyText(key)).toBe(stored);
});

/** Possible member names: also digits, and words that occur in keys. */
const names = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,20}[A-Za-z0-9])?$/).filter((name) => name !== 'lead'),
  fc.constantFrom('after', 'turn', 'idle', 'merge', 'failed', '1', '42'),
);
const numbers = fc.nat(Number.MAX_SAFE_INTEGER);
const values = { name: names, number: numbers, 'number?': fc.option(numbers) };
const keys = fc.oneof(
  ...Object.entries(featureKeys).map(([kind, { parts }]) =>
    fc.tuple(...parts.map((part) => values[part])).map((made) => unchecked<DurableKey>([kind, ...made])),
  ),
);

/** Statuses of merges never consist of digits only. */
const isPossible = (key: DurableKey): boolean => key[0] !== 'team.merge-told' || !/^\d+$/.test(key[1]);

test('every key is read back from its stored form, and no two keys have the same', () => {
  fc.assert(
    fc.property(keys.filter(isPossible), keys.filter(isPossible), (key, other) => {
      expect(keyOf(keyText(key))).toEqual(key);
      expect(keyText(key) === keyText(other)).toBe(JSON.stringify(key) === JSON.stringify(other));
    }),
  );
});
