import { expect, test } from 'vitest';
import { loopRows } from '../contract/summary';
import { LoopHarness, passed, prompts } from './testing/loop';

const facts = { runId: 1, runUid: 'U', runName: 'w', projectName: 'p' } as const;
const ralph = {
  id: 'stories',
  type: 'step.ralph',
  title: 'The stories',
  config: { worker: { acp_profile_id: 'fake' }, iterations: 5 },
};

test('A loop over a backlog runs in the body of a step and is listed with its attempts', async () => {
  const harness = new LoopHarness(['US-001', 'US-002']);
  harness.deeds = [passed('US-001'), passed('US-002')];
  const call = { id: 'call', type: 'step.workflow', config: { body: { steps: [ralph] } } };
  await harness.run({ steps: [call] }, { prompts });
  const state = harness.state();
  expect(state).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(harness.results()).toEqual(['1 completed US-001', '2 completed US-002']);
  expect(loopRows(state, facts)).toMatchObject([{ stepId: 'call/stories', title: 'The stories' }]);
});

test('A loop in an item has the worktree of the item before it reads its plan', async () => {
  const harness = new LoopHarness(['US-001']);
  harness.deeds = [passed('US-001')];
  const config = { for_each: { items: ['a'] }, body: { steps: [ralph] } };
  await harness.run(
    { workspace: 'worktree', steps: [{ id: 'each', type: 'step.workflow', config }] },
    { prompts },
  );
  const types = harness.events().map(({ type }) => type);
  expect(types.indexOf('workspace.ready')).toBeGreaterThan(0);
  expect(types.indexOf('workspace.ready')).toBeLessThan(types.indexOf('loop.plan-requested'));
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('A core that is killed in an attempt of a loop in a body goes on with that loop', async () => {
  const harness = new LoopHarness(['US-001']);
  harness.deeds = [{ hang: true }];
  const call = { id: 'call', type: 'step.workflow', config: { body: { steps: [ralph] } } };
  await harness.run({ steps: [call] }, { prompts });
  harness.deeds = [passed('US-001')];
  await harness.restart();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(harness.results().at(-1)).toContain('completed US-001');
});

/** Two items, each with a branch expanded from this reference. */
async function branches(branch: string): Promise<LoopHarness> {
  const harness = new LoopHarness(['US-001']);
  harness.deeds = [passed('US-001')];
  const own = { ...ralph, config: { ...ralph.config, branch } };
  const each = { items: ['shop', 'two words'], max_parallel: 1, join: 'all_done' };
  const config = { for_each: each, body: { steps: [own] } };
  await harness.run({ steps: [{ id: 'each', type: 'step.workflow', config }] }, { prompts });
  return harness;
}

test('The branch of a loop may hold references, and what git takes as no branch fails the step in words', async () => {
  const harness = await branches('work/$ITEM');
  const asked = harness.events().filter(({ type }) => type === 'loop.plan-requested');
  expect(asked).toMatchObject([{ branch: 'work/shop' }]);
  const loops = Object.values(harness.state().activations).filter(({ stepId }) =>
    stepId.endsWith('/stories'),
  );
  expect(loops).toMatchObject([
    { outcome: 'succeeded' },
    {
      outcome: 'failed',
      error: { code: 'input.invalid', message: '"work/two words" is not the name of a branch' },
    },
  ]);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
});

test('A branch that is written with a dollar sign is no reference', async () => {
  const harness = await branches('work/\\$ITEM');
  const asked = harness.events().filter(({ type }) => type === 'loop.plan-requested');
  expect(asked[0]).toMatchObject({ branch: 'work/$ITEM' });
});
