import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { member, openTeam, type TeamHarness } from '../testing/team';

const planned = { members: [member('S1', { iterative: true, plan_approval: true })] };
const open = (team: TeamHarness) =>
  Object.values(team.state().gates).filter((gate) => gate.status === 'open');
const modes = (team: TeamHarness) =>
  team.agents.opened.map(({ profile: { read_only, permissions } }) => ({ read_only, permissions }));
const own = (team: TeamHarness) => {
  const { read_only, permissions } = team.state().profiles.fake ?? {};
  return { read_only, permissions };
};
const reading = { read_only: true, permissions: 'deny' };

test('a member is opened read-only until its plan is approved, then again with the permissions of its profile', async () => {
  const team = await openTeam(planned);
  expect(modes(team)).toEqual([reading]);
  await team.deliver('S1', 'plan A');
  await team.answer('reject', { reason: 'smaller' });
  await team.deliver('S1', 'plan B');
  expect(modes(team)).toEqual([reading]);
  await team.answer('approve');
  expect(modes(team)).toEqual([reading, own(team)]);
  expect(team.waiting('S1')?.request.prompt).toContain('Your plan is approved. Carry it out.');
  await team.deliver('S1', 'built');
  await team.say('S1', 'more');
  expect(modes(team)).toHaveLength(2);
});

test('a member whose core was killed before the approval is still read-only afterwards', async () => {
  const team = await openTeam(planned);
  await team.deliver('S1', 'plan A');
  await team.restart();
  await team.answer('reject', { reason: 'smaller' });
  expect(modes(team).at(-1)).toEqual(reading);
  await team.deliver('S1', 'plan B');
  await team.answer('approve');
  expect(modes(team).at(-1)).toEqual(own(team));
});

test('the gate of a plan says where nothing keeps the agent from writing before the approval', async () => {
  const team = await openTeam(planned);
  await team.deliver('S1', 'plan A');
  expect(open(team)).toMatchObject([
    { kind: 'team_plan', message: expect.stringContaining('Muster cannot stop this agent from writing') },
  ]);
});

test('a member that wrote while it planned is asked about, also at the gate of its plan', async () => {
  const team = await openTeam(planned);
  team.folders.snapshot = async (_place, name) => ok(name);
  team.folders.changes = async () => ({ before: 'a', after: 'b', files: 2, added: 3, removed: 1 });
  await team.deliver('S1', 'plan A');
  await team.answer('reject', { reason: 'smaller' });
  await team.deliver('S1', 'plan B');
  const titles = open(team).map(({ title }) => title);
  expect(titles).toContain('S1 was to make a plan first, but files changed');
  const plan = open(team).find(({ kind }) => kind === 'team_plan');
  expect(plan?.message).toContain('2 files changed while it planned.');
});

test('a member whose plan waits for its approval is sent nothing, and gets what came meanwhile with the approval', async () => {
  const team = await openTeam(planned);
  await team.deliver('S1', 'plan A');
  await team.say('S1', 'Use the new style too.');
  expect([team.agents.sent.length, team.waiting('S1')]).toEqual([1, undefined]);
  await team.answer('approve');
  expect(team.waiting('S1')?.request.prompt).toContain('Use the new style too.');
});
