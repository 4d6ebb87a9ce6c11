import { expect, test } from 'vitest';
import { worktreeSetup } from './project-settings';

test('a workflow sets its worktrees up itself where it says how, else as the project does', () => {
  const project = { worktree: { copy: ['.env'], setup: 'npm ci', teardown: 'down', submodules: false } };
  expect(worktreeSetup(project, undefined)).toEqual(project.worktree);
  expect(worktreeSetup(project, { copy: ['keys/**', '.env'], setup: 'make' })).toEqual({
    ...project.worktree,
    copy: ['.env', 'keys/**'],
    setup: 'make',
  });
});

test('without any settings nothing is copied or run, and submodules are filled', () => {
  const none = { copy: [], setup: null, teardown: null, submodules: true };
  expect(worktreeSetup(undefined, undefined)).toEqual(none);
});
