import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';

/** A step with two turns, whose program survives the core. */
async function running(policy: 'ask' | 'retry' = 'ask'): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => null;
  harness.agents.survives = () => 'goes_on';
  await harness.run({ steps: [task('a', { re_prompts: ['again'] }, { on_interrupt: policy })] });
  return harness;
}

const types = (harness: Harness, pattern: RegExp) =>
  harness.events().flatMap(({ type }) => (pattern.test(type) ? [type] : []));

describe('an agent whose program outlives the core', () => {
  test('an agent that outlives the core in mid-turn goes on: the turn ends once, and the next one goes into the same program', async () => {
    const harness = await running();
    await harness.restart();
    expect(harness.events().at(-1)).toEqual({ type: 'session.reattached', sessionId: 1, turnId: 1 });
    expect(harness.state().sessions[1]).toMatchObject({ status: 'ready', reattachedAt: 1_000 });
    expect(harness.state().turns[1]?.status).toBe('in_flight');
    harness.agents.sent[0]?.end({ response: 'first' });
    await harness.idle();
    harness.agents.sent[1]?.end({ response: 'second' });
    await harness.idle();
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(harness.agents.opened).toHaveLength(1);
    expect(harness.agents.sent.map(({ request }) => request.turnId)).toEqual([1, 2]);
    expect(types(harness, /^turn\.(finished|interrupted)/)).toEqual(['turn.finished', 'turn.finished']);
  });

  test('an agent that ended its turn while there was no core has it recorded once, also over a second crash', async () => {
    const harness = await running();
    harness.agents.cut();
    harness.agents.sent[0]?.end({ response: 'first' });
    await harness.restart();
    expect(harness.state().turns[1]).toMatchObject({ status: 'completed', response: 'first' });
    await harness.restart();
    expect(types(harness, /^turn\.finished/)).toEqual(['turn.finished']);
    expect(harness.agents.sent).toHaveLength(2);
  });

  test('an agent between two turns, at a gate, outlives the core and gets the next one', async () => {
    const harness = new Harness();
    harness.agents.survives = () => 'goes_on';
    await harness.run({
      steps: [task('a'), gate('ok'), task('b', { session_mode: 'continue' })],
      cables: [
        { from: 'a.data_out', to: 'ok.data_in' },
        { from: 'ok.approved_out', to: 'b.instruction_in' },
        { from: 'a.data_out', to: 'b.data_in' },
      ],
    });
    expect(harness.state().gates[1]?.status).toBe('open');
    await harness.restart();
    expect(harness.events().at(-1)).toEqual({ type: 'session.reattached', sessionId: 1, turnId: null });
    await harness.answer('approve');
    expect(harness.agents.opened).toHaveLength(1);
    expect(harness.state().sessions[1]?.turnIds).toEqual([1, 2]);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('an agent that got nothing of the turn before the crash is sent it now, once', async () => {
    const harness = await running();
    harness.agents.survives = () => 'unsent';
    const [lost] = harness.agents.sent.splice(0);
    for (const program of harness.agents.living.values()) program.current = null;
    await harness.restart();
    expect(lost?.request.turnId).toBe(1);
    expect(harness.agents.sent.map(({ request }) => request.turnId)).toEqual([1]);
    expect(types(harness, /^(turn\.interrupted|session\.lost)/)).toEqual([]);
  });

  test('an agent that may or may not have the turn has it cut off with that reason, and its policy is asked', async () => {
    const harness = await running();
    harness.agents.survives = () => 'cut';
    await harness.restart();
    expect(harness.state().turns[1]).toMatchObject({
      status: 'interrupted',
      stopReason: 'typed, not entered',
    });
    expect(harness.state().sessions[1]?.status).toBe('ready');
    expect(harness.state().gates[1]).toMatchObject({
      kind: 'interrupted_turn',
      message: expect.stringMatching(/^Turn 1 of 2 was cut off: typed, not entered\./),
    });
    harness.agents.survives = () => 'goes_on';
    await harness.answer('continue');
    expect(harness.agents.opened).toHaveLength(1);
    expect(harness.agents.sent.at(-1)?.request.prompt).toMatch(/^Your last turn was cut off/);
  });

  test('an agent is cancelled after it was taken up again, and where the core went before it had told the agent', async () => {
    const harness = await running();
    await harness.restart();
    await harness.cancel();
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });

    const other = await running();
    other.agents.heeds = false;
    await other.engine.command(1, () => ({
      ok: true,
      value: [{ type: 'turn.cancel-requested', turnId: 1, by: 'operator' }],
    }));
    other.agents.heeds = true;
    await other.restart();
    expect(other.state().turns[1]?.status).toBe('cancelled');
  });

  test('an agent whose program is gone is lost as ever, and one that lived on and ended says how', async () => {
    const harness = await running();
    harness.agents.survives = () => null;
    await harness.restart();
    expect(types(harness, /^(turn\.interrupted|session\.(lost|reattached))/)).toEqual([
      'turn.interrupted',
      'session.lost',
    ]);

    const other = await running();
    other.agents.gone = 'its program exited with code 3';
    await other.restart();
    expect(other.state().sessions[1]).toMatchObject({ status: 'lost', reason: other.agents.gone });
    expect(other.state().turns[1]?.stopReason).toMatch(/; its program exited with code 3$/);
  });

  test('an agent is ended with its program when Muster is closed in order', async () => {
    const harness = await running();
    await harness.engine.park();
    expect(types(harness, /^(turn\.interrupted|session\.parked)/)).toEqual([
      'turn.interrupted',
      'session.parked',
    ]);
  });
});
