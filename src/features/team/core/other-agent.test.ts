import { ok } from '@contract/result';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { teamConfigSchema } from './config';
import { type Restored, restore } from './operator/amend';
import { member, prompts, TeamHarness } from './testing/team';

const profiles = {
  fake: fakeProfile,
  other: { ...fakeProfile, id: 'other', name: 'Other', model: 'large' },
};

async function opened(): Promise<TeamHarness> {
  const team = new TeamHarness();
  team.agents.answer = () => null;
  team.config = { members: [member('ana', { iterative: true })] };
  await team.run({ steps: [{ id: 'team', type: 'step.team', config: team.config }] }, { profiles, prompts });
  return team;
}

const fail = async (team: TeamHarness): Promise<void> => {
  team.waiting('ana')?.end({ outcome: 'failed', stopReason: 'crashed' });
  await team.idle();
};

async function again(team: TeamHarness, wish: Omit<Restored, 'member'>) {
  let told: ReturnType<typeof restore> | null = null;
  await team.engine.command(1, ({ state }) => {
    const caller = { role: 'operator', name: 'operator', turnId: null } as const;
    const config = teamConfigSchema.parse(team.config);
    const context = { state, team: team.team, config, caller, now: team.clock.time };
    told = restore(context, { member: 'ana', ...wish });
    return told.ok ? ok(told.value.events) : told;
  });
  await team.idle();
  return told as ReturnType<typeof restore> | null;
}

const gates = (team: TeamHarness) => Object.values(team.state().gates).map(({ status }) => status);

test('a failed member resumes with another agent, which is told what was said so far', async () => {
  const team = await opened();
  await team.deliver('ana', 'A first draft.');
  await team.say('ana', 'Make it shorter.');
  await fail(team);
  expect(gates(team)).toEqual(['open']);
  expect(await again(team, { agent: 'Other' })).toMatchObject({
    ok: true,
    value: { text: 'ana resumes with Other, large.' },
  });
  const turn = team.waiting('ana');
  expect(turn?.spec).toMatchObject({ profile: { id: 'other' }, model: 'large', resume: null });
  expect(turn?.request.prompt).toContain('A first draft.');
  expect(turn?.request.prompt).toContain('Make it shorter.');
  expect(gates(team)).toEqual(['withdrawn']);
  expect(team.team.members.ana).toMatchObject({ profileId: 'other', model: 'large', failed: null });
  await team.deliver('ana', 'A short one.');
  expect(team.team.members.ana?.rounds.map(({ result }) => result?.text)).toEqual([
    'A first draft.',
    'A short one.',
  ]);
});

test('the other agent resumes its own conversation after a restart, without what its predecessor said', async () => {
  const team = await opened();
  await fail(team);
  await again(team, { agent: 'other' });
  await team.deliver('ana', 'Done by the other.');
  await team.restart();
  await team.say('ana', 'More.');
  const { spec } = team.waiting('ana') ?? {};
  expect(spec?.profile.id).toBe('other');
  expect(spec?.resume?.turns.map(({ response }) => response)).toEqual(['Done by the other.']);
});

test('another model of the same agent goes on in its conversation', async () => {
  const team = await opened();
  await team.deliver('ana', 'A draft.');
  await team.say('ana', 'Again.');
  await fail(team);
  await again(team, { model: 'small' });
  const { spec } = team.waiting('ana') ?? {};
  expect(spec).toMatchObject({ profile: { id: 'fake' }, model: 'small' });
  expect(spec?.resume?.turns.map(({ response }) => response)).toEqual(['A draft.']);
});

test('an unknown agent is refused with those that the run has, and nothing changes', async () => {
  const team = await opened();
  await fail(team);
  expect(await again(team, { agent: 'constructor' })).toMatchObject({
    ok: false,
    error: { code: 'validation.profile_unknown', mend: 'use one of: fake, other' },
  });
  expect([team.word('ana'), gates(team)]).toEqual(['failed', ['open']]);
});
