import { expect, test } from 'vitest';
import { idlePurpose } from '../team/status';
import { limitPurpose } from './status';
import { type TimerPurpose, timerWords } from './timer-purpose';

const rounds = [{}, {}] as unknown as Parameters<typeof idlePurpose>[0]['rounds'];

test.each<[TimerPurpose, string]>([
  [limitPurpose(1), "the provider's limit ends and the turn is sent again"],
  [idlePurpose({ name: 'ana', rounds }), 'ana is parked unless round 2 is answered'],
  ['before idle ana 2', 'a reminder says that round 2 of ana waits for an answer'],
  ['stall dr-brac 7 1', 'Muster checks whether dr-brac still shows a sign of life'],
  ['stall lead 7 12', 'Muster checks whether the lead still shows a sign of life'],
  ['round ana 3', 'you are told if ana is still working on round 3'],
  ['round ana 3 after turn 9', 'you are told if ana is still working on round 3'],
  ['round lead 5', 'you are told if the lead is still working on its turn'],
  ['round lead 5 after turn 9', 'you are told if the lead is still working on its turn'],
  ['rest 16', 'you are asked whether the team should end, if nothing happens before'],
  ['time limit 0 0', "the loop's time limit ends and you are asked whether it goes on"],
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
