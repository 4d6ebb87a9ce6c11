import { ok } from '@contract/result';
import { expect, it } from 'vitest';
import { member, openTeam, type TeamHarness } from './testing/team';

const conflict = (shown: 'whole' | 'cut') => ({ path: 'x.md', ours: 'a', theirs: 'b', base: null, shown });

/** A member that stopped with work. */
async function stopped(): Promise<TeamHarness> {
  const team = await openTeam({ members: [member('S1', { iterative: true })] });
  await team.deliver('S1', 'draft');
  const stop = { type: 'team.stopped', activationId: 1, member: 'S1', reason: 'x', frozen: 'abc' } as const;
  await team.engine.command(1, () => ok([stop]));
  await team.idle();
  return team;
}

const open = (team: TeamHarness) =>
  Object.values(team.state().gates).filter((gate) => gate.status === 'open');

it('a merge that is another one by then than the one confirmed is asked about again, as often as need be', async () => {
  const team = await stopped();
  const asked: string[] = [];
  const { merge } = team.merges;
  const tried = { target: 'feature', targetCommit: 'def', files: 2, conflicts: [] };
  Object.assign(team.merges, {
    merge: async ({ id, rehearsed }: Parameters<typeof merge>[0]) => {
      asked.push(`${id} into ${rehearsed.target} at ${rehearsed.targetCommit}`);
      return ok({ kind: 'moved', moved: 'Your checkout is on feature now, and was on main.', ...tried });
    },
  });
  await team.answer('merge');
  expect(open(team)).toMatchObject([
    {
      about: 'merge 1 1',
      title: 'Merge S1 into feature?',
      message:
        'Your checkout is on feature now, and was on main. Look again. 2 files change. It was tried beside your checkout, and fits.',
    },
  ]);
  await team.answer('merge');
  expect(open(team)).toMatchObject([{ about: 'merge 1 2' }]);
  Object.assign(team.merges, { merge });
  await team.answer('merge');
  expect(asked).toEqual(['U0/1/1 into main at abc', 'U0/1/1 into feature at def']);
  expect(team.word('S1')).toBe('merged');
  expect(team.state().outcome).toBe('succeeded');
});

it('choices made for a merge that is another one by then hold no more', async () => {
  const team = await stopped();
  Object.assign(team.merges, {
    merge: async () =>
      ok({
        kind: 'moved',
        moved: 'main has moved on since.',
        target: 'main',
        targetCommit: 'def',
        files: 1,
        conflicts: [conflict('cut')],
      }),
  });
  await team.answer('merge');
  expect(team.team.merges[1]).toMatchObject({ status: 'rehearsed', choices: {}, again: 1 });
  expect(open(team)).toMatchObject([{ message: expect.stringContaining('decide each of them') }]);
});
