import { describe, expect, test } from 'vitest';
import { readRelease } from '../contract/messages/release';
import { readTaskResult } from './messages/task-result';

const members = ['S1', 'dr-brac', 'S2-assembly'];
const read = (text: string, to: string | null = null) =>
  readRelease(text, { members, to }).map(({ member, how, sure }) => `${member} ${how}${sure ? '' : '?'}`);

describe('the words that release a member (SPEC "Teams")', () => {
  test.each([
    ["I'm satisfied with S1", ['S1 satisfied']],
    ["Perfect. I'm satisfied with S1.", ['S1 satisfied']],
    ['i am SATISFIED with dr-brac!', ['dr-brac satisfied']],
    ['I’m satisfied with S2-assembly', ['S2-assembly satisfied']],
    ['shut down dr-brac', ['dr-brac shutdown']],
    ['Please shut down @S1', ['S1 shutdown']],
    ["I'm satisfied with S1. Shut down dr-brac.", ['S1 satisfied', 'dr-brac shutdown']],
    ["I'm not satisfied with S1", ['S1 satisfied?']],
    ["I'll be satisfied with S1 when it is blue", ['S1 satisfied?']],
    ["don't shut down S1", ['S1 shutdown?']],
    ["I'm satisfied with S1 but make it blue", ['S1 satisfied?']],
    ['S1: add more terminology', []],
    ["I'm satisfied with nobody", []],
    ['The user was satisfied with the S1-like style', []],
  ])('the text "%s" releases a member, or not', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ["I'm satisfied", ['S1 satisfied']],
    ["You're done.", ['S1 satisfied']],
    ['Great, you are done!', ['S1 satisfied']],
    ["you're not done", []],
    ["when you're done, tell me", ['S1 satisfied?']],
    ['go on', []],
  ])('the text "%s" to a member itself releases it, or not', (text, expected) => {
    expect(read(text, 'S1')).toEqual(expected);
  });
});

test('words without a name ask about the only member that they can mean, and about none where there are several', () => {
  const ask = (only: string | null) =>
    readRelease("I'm satisfied with this one", { members, to: null, only });
  expect(ask('S1')).toEqual([{ member: 'S1', how: 'satisfied', sure: false }]);
  expect(ask(null)).toEqual([]);
});

describe('<task-result>', () => {
  test.each([
    ['<task-result>draft</task-result>', 'none', 'draft'],
    ['<task-result status="completed">Final draft</task-result>', 'completed', 'Final draft'],
    ["words <task-result status='In Progress'>\nx\n</task-result> after", 'in_progress', 'x'],
    ['<task-result>one</task-result> then <task-result>two</task-result>', 'none', 'two'],
    ['<task-result status="splendid">x', 'none', 'x'],
    ['no tags at all', 'none', 'no tags at all'],
  ])('the task result is read from "%s"', (response, claim, text) => {
    expect(readTaskResult(response)).toEqual({ claim, text });
  });
});
