import { expect, test } from 'vitest';
import { teamFeature } from '../contract/feature';
import { memberStatus } from '../contract/status';
import { member, openTeam } from './testing/team';

test('members that wait for a place of their agent have their number in the line', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `S${index + 1}`);
  const team = await openTeam({ members: names.map((name) => member(name)) });
  const why = (name: string) => {
    const found = team.team.members[name];
    return found === undefined ? '' : memberStatus(team.state(), team.team, found).why;
  };
  const waits = 'its first instruction waits for a place';
  expect(names.map(why).filter((text) => text.startsWith(waits))).toEqual([
    `${waits}, number 1 of 2`,
    `${waits}, number 2 of 2`,
  ]);
  await team.deliver('S1', '<task-result status="completed">done</task-result>');
  await team.call('operator', 'team_shutdown', { member: 'S1' });
  expect([team.word('S9'), why('S10')]).toEqual(['working', waits]);
});

test('the lane of a member that waits for the operator says so, until it is given more to do', async () => {
  const team = await openTeam({ members: [member('S1', { iterative: true }), member('S2')] });
  const awaits = (lane: string) => teamFeature.progress(team.state(), 1)?.waitingLanes.includes(lane);
  expect(awaits('member-S1')).toBe(false);
  await team.deliver('S1', 'draft');
  expect([team.word('S1'), awaits('member-S1'), awaits('member-S2'), awaits('lead')]).toEqual([
    'awaiting_operator',
    true,
    false,
    false,
  ]);
  await team.say('S1', 'shorter');
  expect(awaits('member-S1')).toBe(false);
});
