import type { PermissionRequest } from '@areas/gates/contract/gate';
import { appError } from '@contract/errors';
import { expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';

const MINUTE = 60_000;

const shell = (more: Record<string, unknown> = {}) => ({
  id: 'a',
  type: 'step.command',
  on_interrupt: 'retry',
  config: { script: 'sleep' },
  ...more,
});

async function started(step: object): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => null;
  harness.commands.answer = () => null;
  await harness.run({ steps: [step] });
  return harness;
}

async function wait(harness: Harness, minutes: number): Promise<void> {
  harness.clock.advance(minutes * MINUTE);
  await harness.idle();
}

const first = (harness: Harness) => harness.state().activations[1];
const asked: PermissionRequest = {
  tool: 'edit',
  title: 'Edit notes.md',
  kind: 'edit',
  diffs: [],
  paths: ['/work/notes.md'],
  hash: 'h1',
};

test('A step with a time limit has its turn cancelled and fails with its own code when the time is over', async () => {
  const harness = await started(task('a', {}, { timeout_minutes: 10 }));
  await wait(harness, 9);
  expect(first(harness)).toMatchObject({ status: 'running' });
  await wait(harness, 1);
  expect(harness.state().turns[1]).toMatchObject({ status: 'cancelled', cancelledBy: 'step.timeout' });
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
});

test('A command is stopped when the time of its step is over', async () => {
  const harness = await started(shell({ timeout_minutes: 1 }));
  await wait(harness, 1);
  expect(harness.commands.ran[0]?.result).toMatchObject({ outcome: 'cancelled' });
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
});

test('The agent that works longer than its step may is told only once to stop, and its end is awaited', async () => {
  const harness = await started(task('a', {}, { timeout_minutes: 1 }));
  harness.agents.heeds = false;
  await wait(harness, 1);
  await wait(harness, 5);
  expect(first(harness), 'nothing ends while it works').toMatchObject({ status: 'running' });
  expect(harness.events().filter(({ type }) => type === 'activation.stop-requested')).toHaveLength(1);
  harness.agents.sent[0]?.end({ outcome: 'completed', response: 'late' });
  await harness.idle();
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
});

test('A restart keeps the deadline of a step', async () => {
  const harness = await started(task('a', {}, { timeout_minutes: 10, on_interrupt: 'retry' }));
  await wait(harness, 6);
  await harness.restart();
  await wait(harness, 3);
  expect(first(harness)).toMatchObject({ status: 'running' });
  await wait(harness, 1);
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
  expect(harness.events().filter(({ type }) => type === 'timer.set')).toHaveLength(1);
});

test('A core that is killed while a step is stopped stops what outlived it, and the step fails', async () => {
  const harness = await started(shell({ timeout_minutes: 1 }));
  const [command] = harness.commands.ran;
  harness.commands.survives = () => true;
  const event = { type: 'activation.stop-requested' as const, activationId: 1 };
  const error = appError('step.timeout', 'the time is over');
  const state = harness.state();
  const events = [{ at: 2_000, event: { ...event, error } }];
  await harness.log.append({ runId: 1, expectedSeq: state.seq, events, state });
  await harness.restart();
  expect(command?.result).toMatchObject({ outcome: 'cancelled' });
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
});

test('Time in which a step only waits for the operator does not count', async () => {
  const harness = await started(task('a', {}, { timeout_minutes: 10 }));
  await wait(harness, 4);
  void harness.agents.sent[0]?.ask(asked);
  await harness.idle();
  await wait(harness, 60);
  expect(first(harness), 'it waits').toMatchObject({ status: 'running' });
  await harness.answer('allow');
  await wait(harness, 5);
  expect(first(harness)).toMatchObject({ status: 'running' });
  await wait(harness, 1);
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
});

test("Time in which a step waits for a provider's limit does not count", async () => {
  const harness = await started(task('a', {}, { timeout_minutes: 10 }));
  await wait(harness, 4);
  const limitResetsAt = harness.clock.now() + 30 * MINUTE;
  harness.agents.sent[0]?.end({ outcome: 'limit', limitResetsAt, error: appError('agent.limit', 'later') });
  await harness.idle();
  await wait(harness, 30);
  await wait(harness, 5);
  expect(first(harness)).toMatchObject({ status: 'running' });
  await wait(harness, 1);
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
});

test('A step that failed by its time limit has its whole time again when the run is resumed', async () => {
  const harness = await started(task('a', {}, { timeout_minutes: 10 }));
  await wait(harness, 10);
  await harness.engine.command(1, () => ({
    ok: true,
    value: [{ type: 'run.resumed', by: 'test', activationIds: [1] }],
  }));
  await harness.idle();
  await wait(harness, 9);
  expect(first(harness)).toMatchObject({ status: 'running' });
  await wait(harness, 1);
  expect(first(harness)).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
});

test('A step is retried after its time limit where it retries all failures', async () => {
  const retry = { max_attempts: 1, delay_seconds: 60, on: 'all' };
  const harness = await started(task('a', {}, { timeout_minutes: 1, retry }));
  await wait(harness, 1);
  await wait(harness, 1);
  expect(harness.state().activations[2]).toMatchObject({ status: 'running' });
});
