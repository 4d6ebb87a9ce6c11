import { agentProfileSchema } from '@areas/agents/contract/profile';
import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { shownResults } from '@contract/run/results/shown-results';
import { expect, test } from 'vitest';
import { brokenActivations } from '../resume/broken-activations';
import { fakeProfile, Harness, task } from '../testing/harness';

const shell = (id: string) => ({ id, type: 'step.command', config: { script: id } });
const chain = (...ids: readonly string[]) =>
  ids.slice(1).map((to, at) => ({ from: `${ids[at]}.data_out`, to: `${to}.data_in` }));
const each = (steps: readonly object[], cables: readonly object[], for_each: object = {}) => ({
  id: 'all',
  type: 'step.workflow',
  config: { body: { steps, cables }, for_each: { items: ['a', 'b'], ...for_each } },
});
const coding = (id: string) => ({
  id,
  type: 'step.coding',
  config: { instruction: 'build', agents: [{ role: 'builder', acp_profile_id: 'fake' }] },
});

/** A gateway model cannot change any folder. */
const talker = agentProfileSchema.parse({
  kind: 'gateway',
  id: 'talker',
  name: 'Talker',
  api: 'openai',
  base_url: 'http://127.0.0.1:1/v1',
  model: 'm',
});

function folders(harness: Harness): Record<string, string | null> {
  const { activations, sessions, commands, workspaces } = harness.state();
  const path = (id: number | null) => (id === null ? null : (workspaces[id]?.path ?? null));
  return Object.fromEntries([
    ...Object.values(sessions).map((one) => [
      activations[one.activationIds[0] ?? 0]?.stepId,
      path(one.workspaceId),
    ]),
    ...Object.values(commands).map((one) => [activations[one.activationId]?.stepId, path(one.workspaceId)]),
  ]);
}

test('Each item that changes files works in a worktree of its own, and the steps behind in that of the run', async () => {
  const harness = new Harness();
  const steps = [task('look', { acp_profile_id: 'talker' }), task('do'), shell('check')];
  await harness.run(
    {
      steps: [each(steps, chain('look', 'do', 'check')), task('after')],
      cables: chain('all', 'after'),
    },
    { profiles: { fake: fakeProfile, talker } },
  );
  expect(folders(harness)).toEqual({
    'all[1]/look': null,
    'all[2]/look': null,
    after: null,
    'all[1]/do': '/work-all-1-1',
    'all[1]/check': '/work-all-1-1',
    'all[2]/do': '/work-all-2-2',
    'all[2]/check': '/work-all-2-2',
  });
  expect(harness.folders.branched.map(({ from }) => from)).toEqual(['/work', '/work']);
  expect(harness.state().outcome).toBe('succeeded');
});

test('The worktree of an item is a result of the run under the path of the item', async () => {
  const harness = new Harness();
  await harness.run({ steps: [each([task('do')], [])] });
  const state = harness.state();
  const result = {
    base: 'b',
    files: 1,
    uncommitted: 0,
    includedIn: null,
    note: null,
    unread: null,
    unsettled: null,
  };
  const results = [1, 2].map((workspaceId) => {
    const { path, branch } = state.workspaces[workspaceId] ?? {};
    return { ...result, workspaceId, path: path ?? '', branch: branch ?? null, commit: `c${workspaceId}` };
  });
  expect(shownResults({ ...state, results }).map(({ address, branch }) => [address, branch])).toEqual([
    ['all[1]', 'muster/all-1-1'],
    ['all[2]', 'muster/all-2-2'],
  ]);
});

test('With isolation: inherit, and in a run without worktrees, items share the folder of the step', async () => {
  const inherits = new Harness();
  await inherits.run({ steps: [each([task('do')], [], { isolation: 'inherit' })] });
  const plain = new Harness();
  await plain.run({ workspace: 'folder', steps: [each([task('do')], [])] }, { workspaceMode: 'folder' });
  for (const harness of [inherits, plain]) {
    expect(harness.folders.branched).toEqual([]);
    expect(folders(harness)).toEqual({ 'all[1]/do': null, 'all[2]/do': null });
  }
});

test('A coding step in an item branches from the folder of the item, and what follows it works in its own', async () => {
  const harness = new Harness();
  const steps = [shell('setup'), coding('make'), shell('check')];
  await harness.run({ steps: [each(steps, chain('setup', 'make', 'check'), { items: ['a'] })] });
  expect(harness.folders.branched).toEqual([
    { key: 'all-1-1', from: '/work' },
    { key: 'all-1-make-2', from: '/work-all-1-1' },
  ]);
  expect(folders(harness)['all[1]/check']).toBe('/work-all-1-make-2');
});

test('A worktree of an item that could not be made fails the item alone, and is asked for again by a resume', async () => {
  const harness = new Harness();
  harness.folders.refuse = (key) =>
    key === 'all-2-2' ? appError('workspace.failed', 'the disk is full') : null;
  await harness.run({ steps: [each([task('do')], [], { join: 'all_done' })] });
  const [, , second] = Object.values(harness.state().activations);
  expect(second).toMatchObject({
    stepId: 'all[2]/do',
    outcome: 'failed',
    error: { code: 'workspace.failed' },
  });
  expect(folders(harness)).toEqual({ 'all[1]/do': '/work-all-1-1' });
  harness.folders.refuse = () => null;
  await harness.restart();
  const activationIds = brokenActivations(harness.state());
  await harness.engine.command(1, () => ok([{ type: 'run.resumed', activationIds, by: 'test' }]));
  await harness.idle();
  expect(folders(harness)['all[2]/do']).toBe('/work-all-2-3');
});

const loop = (steps: readonly object[], cables: readonly object[]) => ({
  id: 'again',
  type: 'step.loop',
  config: { body: { steps, cables }, until: 'DONE', max_iterations: 3 },
});

test('A pass of a loop goes on in the folder where the pass before ended, and the step behind in that of the last one', async () => {
  const harness = new Harness();
  let turns = 0;
  harness.agents.answer = () => {
    turns += 1;
    return { response: turns < 3 ? 'more' : 'DONE' };
  };
  await harness.run({
    steps: [task('plan'), loop([shell('look'), coding('make')], chain('look', 'make')), shell('after')],
    cables: chain('plan', 'again', 'after'),
  });
  expect(harness.state().outcome).toBe('succeeded');
  expect(harness.folders.branched).toEqual([
    { key: 'again-1-make-1', from: '/work' },
    { key: 'again-2-make-2', from: '/work-again-1-make-1' },
  ]);
  expect(folders(harness)).toEqual({
    plan: null,
    'again[1]/look': null,
    'again[1]/make': '/work-again-1-make-1',
    'again[2]/look': '/work-again-1-make-1',
    'again[2]/make': '/work-again-2-make-2',
    after: '/work-again-2-make-2',
  });
});
