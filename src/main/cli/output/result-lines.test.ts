import type { ShownResult } from '@contract/run/results/results';
import { returnedBy } from '@contract/run/results/returned-output';
import type { RunState } from '@contract/run/state';
import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { resultLines, returnedLines } from './result-lines';
import { styleFor } from './style';

const telling = { style: styleFor({}, {}), again: () => '' };

const ended = (more: Partial<RunState>): RunState =>
  ({ status: 'finished', workspaceMode: 'worktree', workspace: null, workspaces: {}, ...more }) as RunState;

test('A run whose folders are not on this machine says so, and one that made none says nothing', () => {
  const workspace = { path: '/elsewhere/w', branch: 'muster/w', baseCommit: 'c' };
  const lines = (state: RunState) => resultLines(1, { state, results: [], trouble: null }, telling);
  expect(lines(ended({ workspace, projectPath: '/project' }))).toContain(
    '  Its folders and branches are not on this machine, or its project is no longer in /project.',
  );
  expect(lines(ended({}))).toEqual([]);
  expect(lines(ended({ workspace, status: 'running' }))).toEqual([]);
});

test('A run whose returning step was skipped says that it returns nothing, and why', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'no' });
  const send = task('send', {}, { when: "$check.output == 'yes'" });
  const cables = [{ from: 'check.data_out', to: 'send.data_in' }];
  await harness.run({ returns: 'send', steps: [task('check'), send], cables });
  const state = harness.state();
  expect(returnedBy(state)).toBeNull();
  expect(returnedLines(null, state, styleFor({}, {}))).toEqual([
    ...['', 'Returns nothing'],
    "  The step send was skipped: its condition is false: $check.output == 'yes'",
  ]);
});

test('A run that failed, or whose workflow returns nothing, says no more of a result', async () => {
  for (const definition of [{ returns: 'a' }, {}]) {
    const harness = new Harness();
    harness.agents.answer = () => ('returns' in definition ? { outcome: 'failed' } : { response: 'ok' });
    await harness.run({ ...definition, steps: [task('a')] });
    const state = harness.state();
    expect(state.status).toBe('finished');
    expect(returnedBy(state)).toBeNull();
    expect(returnedLines(null, state, styleFor({}, {}))).toEqual([]);
  }
});

test('A result says how many of its files Muster committed for the agents', () => {
  const shown: ShownResult = {
    workspaceId: null,
    base: 'a',
    includedIn: null,
    stepId: null,
    agent: null,
    path: '/w',
    branch: 'b',
    commit: 'c',
    files: 1,
    uncommitted: 1,
    note: null,
    unread: null,
    unsettled: null,
    address: null,
    state: 'applied',
    applied: null,
  };
  expect(resultLines(1, { state: ended({}), results: [shown], trouble: null }, telling)).toContain(
    '  changed 1 file; Muster committed 1 file that the agents had left uncommitted',
  );
});
