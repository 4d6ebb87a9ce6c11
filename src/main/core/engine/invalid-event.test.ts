import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { unchecked } from '@contract/testing/unchecked';
import { errorOf, member, openTeam } from '@features/team/core/testing/team';
import { expect, test } from 'vitest';
import { Harness } from './testing/harness';

const oneStep = {
  steps: [{ id: 'write', type: 'step.agent_task', config: { instruction: 'write', acp_profile_id: 'fake' } }],
};

async function begun(): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run(oneStep);
  return harness;
}

test('an event that could not be read again is refused and leaves the run as it was', async () => {
  const harness = await begun();
  const before = structuredClone(harness.state());
  const broken: RunEvent = {
    type: 'timer.set',
    timerId: 1,
    activationId: 1,
    purpose: 'wait',
    dueAt: Number.NaN,
  };
  const answer = await harness.engine.command(1, () => ({ ok: true, value: [broken] }));
  expect(answer).toMatchObject({
    error: { code: 'store.invalid_event', message: expect.stringContaining('dueAt') },
  });
  expect(harness.state()).toEqual(before);
  expect(replay(harness.log.read(1))).toEqual(before);
});

test('an event that the reducer cannot apply leaves the run as it was', async () => {
  const harness = await begun();
  const before = structuredClone(harness.state());
  const broken = unchecked<RunEvent>({ type: 'update.posted', activationId: 1 });
  const bad = new Proxy(broken, {
    get(target, key) {
      if (key === 'activationId') throw new Error('a bug');
      return Reflect.get(target, key);
    },
  });
  await expect(harness.engine.command(1, () => ({ ok: true, value: [bad] }))).rejects.toThrow('a bug');
  expect(harness.state()).toEqual(before);
});

test('a turn whose result could not be stored ends as failed, and is not reported forever', async () => {
  const harness = await begun();
  const usage = { input_tokens: Number.NaN, output_tokens: 1, total_tokens: 1, cost_usd: null };
  harness.agents.sent[0]?.end({ usage });
  await harness.idle();
  expect(harness.log.refused).toHaveLength(1);
  expect(Object.values(harness.state().turns)[0]).toMatchObject({
    status: 'failed',
    error: { code: 'internal' },
  });
});

const minutes = [33.333333, 1.23456, 1e-9, 0.1, 525_600];

test.each(minutes)(
  'a team whose durations are %d minutes stores events that can be read again',
  async (value) => {
    const durations = { idle_minutes: value, stall_minutes: value, round_minutes: value };
    const team = await openTeam({
      members: [member('one', { iterative: true, idle_minutes: value })],
      ...durations,
    });
    await team.deliver('one', 'the draft');
    expect(team.log.refused).toEqual([]);
    const timers = Object.values(team.state().timers);
    expect(timers.length).toBeGreaterThan(0);
    for (const { dueAt } of timers) expect(Number.isSafeInteger(dueAt)).toBe(true);
  },
);

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', ''];

test.each(names)('no tool of a team finds an agent or a member under the name "%s"', async (name) => {
  const team = await openTeam({ lead: { agent: 'leader' }, members: [member('one', { iterative: true })] });
  const call = (tool: string, input: unknown) => team.call('lead', tool, input);
  const spawned = await call('team_spawn', { name: 'two', agent: name, prompt: 'work' });
  expect(errorOf(spawned)).toBe('validation.profile_unknown');
  expect(errorOf(await call('team_message', { to: name, text: 'hello' }))).toBe('team.unknown_member');
  expect(errorOf(await call('team_shutdown', { member: name }))).toBe('team.unknown_member');
  expect(errorOf(await call('team_merge', { member: name }))).toBe('team.unknown_member');
  expect(team.log.refused).toEqual([]);
});
