import type { RunRow } from '@contract/run/procedures';
import { double } from '@contract/testing/double';
import { member, openTeam, type TeamHarness } from '@features/team/core/testing/team';
import { expect, test } from 'vitest';
import { TeamService } from './service';

function serve(team: TeamHarness): TeamService {
  const row = () =>
    ({ id: 1, uid: 'u', name: 'Writers', projectName: 'p', finishedAt: null, at: 0 }) as RunRow;
  const parts = {
    engine: team.engine,
    rows: () => ({ rows: [row()], more: false }),
    now: team.clock.now,
    state: () => team.state(),
    stateWithoutHistory: () => team.state(),
  };
  return new TeamService(double<ConstructorParameters<typeof TeamService>[0]>(parts));
}

test('members of a live team that wait for the operator are replies, and no others', async () => {
  const members = ['S1', 'S2'].map((name) => member(name, { iterative: true }));
  const team = await openTeam({ members });
  const service = serve(team);
  await team.deliver('S1', 'draft');
  expect(service.replies(10)).toMatchObject([{ runId: 1, activationId: 1, member: 'S1', round: 1 }]);
  const asked = { type: 'run.cancel-requested', by: 'operator' } as const;
  await team.engine.command(1, () => ({ ok: true, value: [asked] }));
  await team.idle();
  expect(service.replies(10)).toEqual([]);
});

test('a team in which nothing goes on by itself is one reply of the whole team', async () => {
  const team = await openTeam({ members: [member('S1')] });
  await team.deliver('S1', 'done');
  expect(serve(team).replies(10)).toMatchObject([{ runId: 1, activationId: 1, member: null }]);
});
