import { ok } from '@contract/result';
import { keyText } from '@contract/run/keys';
import type { Merges } from '@main/core/ports/workspaces/merges';
import { describe, expect, test } from 'vitest';
import { member, openTeam, type TeamHarness } from './testing/team';

const conflict = (shown: 'whole' | 'cut') => ({ path: 'x.md', ours: 'a', theirs: 'b', base: null, shown });

/** A member that stopped with changes. */
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

test('a merge that differs from the confirmed one by then is asked about again, as often as needed', async () => {
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
      about: keyText(['team.merge', 1, 1]),
      title: 'Merge S1 into feature?',
      message:
        'Your checkout is on feature now, and was on main. Look again. 2 files changed. Merges cleanly.',
    },
  ]);
  await team.answer('merge');
  expect(open(team)).toMatchObject([{ about: keyText(['team.merge', 1, 2]) }]);
  Object.assign(team.merges, { merge });
  await team.answer('merge');
  expect(asked).toEqual(['U0/1/1 into main at abc', 'U0/1/1 into feature at def']);
  expect(team.word('S1')).toBe('merged');
  expect(team.state().outcome).toBe('succeeded');
});

test('the choices for a merge are void once the merge has changed', async () => {
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

test('a team that is told to end says whose merge it waits for, and ends with the decision', async () => {
  const team = await stopped();
  const waits = 'It ends when the merge of S1 is decided.';
  const cleanup = async () =>
    (await team.call('operator', 'team_cleanup', {})) as { value?: { text: string } };
  expect((await cleanup()).value?.text).toBe(`The team is cleaned up. ${waits}`);
  expect((await cleanup()).value?.text).toBe(`The team is cleaned up already. ${waits}`);
  expect(team.state().outcome).toBeNull();
  await team.answer('merge');
  expect(team.state().outcome).toBe('succeeded');
});

describe('a run that is cancelled', () => {
  const resume = async (team: TeamHarness) => {
    await team.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
    await team.idle();
  };

  /** Starts a merge that ends when the test lets it. */
  async function making() {
    const team = await stopped();
    const { merge } = team.merges;
    let go: () => void = () => undefined;
    const held: Merges['merge'] = (wanted) =>
      new Promise((resolve) => {
        go = () => resolve(merge(wanted));
      });
    Object.assign(team.merges, { merge: held });
    await team.answer('merge');
    await team.cancel();
    return { team, merge, go };
  }

  test('a cancelled run ends once the running merge has ended, and nothing changes afterwards', async () => {
    const { team, go } = await making();
    expect(team.state().status).toBe('cancelling');
    go();
    await team.idle();
    expect(team.state().outcome).toBe('cancelled');
    expect(team.events().at(-1)?.type).toBe('run.finished');
    expect(team.word('S1')).toBe('merged');
  });

  test('a cancelled run makes the merge after a restart, and ends when it is taken up again', async () => {
    const { team, merge } = await making();
    Object.assign(team.merges, { merge });
    await team.restart();
    expect([team.state().outcome, team.word('S1')]).toEqual(['cancelled', 'merged']);
    await resume(team);
    expect(team.state().outcome).toBe('succeeded');
  });

  test('a cancelled run waits for the merge rehearsal, and asks about the merge when it is taken up again', async () => {
    const team = await openTeam({ members: [member('S1', { iterative: true })] });
    const { rehearse } = team.merges;
    let go: () => void = () => undefined;
    const held: Merges['rehearse'] = (wanted) =>
      new Promise((resolve) => {
        go = () => resolve(rehearse(wanted));
      });
    Object.assign(team.merges, { rehearse: held });
    await team.deliver('S1', 'draft');
    const stop = { type: 'team.stopped', activationId: 1, member: 'S1', reason: 'x', frozen: 'abc' } as const;
    await team.engine.command(1, () => ok([stop]));
    await team.cancel();
    expect(team.state().status).toBe('cancelling');
    go();
    await team.idle();
    expect(team.state().outcome).toBe('cancelled');
    await resume(team);
    expect(open(team)).toMatchObject([{ title: 'Merge S1 into main?' }]);
  });

  test('a cancelled run asks about its merge again where an earlier Muster ended in the middle of it', async () => {
    const { team, merge } = await making();
    const { seq, at } = team.log.rows.at(-1) ?? { seq: 0, at: 0 };
    const ends = [
      {
        type: 'activation.finished' as const,
        activationId: 1,
        outcome: 'cancelled' as const,
        outputs: {},
        signals: [],
        receipt: {},
        warnings: [],
        error: null,
      },
      { type: 'run.finished' as const, outcome: 'cancelled' as const, reason: null },
    ];
    for (const [index, event] of ends.entries())
      team.log.rows.push({ id: 1000 + index, runId: 1, seq: seq + 1 + index, at, event });
    Object.assign(team.merges, { merge });
    await team.restart();
    expect(team.team.merges[1]?.status).toBe('confirmed');
    await resume(team);
    expect(open(team)).toMatchObject([
      { title: 'The work of S1 is not merged', message: 'The run was cancelled before it was done.' },
    ]);
    await team.answer('again');
    await team.answer('merge');
    expect([team.word('S1'), team.state().outcome]).toEqual(['merged', 'succeeded']);
  });
});
