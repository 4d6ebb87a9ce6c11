import { ok } from '@contract/result';
import { member, openTeam } from '@features/team/core/testing/team';
import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from './testing/harness';

const stop = async (harness: Harness, turnId: number): Promise<void> => {
  await harness.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId, by: 'test' }]));
  await harness.idle();
};
const open = (harness: Harness) =>
  Object.values(harness.state().gates).filter((one) => one.status === 'open');

describe('a turn that was to be stopped when the core ended', () => {
  test('a turn that was being stopped is not sent again and not asked about: its step is cancelled, as it would have been', async () => {
    for (const on_interrupt of ['retry', 'ask', 'fail'] as const) {
      const harness = new Harness();
      harness.agents.answer = () => null;
      harness.agents.heeds = false;
      await harness.run({ steps: [task('a', {}, { on_interrupt })] });
      await stop(harness, 1);
      await harness.restart();
      expect(harness.state().turns[1]).toMatchObject({ status: 'interrupted', cancelledBy: 'test' });
      expect(harness.agents.sent).toHaveLength(1);
      expect(harness.state()).toMatchObject({ outcome: 'cancelled', gates: {} });
      expect(harness.state().activations[1]).toMatchObject({ outcome: 'cancelled', error: null });
    }
  });

  test('a turn that was being stopped can be taken up again with its run', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    harness.agents.heeds = false;
    await harness.run({ steps: [task('a', {}, { on_interrupt: 'retry' })] });
    await stop(harness, 1);
    await harness.restart();
    await harness.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
    await harness.idle();
    expect(harness.agents.sent).toHaveLength(2);
  });

  test("a turn that was being stopped is over where it was the operator's own prompt", async () => {
    for (const on_interrupt of ['retry', 'ask'] as const) {
      const harness = new Harness();
      await harness.run({
        steps: [task('a', { session_persist: true }, { on_interrupt }), gate('ok')],
        cables: [{ from: 'a.data_out', to: 'ok.data_in' }],
      });
      harness.agents.answer = () => null;
      harness.agents.heeds = false;
      const said = { promptId: 1, sessionId: 1, text: 'More.', attachments: [], by: 'test' };
      await harness.engine.command(1, () => ok([{ type: 'prompt.queued', ...said }]));
      await harness.idle();
      await stop(harness, 2);
      await harness.restart();
      expect(harness.agents.sent).toHaveLength(2);
      expect(open(harness)).toMatchObject([{ kind: 'approval' }]);
    }
  });

  test('a turn that was being stopped leaves a member of a team in it, who can be given another', async () => {
    const team = await openTeam({ members: [member('S1', { iterative: true })] });
    team.agents.heeds = false;
    const turn = team.waiting('S1')?.request.turnId ?? 0;
    await stop(team, turn);
    await team.restart();
    expect(team.state().turns[turn]).toMatchObject({ status: 'interrupted' });
    expect(open(team).filter(({ kind }) => kind === 'interrupted_turn')).toEqual([]);
    expect(team.state().activations[1]?.brokenLanes).toEqual({});
    expect(team.state().status).toBe('running');
  });
});
