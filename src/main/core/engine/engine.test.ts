import { agentProfileSchema } from '@areas/agents/contract/profile';
import { appError } from '@contract/errors';
import { replay } from '@contract/run/reduce';
import { describe, expect, test } from 'vitest';
import { fakeProfile, gate, Harness, task } from './testing/harness';

const request = { tool: 'edit', title: 'Edit notes.md', kind: 'edit', diffs: [], hash: 'h1' };

describe('the executor', () => {
  test('the executor runs independent steps at the same time, within max_parallel', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ max_parallel: 2, steps: [task('a'), task('b'), task('c')] });
    expect(harness.agents.sent.map((turn) => turn.request.prompt)).toEqual(['do a', 'do b']);
    harness.agents.sent[0]?.end({ response: 'x' });
    await harness.idle();
    expect(harness.agents.sent.map((turn) => turn.request.prompt)).toEqual(['do a', 'do b', 'do c']);
  });

  test('the executor keeps to the limit of sessions of a profile', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    const profiles = { fake: { ...fakeProfile, max_sessions: 1 } };
    await harness.run({ steps: [task('a'), task('b')] }, { profiles });
    expect(harness.agents.opened).toHaveLength(1);
    harness.agents.sent[0]?.end({ response: 'x' });
    await harness.idle();
    expect(harness.agents.opened).toHaveLength(2);
  });

  test('the executor commits a turn before it is sent', async () => {
    const harness = new Harness();
    const seen: boolean[] = [];
    harness.agents.answer = (turn) => {
      seen.push(
        harness
          .events()
          .some((event) => event.type === 'turn.dispatched' && event.turnId === turn.request.turnId),
      );
      return { response: 'x' };
    };
    await harness.run({ steps: [task('a', { re_prompts: ['b'] })] });
    expect(seen).toEqual([true, true]);
  });

  test('the executor skips what depends on a failed step, runs the rest, and is never green', async () => {
    const harness = new Harness();
    harness.agents.answer = (turn) =>
      turn.request.prompt === 'do a'
        ? { outcome: 'failed', stopReason: 'error', error: appError('agent.crashed', 'it died') }
        : { response: 'x' };
    await harness.run({
      steps: [task('a'), task('b'), task('c')],
      cables: [{ from: 'a.data_out', to: 'b.data_in' }],
    });
    const state = harness.state();
    expect(state.outcome).toBe('failed');
    expect(state.steps.b?.skipped).toBe('a failed');
    expect(state.activations[2]?.outcome).toBe('succeeded');
  });

  test('the executor fails the step at a failed re-prompt and resumes from that turn in the same session', async () => {
    const harness = new Harness();
    let broken = true;
    harness.agents.answer = (turn) =>
      turn.request.prompt === 'r1' && broken
        ? { outcome: 'failed', stopReason: 'error', error: appError('agent.failed', 'no') }
        : { response: turn.request.prompt };
    await harness.run({ steps: [task('a', { re_prompts: ['r1', 'r2'] })] });
    expect(harness.state().turns[1]?.response).toBe('do a');
    expect(harness.state().outcome).toBe('failed');
    broken = false;
    await harness.engine.command(1, () => ({
      ok: true,
      value: [{ type: 'run.resumed', by: 'test', activationIds: [1] }],
    }));
    await harness.idle();
    expect(harness.agents.sent.map((turn) => turn.request.prompt)).toEqual(['do a', 'r1', 'r1', 'r2']);
    expect(harness.state().activations[1]?.outputs.data_out?.content).toMatchObject({ response_count: 3 });
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(1);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('the executor really stops a run: turns are cancelled, commands ended, sessions closed, and the state says so', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    harness.commands.answer = () => null;
    const command = { id: 'c', type: 'step.command', config: { script: 'sleep 100' } };
    await harness.run({ steps: [task('a'), command, gate('g')] });
    await harness.cancel();
    const state = harness.state();
    expect(state.outcome).toBe('cancelled');
    expect(Object.values(state.activations).map((activation) => activation.outcome)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    expect(state.turns[1]?.status).toBe('cancelled');
    expect(state.commands[1]?.status).toBe('cancelled');
    expect(state.gates[1]?.status).toBe('withdrawn');
    expect(harness.agents.ended).toEqual(['close U0/s1']);
  });

  test('the executor gives up the start of an agent that never comes to its prompt', async () => {
    const harness = new Harness();
    harness.agents.hangs = true;
    await harness.run({ steps: [task('a')] });
    expect(harness.state().sessions[1]?.status).toBe('starting');
    await harness.cancel();
    expect(harness.agents.ended).toEqual(['start U0/s1']);
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
    expect(harness.state().sessions[1]).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });

  test('the executor refuses what the store does not accept, and keeps results until it does', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a')] });
    harness.log.failing = 1;
    harness.agents.sent[0]?.end({ response: 'kept' });
    await harness.idle();
    expect(harness.state().turns[1]?.status).toBe('in_flight');
    harness.clock.advance(300);
    await harness.idle();
    expect(harness.state().turns[1]?.response).toBe('kept');
    expect(harness.state().outcome).toBe('succeeded');
  });
});

describe('a run that is up', () => {
  test('a run that is up is not taken up a second time, and its work in flight lives', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    const runId = await harness.run({ steps: [task('a')] });
    expect(await harness.engine.recover([runId])).toEqual([]);
    expect(harness.state().turns[1]?.status).toBe('in_flight');
    harness.agents.sent[0]?.end({ response: 'done' });
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
  });
});

describe('a bug in an adapter', () => {
  test('a bug in an adapter ends what had begun as failed, is logged, and leaves nothing waiting', async () => {
    const harness = new Harness();
    harness.agents.refuse = () => {
      throw new Error('a bug');
    };
    harness.commands.answer = () => {
      throw new Error('another');
    };
    await harness.run({ steps: [task('a'), { id: 'c', type: 'step.command', config: { script: 'x' } }] });
    const state = harness.state();
    expect(state.outcome).toBe('failed');
    expect(Object.values(state.activations).map((activation) => activation.error?.code)).toEqual([
      'internal',
      'internal',
    ]);
    expect(harness.logged.join()).toMatch(/a bug/);
    expect(harness.logged.join()).toMatch(/another/);
  });

  test('a bug in the workspace adapter fails the step that needs a workspace', async () => {
    const harness = new Harness();
    harness.workspace = async () => {
      throw new Error('a bug');
    };
    await harness.run({ steps: [task('a')] });
    expect(harness.state().activations[1]).toMatchObject({ outcome: 'failed', error: { code: 'internal' } });
  });
});

describe('gates', () => {
  const steps = [task('a'), gate('ok', { max_attempts: 2 }), task('b')];
  const cables = [
    { from: 'a.data_out', to: 'ok.data_in' },
    { from: 'ok.approved_out', to: 'b.data_in' },
  ];
  const back = [...cables, { from: 'ok.revise_out', to: 'a.instruction_in' }];

  test('a gate passes on what was approved', async () => {
    const harness = new Harness();
    await harness.run({ steps, cables });
    expect(harness.state().gates[1]?.evidence).toBe('answer to: do a');
    await harness.answer('approve');
    expect(harness.agents.sent[1]?.request.prompt).toBe('do b\n\n## Input\nanswer to: do a');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a rejected gate ends the run as rejected where revise_out is not connected', async () => {
    const harness = new Harness();
    await harness.run({ steps, cables });
    await harness.answer('reject', { reason: 'no' });
    expect(harness.state().outcome).toBe('rejected');
    expect(harness.state().steps.b?.skipped).toBe('ok rejected');
  });

  test('a rejected gate leads back at most max_attempts times, with the reason on instruction_in', async () => {
    const harness = new Harness();
    await harness.run({ steps, cables: back });
    for (const reason of ['one', 'two', 'three']) await harness.answer('reject', { reason });
    const prompts = harness.agents.sent.map((turn) => turn.request.prompt);
    const second = 'do a\n\n## Your last version\nanswer to: do a\n\n## Revision requested\none';
    const third = `do a\n\n## Your last version\nanswer to: ${second}\n\n## Revision requested\ntwo`;
    expect(prompts).toEqual(['do a', second, third]);
    expect(harness.state().outcome).toBe('rejected');
  });

  test('a gate still waits after a restart, and goes on after the answer', async () => {
    const harness = new Harness();
    await harness.run({ steps, cables });
    await harness.restart();
    expect(harness.state().gates[1]?.status).toBe('open');
    await harness.answer('approve');
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.agents.sent).toHaveLength(2);
  });

  test('a permission request opens a gate and gives the answer to the waiting agent', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a')] });
    const answer = harness.agents.sent[0]?.ask(request);
    await harness.idle();
    expect(harness.state().gates[1]).toMatchObject({ kind: 'permission', status: 'open' });
    await harness.answer('deny', { reason: 'not there' });
    expect(await answer).toEqual({ allow: false, always: false, reason: 'not there' });
    expect(harness.state().gates[1]?.delivered).toBe(true);
  });

  test('a stored answer is given once when the resumed turn asks the same again', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a', {}, { on_interrupt: 'retry' })] });
    void harness.agents.sent[0]?.ask(request);
    await harness.idle();
    const gateId = 1;
    harness.engine.live(1)?.pendingPermissions.clear();
    await harness.answer('allow', { gateId });
    await harness.restart();
    expect(harness.agents.sent).toHaveLength(2);
    expect(await harness.agents.sent[1]?.ask(request)).toEqual({ allow: true, always: false, reason: null });
    const again = harness.agents.sent[1]?.ask(request);
    await harness.idle();
    expect(harness.state().gates[2]).toMatchObject({ status: 'open' });
    await harness.answer('allow');
    expect(await again).toMatchObject({ allow: true });
  });

  test('an open question is taken up again, and says why where another one is asked', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a', {}, { on_interrupt: 'retry' })] });
    void harness.agents.sent[0]?.ask(request);
    await harness.idle();
    await harness.restart();
    const same = harness.agents.sent[1]?.ask(request);
    const other = harness.agents.sent[1]?.ask({ ...request, hash: 'h2' });
    await harness.idle();
    expect(Object.values(harness.state().gates)).toHaveLength(2);
    expect(harness.state().gates[2]?.why).toContain('something else than before');
    await harness.answer('allow', { gateId: 1 });
    await harness.answer('deny', { gateId: 2 });
    expect([(await same)?.allow, (await other)?.allow]).toEqual([true, false]);
  });
});

describe('work in flight when Muster died', () => {
  const start = async (onInterrupt: string | undefined, profile = fakeProfile) => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    const more = onInterrupt === undefined ? {} : { on_interrupt: onInterrupt };
    await harness.run({ steps: [task('a', { re_prompts: ['r'] }, more)] }, { profiles: { fake: profile } });
    harness.agents.sent[0]?.end({ response: 'one' });
    await harness.idle();
    await harness.restart();
    return harness;
  };

  test('the policy retry sends the turn again in the resumed session, and repeats no finished one', async () => {
    const harness = await start('retry');
    expect(harness.state().turns[2]).toMatchObject({ status: 'interrupted', response: 'partial' });
    expect(harness.agents.sent.map((turn) => turn.request.prompt)).toEqual(['do a', 'r', 'r']);
    expect(harness.agents.opened[1]?.resume).toEqual({
      providerSessionId: 'provider-1',
      turns: [{ prompt: 'do a', response: 'one' }],
    });
    harness.agents.sent[2]?.end({ response: 'two' });
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
  });

  test.each([
    // Text from before the interruption is part of the response.
    ['continue', 'Your last turn was cut off', 'partial\n\ntwo'],
    ['resend', 'r', 'two'],
  ])('the policy ask waits at a gate, and %s goes on', async (option, prompt, response) => {
    const harness = await start(undefined);
    expect(harness.state().gates[1]).toMatchObject({ kind: 'interrupted_turn', status: 'open' });
    await harness.answer(option);
    expect(harness.agents.sent[2]?.request.prompt.startsWith(prompt)).toBe(true);
    // A replayed conversation includes the turn that it must continue.
    expect(harness.agents.opened[1]?.resume?.turns.slice(1)).toEqual(
      option === 'continue' ? [{ prompt: 'r', response: 'partial' }] : [],
    );
    harness.agents.sent[2]?.end({ response: 'two' });
    await harness.idle();
    expect(harness.state().activations[1]?.outputs.data_out?.content).toMatchObject({
      merged_content: `one\n───── Re-prompt 1 ─────\n${response}`,
    });
  });

  test('the policy ask, answered with fail, fails the step', async () => {
    const harness = await start('ask');
    await harness.answer('fail');
    expect(harness.state().outcome).toBe('failed');
  });

  test('an interrupted turn is retried by itself where the agent cannot change files', async () => {
    const codex = { kind: 'cli', id: 'fake', name: 'Fake', command: 'codex', read_only: true };
    const harness = await start(undefined, agentProfileSchema.parse(codex));
    expect(harness.agents.sent).toHaveLength(3);
    expect(harness.folders.kept).toEqual([]);
  });

  test('an interrupted turn is asked about where only its profile says that the agent reads', async () => {
    const harness = await start(undefined, { ...fakeProfile, read_only: true });
    expect(harness.agents.sent).toHaveLength(2);
    expect(harness.state().gates[1]).toMatchObject({ kind: 'interrupted_turn', status: 'open' });
    // And its changes can be undone all the same.
    expect(harness.folders.kept).toContainEqual(expect.stringContaining('before'));
  });

  test('the policy fail fails the step', async () => {
    const harness = await start('fail');
    expect(harness.state().activations[1]).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent.crashed' },
    });
  });
});

test('a state folded from the log equals the one in memory', async () => {
  const harness = new Harness();
  await harness.run({
    steps: [task('a', { re_prompts: ['r'] }), gate('ok')],
    cables: [{ from: 'a.data_out', to: 'ok.data_in' }],
  });
  expect(harness.engine.live(1)?.state).toEqual(replay(harness.log.read(1)));
});
