import { err, ok, type Result } from '@contract/result';
import { expect, test } from 'vitest';
import { teamConfigSchema } from '../config';
import { member, openTeam, type TeamHarness } from '../testing/team';
import { type Saying, type Spoken, speak } from './operator-message';

async function say(team: TeamHarness, saying: Omit<Saying, 'to'>): Promise<Result<Spoken>> {
  let said: Result<Spoken> = err({ code: 'internal', message: 'nothing was said' });
  await team.engine.command(1, ({ state }) => {
    const config = teamConfigSchema.parse(team.config);
    const caller = { role: 'operator', name: 'operator', turnId: null } as const;
    said = speak({ state, team: team.team, config, caller, now: team.clock.time }, { to: null, ...saying });
    return ok(said.ok ? said.value.events : []);
  });
  await team.idle();
  return said;
}

async function two(): Promise<TeamHarness> {
  const names = ['S1', 'S2'];
  const team = await openTeam({ members: names.map((name) => member(name, { iterative: true })) });
  for (const name of names) await team.deliver(name, 'draft');
  return team;
}

const released = (team: TeamHarness): string[] =>
  Object.values(team.team.members).flatMap((one) => (one.released === null ? [] : [one.name]));

test('two members in doubt are asked about one by one, and only the confirmed one is released', async () => {
  const team = await two();
  const text = 'satisfied with S1 and S2';
  const asks = [{ member: 'S1' }, { member: 'S2' }];
  expect(await say(team, { text })).toMatchObject({ value: { asks } });
  // A single yes for two members releases none.
  expect(await say(team, { text, meant: 'release' })).toMatchObject({ value: { asks } });
  expect(released(team)).toEqual([]);
  expect(await say(team, { text, meant: 'release', release: ['S2'] })).toMatchObject({ value: { asks: [] } });
  expect(released(team)).toEqual(['S2']);
});

test('two members in doubt of whom none is confirmed only get the message', async () => {
  const team = await two();
  const text = 'satisfied with S1 and S2';
  expect(await say(team, { text, meant: 'release', release: [] })).toMatchObject({ value: { asks: [] } });
  expect(released(team)).toEqual([]);
  expect(Object.values(team.team.messages).at(-1)).toMatchObject({ text, kind: 'note' });
});

test('the intended one of two members with different wishes is released alone', async () => {
  const team = await two();
  expect(await say(team, { text: "I'm satisfied with S1, but S2 should go on" })).toMatchObject({
    value: { asks: [] },
  });
  expect(released(team)).toEqual(['S1']);
  expect(team.waiting('S2')).toBeUndefined();
});

test('the name of a member with a colon begins a round of that member, as @name does', async () => {
  const team = await two();
  const said = await say(team, {
    text: 'S1: Add more design system terminology, make it more instructional',
  });
  expect(said).toMatchObject({ ok: true });
  expect(Object.values(team.team.messages).at(-1)).toMatchObject({
    kind: 'instruction',
    text: 'Add more design system terminology, make it more instructional',
  });
  expect(team.team.members.S1?.rounds).toHaveLength(2);
  expect(team.team.members.S2?.rounds).toHaveLength(1);
});

test('a text to a member with its name and a colon releases it', async () => {
  const team = await two();
  expect(await say(team, { text: "S1: I'm satisfied." })).toMatchObject({ value: { asks: [] } });
  expect(released(team)).toEqual(['S1']);
});

test('a member called user is reached by its name, and can be read by it', async () => {
  const team = await openTeam({ members: [member('user', { iterative: true })] });
  await team.deliver('user', 'draft');
  expect(await say(team, { text: '@user Shorter.' })).toMatchObject({ ok: true });
  expect(team.team.members.user?.rounds).toHaveLength(2);
  const read = await team.call('operator', 'team_results', { from: 'user' });
  expect(read).toMatchObject({ value: { text: expect.stringContaining('draft') } });
});

test.each(['@S1', '@S1:', ' @S1 '])(
  'the text %j is only an address: nothing is sent to anyone',
  async (text) => {
    const team = await two();
    expect(await say(team, { text })).toMatchObject({ error: { code: 'validation.config' } });
    expect(Object.values(team.team.messages).at(-1)?.text).not.toContain('@S1');
  },
);
