import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { runEnvironment } from './run-variables';

const environment = (workspaceMode: RunState['workspaceMode'], hooks?: 'as-configured' | 'never') =>
  runEnvironment(
    double<RunState>({
      artifactsDir: '/artifacts',
      uid: 'U',
      workspaceMode,
      projectSettings: hooks === undefined ? undefined : { hooks },
    }),
  );

test('git runs no hooks for agents and commands in the worktrees of a project that never wants them', () => {
  expect(environment('worktree', 'never')).toMatchObject({
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: '/dev/null',
  });
});

test.each<[RunState['workspaceMode'], 'as-configured' | 'never' | undefined]>([
  ['worktree', undefined],
  ['worktree', 'as-configured'],
  ['project', 'never'],
])('hooks stay as git is configured in a %s with hooks: %s', (mode, hooks) => {
  expect(Object.keys(environment(mode, hooks))).toEqual(['ARTIFACTS_DIR', 'WORKFLOW_ID']);
});
