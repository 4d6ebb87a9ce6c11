import { expect, it } from 'vitest';
import { Harness, task } from './testing/harness';

it('a run whose events cannot be read is told of, and the other runs are taken up', async () => {
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
  await harness.engineAnew();
  expect(await harness.engine.recover()).toEqual([1]);
  expect(harness.state(2).turns[1]?.status).toBe('interrupted');
  expect(await harness.engine.command(1, () => ({ ok: true, value: [] }))).toMatchObject({ ok: false });
});
