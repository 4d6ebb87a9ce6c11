import { expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';

/** Two steps in a row; the first fails. Returns why the second was skipped. */
async function reason(): Promise<string | null | undefined> {
  const harness = new Harness();
  harness.agents.answer = () => ({ outcome: 'failed' });
  const steps = [task('draft_2', {}, { title: 'Draft' }), task('b')];
  const cables = [{ from: 'draft_2.data_out', to: 'b.data_in' }];
  await harness.run({ steps, cables } as Parameters<Harness['run']>[0]);
  return harness.state().steps.b?.skipped;
}

test('A step is skipped for a reason that names the step before by its title', async () => {
  expect(await reason()).toBe('Draft failed');
});
