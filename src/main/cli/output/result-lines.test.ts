import { returnedBy } from '@contract/run/returned-output';
import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { returnedLines } from './result-lines';
import { styleFor } from './style';

test('A run whose returning step was skipped says that it returns nothing, and why', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'no' });
  const send = task('send', {}, { when: "$check.output == 'yes'" });
  const cables = [{ from: 'check.data_out', to: 'send.data_in' }];
  await harness.run({ returns: 'send', steps: [task('check'), send], cables });
  const state = harness.state();
  expect(returnedLines(returnedBy(state), state, styleFor({}, {}))).toEqual([
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
    expect(returnedLines(returnedBy(state), state, styleFor({}, {}))).toEqual([]);
  }
});
