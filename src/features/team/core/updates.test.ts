import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { member, openTeam, type TeamHarness } from './testing/team';

const iterative = member('S1', { iterative: true });
const firsts = (team: TeamHarness): string[] =>
  team
    .events()
    .flatMap((event) => (event.type === 'update.posted' ? [event.text.split('\n', 3).join(', ')] : []));

test('the update of a round names the cap as it was raised', async () => {
  const team = await openTeam({ members: [iterative], max_rounds: 2 });
  for (const text of ['one', 'two']) {
    await team.deliver('S1', text);
    await team.say('S1', 'more');
  }
  await team.answer('more');
  await team.deliver('S1', 'three');
  expect(firsts(team).map((text) => text.split(',')[0])).toEqual([
    ...['Iteration 1/2', 'Iteration 2/2', 'Iteration 3/4'],
  ]);
});

test('a turn that was reported and is sent again is a retry of its round', async () => {
  const team = await openTeam({ members: [iterative] });
  team.waiting('S1')?.end({ outcome: 'limit', stopReason: 'limit', limitResetsAt: team.clock.time + 5000 });
  await team.idle();
  team.clock.advance(5001);
  await team.idle();
  const turnId = team.waiting('S1')?.request.turnId ?? 0;
  await team.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId, by: 'operator' }]));
  await team.idle();
  await team.say('S1', 'go on');
  await team.deliver('S1', 'draft');
  await team.say('S1', 'more');
  await team.deliver('S1', 'another');
  expect(firsts(team)).toEqual([
    'Iteration 1/50, Story: S1 - team, Result: blocked',
    'Iteration 1/50 (retry 1), Story: S1 - team, Result: failed',
    'Iteration 1/50 (retry 2), Story: S1 - team, Result: completed',
    'Iteration 2/50, Story: S1 - team, Result: completed',
  ]);
});

test('a turn that was cut off and goes on is no retry: it was not reported before', async () => {
  const team = await openTeam({ members: [iterative] });
  await team.restart();
  await team.answer('continue');
  await team.deliver('S1', 'draft');
  expect(firsts(team)).toEqual(['Iteration 1/50, Story: S1 - team, Result: completed']);
});
