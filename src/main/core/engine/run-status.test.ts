import type { RunStatus } from '@contract/run/state';
import { limitEnd, runStatus } from '@contract/run/status';
import { member, openTeam } from '@features/team/core/testing/team';
import { describe, expect, test } from 'vitest';
import { fakeProfile, gate, Harness, task } from './testing/harness';

const request = { tool: 'edit', title: 'Edit notes.md', kind: 'edit', diffs: [], hash: 'h1' };

const coding = (...roles: string[]) => ({
  id: 'code',
  type: 'step.coding',
  config: {
    instruction: 'Build it.',
    coordination: 'parallel',
    agents: roles.map((role) => ({ role, acp_profile_id: 'fake' })),
  },
});

async function begun(steps: readonly unknown[]): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => null;
  harness.commands.answer = () => null;
  await harness.run({ steps });
  return harness;
}

const ask = async (harness: Harness, turn: number): Promise<void> => {
  void harness.agents.sent[turn]?.ask(request);
  await harness.idle();
};
const end = async (harness: Harness, turn: number, result = {}): Promise<void> => {
  harness.agents.sent[turn]?.end({ response: 'done', ...result });
  await harness.idle();
};
const status = (harness: Harness): RunStatus => runStatus(harness.state());

describe('a run waits where nothing works and a gate is open', () => {
  test('a run works while another agent of the step that asks is in mid-turn', async () => {
    const harness = await begun([coding('one', 'two')]);
    await ask(harness, 0);
    expect(status(harness)).toBe('running');
    await end(harness, 1);
    expect(status(harness)).toBe('waiting');
    await harness.answer('allow');
    expect(status(harness)).toBe('running');
  });

  test('a run waits while each agent waits for its own permission', async () => {
    const harness = await begun([coding('one', 'two')]);
    await ask(harness, 0);
    await ask(harness, 1);
    expect(status(harness)).toBe('waiting');
  });

  test('a run works while an agent ends its turn because it was cancelled, though it had asked', async () => {
    const harness = await begun([task('a')]);
    await ask(harness, 0);
    expect(status(harness)).toBe('waiting');
    harness.agents.heeds = false;
    await harness.engine.command(1, () => ({
      ok: true,
      value: [{ type: 'turn.cancel-requested', turnId: 1, by: 'test' }],
    }));
    expect(status(harness)).toBe('running');
  });

  test('a run works while the operator is answered in a session of a step that has ended', async () => {
    const harness = await begun([task('a'), gate('g')]);
    await end(harness, 0);
    expect(status(harness)).toBe('waiting');
    await harness.engine.command(1, () => ({
      ok: true,
      value: [
        { type: 'prompt.queued', promptId: 1, sessionId: 1, text: 'And?', attachments: [], by: 'test' },
      ],
    }));
    await harness.idle();
    expect(harness.agents.sent).toHaveLength(2);
    expect(status(harness)).toBe('running');
  });

  test('a run waits while a step only waits for a place that another one holds, which asks', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run(
      { steps: [task('a'), task('b')] },
      { profiles: { fake: { ...fakeProfile, max_sessions: 1 } } },
    );
    expect(harness.agents.sent).toHaveLength(1);
    expect(status(harness)).toBe('running');
    await ask(harness, 0);
    expect(status(harness)).toBe('waiting');
    await harness.answer('allow');
    await end(harness, 0);
    expect(harness.agents.sent).toHaveLength(2);
    expect(status(harness)).toBe('running');
  });

  test('a run works while a member of a team works, and says that only a limit is waited for', async () => {
    const harness = await openTeam({ lead: 'operator', members: [member('ada'), member('ben')] });
    void harness.waiting('ada')?.ask(request);
    await harness.idle();
    expect(status(harness)).toBe('running');
    harness
      .waiting('ben')
      ?.end({ outcome: 'limit', stopReason: 'limit', limitResetsAt: harness.clock.time + 60_000 });
    await harness.idle();
    expect(status(harness)).toBe('limited');
    harness.clock.advance(60_000);
    await harness.idle();
    await harness.deliver('ben', 'done');
    expect(status(harness)).toBe('waiting');
  });

  test('a run is limited while one step waits for its provider, and runs while another one works', async () => {
    const harness = await begun([task('a'), task('b')]);
    await end(harness, 0, {
      outcome: 'limit',
      stopReason: 'limit',
      limitResetsAt: harness.clock.time + 60_000,
    });
    expect(status(harness)).toBe('running');
    await end(harness, 1);
    expect(status(harness)).toBe('limited');
    expect(limitEnd(harness.state())).toBe(harness.clock.time + 60_000);
    harness.clock.advance(60_000);
    await harness.idle();
    expect(status(harness)).toBe('running');
    expect(limitEnd(harness.state())).toBeNull();
  });
});
