import { expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';

test('a run whose events cannot be read is reported, and the other runs are taken up', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a')] });
  await harness.run({ steps: [task('b')] });
  const { log } = harness;
  const read = log.read.bind(log);
  log.read = (runId, afterSeq) => {
    if (runId === 1) throw new Error('events of a kind that is not known');
    return read(runId, afterSeq);
  };
  log.unfinished = () => [1, 2];
  await harness.restartEngine();
  expect(await harness.engine.recover()).toEqual([1]);
  expect(harness.state(2).turns[1]?.status).toBe('interrupted');
  expect(await harness.engine.command(1, () => ({ ok: true, value: [] }))).toMatchObject({ ok: false });
});

test('the first runs go on while others are still to be read, and those are left when Muster ends meanwhile', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  const ids = [1, 2, 3];
  for (const id of ids) await harness.run({ steps: [task(`s${id}`)] });
  const { log } = harness;
  const read = log.read.bind(log);
  const readIds: number[] = [];
  log.read = (runId, afterSeq) => {
    readIds.push(runId);
    // A run with more events than are read at once.
    harness.clock.time += 10;
    return read(runId, afterSeq);
  };
  log.unfinished = () => ids;
  const interrupted: unknown[] = [];
  harness.breathe = async () => {
    await new Promise(setImmediate);
    const last = readIds.at(-1) ?? 0;
    interrupted.push(harness.engine.live(last)?.state.turns[1]?.status);
    if (last === 2) await harness.engine.park();
  };
  await harness.restartEngine();
  expect(readIds).toEqual([1, 2]);
  expect(interrupted).toEqual(['interrupted', 'interrupted']);
});
