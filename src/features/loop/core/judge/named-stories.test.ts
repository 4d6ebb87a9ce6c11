import { expect, test } from 'vitest';
import { storyInProgress, storyInSubjects } from './named-stories';

test.each([
  ['feat: [US-001] - Add login', { id: 'US-001', title: 'Add login' }],
  ['feat(ui): US-12: Show the list', { id: 'US-12', title: 'Show the list' }],
  ['fix!: US-3 – Round down', { id: 'US-3', title: 'Round down' }],
  ['[ABC-7] Title', { id: 'ABC-7', title: 'Title' }],
  ['US-004', { id: 'US-004', title: null }],
  ['fix: UTF-8 - decode names', null],
  ['Read files as UTF-8', null],
  ['chore: bump lodash (CVE-2026)', null],
  ['feat: support US-style dates', null],
] as const)('a commit names its story in its subject: %s', (subject, story) => {
  expect(storyInSubjects([subject])).toEqual(story);
});

test('progress.txt names the story in the last heading that was appended', () => {
  expect(
    storyInProgress('## 2026-01-30 - US-001\n- did it\n---\n## 2026-01-31 - US-002\n- mind US-003\n'),
  ).toEqual({
    id: 'US-002',
    title: null,
  });
  expect(storyInProgress('- mind US-003\n')).toBeNull();
});
