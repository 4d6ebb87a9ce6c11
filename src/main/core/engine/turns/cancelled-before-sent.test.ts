import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';

async function runInSnapshot(): Promise<{ harness: Harness; goOn: () => Promise<void> }> {
  const harness = new Harness();
  const snapshot = harness.points.hold('workspaces.snapshot');
  await harness.run({ steps: [task('a')] });
  expect(snapshot.isReached).toBe(true);
  const goOn = async () => {
    snapshot.release();
    await harness.idle();
  };
  return { harness, goOn };
}

test('a turn whose run is cancelled during its snapshot never reaches the agent', async () => {
  const { harness, goOn } = await runInSnapshot();
  await harness.cancel();
  await goOn();
  expect(harness.agents.sent).toEqual([]);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  expect(harness.state().turns[1]).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
});

test('a turn that the operator cancels during its snapshot never reaches the agent', async () => {
  const { harness, goOn } = await runInSnapshot();
  await harness.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId: 1, by: 'test' }]));
  await goOn();
  expect(harness.agents.sent).toEqual([]);
  expect(harness.state().turns[1]).toMatchObject({ status: 'cancelled', cancelledBy: 'test' });
});

test('a core that is killed during the snapshot of a turn sends nothing afterwards, and the next core sends it once', async () => {
  const { harness, goOn } = await runInSnapshot();
  harness.agents.survives = () => 'unsent';
  await harness.restart();
  await goOn();
  expect(harness.agents.sent.map(({ request }) => request.turnId)).toEqual([1]);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});
