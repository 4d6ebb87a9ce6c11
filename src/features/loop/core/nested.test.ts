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
