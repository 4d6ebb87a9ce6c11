import { expect, test } from 'vitest';
import { Harness, task } from './testing/harness';

async function failing(title?: string) {
  const harness = new Harness();
  harness.agents.answer = () => ({ outcome: 'failed' });
  const step = task('write');
  await harness.run({ steps: [title === undefined ? step : { ...step, title }] });
  return harness.state();
}

test('a run says which step failed by its title, and by its name where it has none', async () => {
  expect(await failing('Write the page')).toMatchObject({
    outcome: 'failed',
    reason: '"Write the page" failed',
  });
  expect(await failing()).toMatchObject({ outcome: 'failed', reason: '"write" failed' });
});
