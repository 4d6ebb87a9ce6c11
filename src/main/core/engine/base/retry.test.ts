import { appError } from '@contract/errors';
import { expect, test } from 'vitest';
import type { SentTurn } from '../testing/fake-agents';
import { gate, Harness, task } from '../testing/harness';

const crashed = { outcome: 'failed' as const, error: appError('agent.crashed', 'its process ended') };
const refused = { outcome: 'failed' as const, error: appError('agent.refused', 'no') };
const retry = { max_attempts: 2, delay_seconds: 10 };

/** The test answers `a`; `b` follows it. */
async function started(key: object, answer: (turn: SentTurn, attempt: number) => object): Promise<Harness> {
  const harness = new Harness();
  let attempt = 0;
  harness.agents.answer = (turn) => {
    if (!turn.request.prompt.includes('do a')) return { response: 'ok' };
    attempt += 1;
    return answer(turn, attempt);
  };
  await harness.run({
    steps: [task('a', {}, { retry: key }), task('b')],
    cables: [{ from: 'a.data_out', to: 'b.data_in' }],
  });
  return harness;
}

async function wait(harness: Harness, seconds: number): Promise<void> {
  harness.clock.advance(seconds * 1000);
  await harness.idle();
}

const outcomes = (harness: Harness) =>
  (harness.state().steps.a?.activationIds ?? []).map((id) => {
    const { attempt, outcome, status } = harness.state().activations[id] ?? {};
    return `${attempt} ${outcome ?? status}`;
  });

test('A step that failed in passing is tried again after a delay that doubles, each attempt visible', async () => {
  const harness = await started(retry, (_, attempt) => (attempt < 3 ? crashed : { response: 'done' }));
  expect(outcomes(harness)).toEqual(['1 failed']);
  expect(harness.state().status, 'it waits').toBe('running');
  expect(harness.state().steps.b?.skipped).toBeNull();
  await wait(harness, 9);
  expect(outcomes(harness)).toEqual(['1 failed']);
  await wait(harness, 1);
  expect(outcomes(harness)).toEqual(['1 failed', '2 failed']);
  await wait(harness, 19);
  expect(outcomes(harness)).toHaveLength(2);
  await wait(harness, 1);
  expect(outcomes(harness)).toEqual(['1 failed', '2 failed', '3 succeeded']);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('A step that used up its attempts fails, and what comes after it is skipped', async () => {
  const harness = await started(retry, () => crashed);
  for (let turn = 0; turn < 5; turn += 1) await wait(harness, 60);
  expect(outcomes(harness)).toEqual(['1 failed', '2 failed', '3 failed']);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  expect(harness.state().steps.b?.skipCause).toBe('upstream_failed');
});

test('A lasting failure is retried only where the step says all', async () => {
  const transient = await started(retry, () => refused);
  expect(transient.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  const all = await started({ ...retry, on: 'all' }, (_, attempt) =>
    attempt === 1 ? refused : { response: 'ok' },
  );
  await wait(all, 10);
  expect(all.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('A login, a refused key and a spent quota are never retried', async () => {
  for (const code of ['agent.quota', 'agent.limit', 'agent.not_installed'] as const) {
    const harness = await started({ ...retry, on: 'all' }, () => ({
      outcome: 'failed',
      error: appError(code, 'no'),
    }));
    expect(harness.state(), code).toMatchObject({ status: 'finished', outcome: 'failed' });
  }
});

test('A core that is killed while a step waits for its next attempt comes back and tries it once, on time', async () => {
  const harness = await started(retry, (_, attempt) => (attempt < 2 ? crashed : { response: 'done' }));
  await wait(harness, 4);
  await harness.restart();
  expect(outcomes(harness)).toEqual(['1 failed']);
  await wait(harness, 5);
  await harness.restart();
  expect(outcomes(harness)).toEqual(['1 failed']);
  await wait(harness, 1);
  expect(outcomes(harness)).toEqual(['1 failed', '2 succeeded']);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('A run that is cancelled while a step waits for its next attempt ends, and can be resumed', async () => {
  const harness = await started(retry, (_, attempt) => (attempt < 2 ? crashed : { response: 'done' }));
  await harness.cancel();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  await wait(harness, 60);
  expect(outcomes(harness)).toEqual(['1 failed']);
  const [id = 0] = harness.state().steps.a?.activationIds ?? [];
  await harness.engine.command(1, () => ({
    ok: true,
    value: [{ type: 'run.resumed', by: 'test', activationIds: [id] }],
  }));
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('A failed attempt that is retried leaves no session open', async () => {
  const harness = await started(retry, () => crashed);
  const live = Object.values(harness.state().sessions).filter(({ status }) => status === 'ready');
  expect(live).toEqual([]);
});

test('A run that the operator rejects ends at once, though a failed step waits for its next attempt', async () => {
  const harness = new Harness();
  harness.agents.answer = () => crashed;
  await harness.run({ steps: [task('a', {}, { retry }), gate('ok')] });
  expect(outcomes(harness)).toEqual(['1 failed']);
  await harness.answer('reject', { reason: 'no' });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'rejected' });
  await wait(harness, 60);
  expect(outcomes(harness)).toEqual(['1 failed']);
});
