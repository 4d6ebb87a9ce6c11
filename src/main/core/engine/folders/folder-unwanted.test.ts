import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { anna, run as runCoding } from '@features/coding/core/testing/agents';
import { expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';

const givenUp = err(appError('cancelled', 'given up'));

/**
 * A run whose folder is never finished; reports whether the creation was told that it is no longer wanted.
 */
async function making(): Promise<{ harness: Harness; asked: () => number; unwanted: () => number }> {
  const harness = new Harness();
  let asked = 0;
  let unwanted = 0;
  harness.workspace = async (run) => {
    asked += 1;
    await (run.unwanted ?? new Promise(() => undefined));
    unwanted += 1;
    return givenUp;
  };
  await harness.run({ steps: [task('a')] });
  expect(harness.state().workspaceStatus).toBe('requested');
  return { harness, asked: () => asked, unwanted: () => unwanted };
}

/** The core ends after the cancellation is logged, before it takes effect. */
async function cutWhileCancelling(harness: Harness): Promise<void> {
  const { length } = harness.log.rows;
  const event = { type: 'run.cancel-requested' as const, by: 'test' };
  harness.log.rows.push({ id: length + 1, runId: 1, seq: length + 1, at: 2_000, event });
  await harness.restart();
}

test('a cancelled run gives up making its folder, and makes it again when it is resumed', async () => {
  const { harness, unwanted } = await making();
  await harness.cancel();
  expect(unwanted()).toBe(1);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  harness.workspace = async () => ok({ path: '/work', branch: null, baseCommit: null });
  await harness.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
  await harness.idle();
  expect(harness.state().outcome).toBe('succeeded');
});

test('a run that was being cancelled when the core ended makes no folder', async () => {
  const { harness, asked } = await making();
  await cutWhileCancelling(harness);
  expect(asked()).toBe(1);
  expect(harness.state()).toMatchObject({
    status: 'finished',
    outcome: 'cancelled',
    workspaceError: { code: 'cancelled' },
  });
});

test('the folder of one agent is given up too, and not made again', async () => {
  for (const killed of [false, true]) {
    const harness = new Harness();
    harness.folders.hangs = true;
    await runCoding(harness, [anna()], { coordination: 'parallel' });
    expect(harness.folders.branched).toHaveLength(1);
    if (killed) await cutWhileCancelling(harness);
    else await harness.cancel();
    expect(harness.folders.branched).toHaveLength(1);
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  }
});
