import { gate, Harness, task } from '@main/core/engine/testing/harness';
import { describe, expect, test } from 'vitest';
import { IdleParker } from './idle-parker';

test('a session that stands idle at a gate is parked, and its next turn resumes it', async () => {
  const harness = new Harness();
  const steps = [task('a', { session_persist: true }), gate('ok')];
  const cables = [
    { from: 'a.data_out', to: 'ok.data_in' },
    { from: 'ok.revise_out', to: 'a.instruction_in' },
  ];
  await harness.run({ steps, cables });
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const parker = new IdleParker({ engine: harness.engine, clock: harness.clock, logger, idleMs: 1_000 });
  await parker.look();
  expect(harness.agents.ended).toEqual([]);
  harness.clock.time += 2_000;
  await parker.look();
  expect(harness.agents.ended).toEqual(['park U0/s1']);
  expect(harness.state().sessions[1]).toMatchObject({
    status: 'parked',
    reason: 'nothing to do for a while',
  });
  await harness.answer('reject', { reason: 'again' });
  expect(harness.agents.opened[1]?.resume?.providerSessionId).toBe('provider-1');
  await harness.answer('approve');
  expect(harness.state().outcome).toBe('succeeded');
});

test('a session with a turn in flight is left alone, however long it takes', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a')] });
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  harness.clock.time += 10_000_000;
  await new IdleParker({ engine: harness.engine, clock: harness.clock, logger, idleMs: 1_000 }).look();
  expect(harness.state().sessions[1]?.status).toBe('ready');
});

describe('sessions that would lose something by parking', () => {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const look = async (harness: Harness): Promise<void> => {
    harness.clock.time += 10_000_000;
    await new IdleParker({ engine: harness.engine, clock: harness.clock, logger, idleMs: 1_000 }).look();
  };

  test('a session in the middle of its step is not parked while another agent of the step works', async () => {
    const harness = new Harness();
    harness.agents.answer = ({ spec }) => (spec.sessionId === 1 ? { response: 'built' } : null);
    const agent = (role: string) => ({ role, acp_profile_id: 'fake' });
    const config = {
      instruction: 'Build it.',
      coordination: 'review_chain',
      agents: [agent('builder'), agent('reviewer')],
    };
    await harness.run({ steps: [{ id: 'c', type: 'step.coding', config }] });
    expect(harness.agents.sent).toHaveLength(2);
    await look(harness);
    expect(harness.agents.ended).toEqual([]);
  });

  test('a session that cannot be resumed is not parked', async () => {
    const harness = new Harness();
    harness.agents.resumes = false;
    await harness.run({
      steps: [task('a', { session_persist: true }), gate('ok')],
      cables: [{ from: 'a.data_out', to: 'ok.data_in' }],
    });
    await look(harness);
    expect(harness.agents.ended).toEqual([]);
  });
});
