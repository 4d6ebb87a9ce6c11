import { EVENT_TEXT_BYTES } from '@contract/limits';
import { FakeCore } from '@main/api/testing/fake-core';
import { runRow } from '@main/api/testing/run-row';
import { gate, Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { runRoutes } from './run-routes';

test('GET /runs/:run shows the steps of scopes, skips with their cause, and every attempt', async () => {
  const harness = new Harness();
  let tries = 0;
  harness.agents.answer = ({ request: { prompt } }) => {
    if (!prompt.includes('fix c')) return { response: 'fixed' };
    tries += 1;
    return tries === 1 ? { outcome: 'refused', stopReason: 'refusal' } : { response: 'fixed' };
  };
  const retry = { max_attempts: 1, delay_seconds: 1, on: 'all' };
  const steps = [
    task('fix', { instruction: 'fix $ITEM' }, { retry }),
    task('undo', {}, { when: "$fix.status == 'failed'" }),
    gate('ok'),
  ];
  const cables = [
    { from: 'fix.data_out', to: 'undo.data_in' },
    { from: 'fix.data_out', to: 'ok.data_in' },
  ];
  const config = { for_each: { items: ['a', 'b', 'c'] }, body: { steps, cables } };
  await harness.run({ steps: [{ id: 'review', type: 'step.workflow', config }] });
  harness.clock.advance(2_000);
  await harness.idle();

  const row = runRow({ openGates: 3 });
  const core = new FakeCore({
    'run.find': () => row,
    'run.get': () => ({ row, state: harness.state() }),
  });
  const route = runRoutes.find(({ method, path }) => method === 'GET' && path === '/runs/:run');
  const answer = await route?.handle({ core, words: { run: '1' }, query: {}, body: {} });
  if (!answer?.ok) throw new Error(JSON.stringify(answer));
  const { state } = JSON.parse(JSON.stringify(answer.value.body));
  expect(Object.keys(state.scopes)).toEqual(['review[1]', 'review[2]', 'review[3]']);
  expect(state.steps['review[3]/undo']).toMatchObject({
    skipCause: 'condition',
    skipped: "its condition is false: $fix.status == 'failed'",
  });
  const attempts = state.steps['review[3]/fix'].activationIds.map((id: number) => state.activations[id]);
  expect(attempts).toMatchObject([
    { stepId: 'review[3]/fix', attempt: 1, outcome: 'failed' },
    { stepId: 'review[3]/fix', attempt: 2, outcome: 'succeeded' },
  ]);
  const asked = Object.values<{ activationId: number }>(state.gates).map(
    ({ activationId }) => state.activations[activationId].stepId,
  );
  expect(asked.sort()).toEqual(['review[1]/ok', 'review[2]/ok', 'review[3]/ok']);
});

test('a large text in a run and in its events has the address of all of it', async () => {
  const harness = new Harness();
  harness.commands.answer = () => ({ output: `${'word '.repeat(EVENT_TEXT_BYTES)}\n` });
  await harness.run({ steps: [{ id: 'a', type: 'step.command', config: { script: 'print' } }] });
  const row = runRow();
  const core = new FakeCore({
    'run.find': () => row,
    'run.get': () => ({ row, state: harness.state() }),
    'run.events': () => harness.log.read(1),
  });
  for (const path of ['/runs/:run', '/runs/:run/events']) {
    const route = runRoutes.find((one) => one.method === 'GET' && one.path === path);
    const answer = await route?.handle({ core, words: { run: '1' }, query: {}, body: {} });
    const body = JSON.stringify(answer?.ok === true && answer.value.body);
    expect(body).toMatch(
      /"sha256":"([0-9a-f]{64})","bytes":\d+,"preview":\{[^}]*\},"whole":"\/runs\/1\/text\?sha256=\1"/,
    );
  }
});
