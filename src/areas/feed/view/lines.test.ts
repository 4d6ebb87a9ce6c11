import { expect, test } from 'vitest';
import { formatUpdate } from '../contract/update';
import { storyTitle, updateLines } from './lines';

const text = formatUpdate({
  iteration: 2,
  of: 3,
  retry: 1,
  story: { id: 'US-003', title: 'Login: Result: ok' },
  storySource: 'prd',
  result: 'failed',
  commit: null,
  summary: ['First line.', 'Commit: this is the second line of the summary.'],
});

test('each line is cut into its label and its text', () => {
  expect(updateLines(text).slice(0, 5)).toEqual([
    { label: 'Iteration', text: '2/3 (retry 1)' },
    { label: 'Story:', text: 'US-003 - Login: Result: ok' },
    { label: 'Result:', text: 'failed' },
    { label: 'Commit:', text: 'none' },
    { label: 'Summary:', text: 'First line.' },
  ]);
});

test('the further lines of a summary are text, whatever they begin with', () => {
  const said = 'Commit: this is the second line of the summary.';
  expect(updateLines(text)[5]).toEqual({ label: null, text: `> ${said}` });
  // As in updates of earlier versions.
  expect(updateLines(text.replace('> ', ''))[5]).toEqual({ label: null, text: said });
});

test('the copied update is exactly what was sent', () => {
  const again = updateLines(text).map((line) =>
    line.label === null ? line.text : `${line.label} ${line.text}`,
  );
  expect(again.join('\n')).toBe(text);
});

test('a row names a story or a member with its id, and a step by its title alone', () => {
  expect(storyTitle('US-003 - Log in - again', 'loop')).toBe('US-003 - Log in - again');
  expect(storyTitle('dr-brac - Prompt engineers', 'team')).toBe('dr-brac - Prompt engineers');
  expect(storyTitle('build - Build the limiter', 'build')).toBe('Build the limiter');
  expect(storyTitle('check[1]/read - Read', 'check[1]/read')).toBe('Read');
  expect(storyTitle('no title', null)).toBe('no title');
});
