import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { row } from '../testing/story';
import { overviewLines } from './run-overview';
import { styleFor } from './style';

test('A run is shown with the steps of its scopes, skips with their cause, attempts, and what failed in words', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request: { prompt } }) =>
    prompt.includes('do b') ? { outcome: 'refused', stopReason: 'refusal' } : { response: 'ok' };
  const each = {
    id: 'each',
    type: 'step.workflow',
    config: {
      for_each: { items: ['a', 'b'], join: 'all_done' },
      body: {
        steps: [
          task(
            'do',
            { instruction: 'do $ITEM' },
            { retry: { max_attempts: 1, delay_seconds: 1, on: 'all' } },
          ),
        ],
      },
    },
  };
  const never = task('never', {}, { when: "$each.status == 'failed'" });
  await harness.run({
    steps: [each, never],
    cables: [{ from: 'each.data_out', to: 'never.data_in' }],
  });
  harness.clock.advance(2_000);
  await harness.idle();
  const state = harness.state();
  const { reason } = state;
  const style = styleFor({}, {});
  const lines = overviewLines(
    { row: { ...row, status: 'failed', reason }, state },
    { style, again: (...words) => words.join(' '), live: true },
  );
  const text = lines.join('\n');
  expect(text).toContain('1 of 2 in "each" failed');
  expect(text).toMatch(/each +succeeded +step\.workflow.*1 of 2 failed/);
  expect(text).toMatch(/each\[1\]\/do +succeeded/);
  expect(text).toMatch(/each\[2\]\/do +failed.*attempt 2/);
  expect(text).toMatch(/never +skipped.*condition/);
});

test('A run at a gate shows its step as waiting, its inputs, and what was not reported not as zero', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'ok' });
  const definition = {
    steps: [task('draft'), { id: 'good', type: 'step.approval', config: { message: 'Good?' } }],
    cables: [{ from: 'draft.data_out', to: 'good.data_in' }],
  };
  await harness.run(definition, { inputs: { lang: 'French' } });
  const text = overviewLines(
    { row: { ...row, status: 'waiting' }, state: harness.state() },
    { style: styleFor({}, {}), again: (...words) => words.join(' '), live: true },
  ).join('\n');
  expect(text).toMatch(/good +waiting +step\.approval/);
  expect(text).toMatch(/inputs +lang=French/);
  expect(text).toMatch(/spent +1 turn did not report it\n/);
});

test('A run that no core works on shows its open step as parked, as it shows the run', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('draft')] });
  const shown = (live: boolean) =>
    overviewLines(
      { row: { ...row, status: 'running' }, state: harness.state() },
      { style: styleFor({}, {}), again: (...words) => words.join(' '), live },
    ).join('\n');
  expect(shown(false)).toMatch(/draft +parked +step\.agent_task/);
  expect(shown(true)).toMatch(/draft +running +step\.agent_task/);
});
