import { ok } from '@contract/result';
import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';

const cables = [{ from: 'a.data_out', to: 'ok.data_in' }];

const say = async (harness: Harness, text: string, sessionId = 1): Promise<void> => {
  await harness.engine.command(1, ({ state }) =>
    ok([
      ...(state.status === 'finished' ? [{ type: 'run.reopened' as const, by: 'test' }] : []),
      {
        type: 'prompt.queued',
        promptId: state.last.prompt + 1,
        sessionId,
        text,
        attachments: [],
        by: 'test',
      },
    ]),
  );
  await harness.idle();
};
const sent = (harness: Harness) => harness.agents.sent.map((turn) => turn.request.prompt);

describe("the operator's own prompts", () => {
  test('a prompt of the operator goes to an idle session at once, and is no part of what the step asked for', async () => {
    const harness = new Harness();
    await harness.run({ steps: [task('a', { session_persist: true }), gate('ok')], cables });
    await say(harness, 'Shorter, please.');
    expect(sent(harness)).toEqual(['do a', 'Shorter, please.']);
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(1);
    const state = harness.state();
    expect(state.turns[2]).toMatchObject({ kind: 'operator', promptId: 1, status: 'completed' });
    expect(state.activations[1]?.turnIds).toEqual([1]);
    expect(state.prompts[1]).toMatchObject({ status: 'sent', turnId: 2 });
    await harness.answer('approve');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a prompt of the operator waits for the turn that is in flight, and comes before the next one of the step', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a', { re_prompts: ['r'] })] });
    await say(harness, 'By the way');
    expect(sent(harness)).toEqual(['do a']);
    harness.agents.sent[0]?.end({ response: 'x' });
    await harness.idle();
    expect(sent(harness)).toEqual(['do a', 'By the way']);
    harness.agents.sent[1]?.end({ response: 'noted' });
    await harness.idle();
    expect(sent(harness)).toEqual(['do a', 'By the way', 'r']);
    harness.agents.sent[2]?.end({ response: 'y' });
    await harness.idle();
    expect(harness.state().activations[1]?.outputs.data_out?.content).toMatchObject({ response_count: 2 });
  });

  test('a prompt of the operator opens a finished run again, which then has no end until it ends again', async () => {
    const harness = new Harness();
    await harness.run({ steps: [task('a', { session_persist: true })] });
    harness.agents.answer = () => null;
    await say(harness, 'Why?');
    expect(harness.state()).toMatchObject({ status: 'running', outcome: null, finishedAt: null });
    harness.agents.sent[1]?.end({ response: 'because' });
    await harness.idle();
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(harness.state().finishedAt).not.toBeNull();
  });

  test('a prompt of the operator keeps the session and the run open until it is answered', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a')] });
    await say(harness, 'One more thing');
    harness.agents.sent[0]?.end({ response: 'x' });
    await harness.idle();
    expect(harness.state()).toMatchObject({ status: 'running' });
    expect(harness.agents.ended).toEqual([]);
    harness.agents.sent[1]?.end({ response: 'done' });
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a prompt of the operator opens a finished run again, in the same session, and it ends as it had ended', async () => {
    for (const outcome of ['completed', 'failed'] as const) {
      const harness = new Harness();
      harness.agents.answer = () => ({ outcome, stopReason: outcome, response: 'x' });
      await harness.run({ steps: [task('a'), task('b')], cables: [{ from: 'a.data_out', to: 'b.data_in' }] });
      const before = harness.state().outcome;
      harness.agents.answer = () => ({ response: 'more' });
      await say(harness, 'Go on');
      const state = harness.state();
      expect(state.outcome).toBe(before);
      expect(state.status).toBe('finished');
      expect(sent(harness).at(-1)).toBe('Go on');
      expect(harness.agents.opened.at(-1)?.resume).not.toBeNull();
    }
  });

  describe("operator's prompts that a crash cut off", () => {
    const open = (harness: Harness) =>
      Object.values(harness.state().gates).filter((one) => one.status === 'open');

    async function cutOff(policy: Record<string, unknown> = {}): Promise<Harness> {
      const harness = new Harness();
      await harness.run({ steps: [{ ...task('a'), ...policy }] });
      harness.agents.answer = () => null;
      await say(harness, 'Go on');
      expect(harness.state().status).toBe('running');
      await harness.restart();
      expect(harness.state().turns[2]).toMatchObject({ status: 'interrupted', promptId: 1 });
      return harness;
    }

    test("an operator's prompt that a crash cut off is asked about, with its text, and the run waits for the answer", async () => {
      const harness = await cutOff();
      expect(harness.state().status).toBe('running');
      expect(open(harness)).toMatchObject([
        {
          kind: 'interrupted_turn',
          turnId: 2,
          title: 'a: what you said was cut off',
          evidence: 'Go on',
          options: [{ id: 'continue' }, { id: 'resend' }, { id: 'leave' }],
        },
      ]);
      await harness.restart();
      expect(open(harness)).toHaveLength(1);
      await harness.answer('leave');
      expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
      expect(sent(harness)).toEqual(['do a', 'Go on']);
    });

    test("an operator's prompt that a crash cut off is sent again exactly once, and the run ends as it had ended", async () => {
      const harness = await cutOff();
      await harness.answer('resend');
      expect(sent(harness)).toEqual(['do a', 'Go on', 'Go on']);
      expect(harness.state().turns[3]).toMatchObject({ kind: 'operator', promptId: 1, resendOf: 2 });
      harness.agents.sent.at(-1)?.end({ response: 'done' });
      await harness.idle();
      expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
      expect(harness.state().prompts[1]).toMatchObject({ status: 'sent', turnId: 3 });
      await harness.restart();
      expect(sent(harness)).toHaveLength(3);
    });

    test("an operator's prompt is asked about again when it is cut off once more", async () => {
      const harness = await cutOff();
      await harness.answer('resend');
      await harness.restart();
      expect(open(harness)).toMatchObject([{ turnId: 3 }]);
      await harness.answer('continue');
      expect(sent(harness).at(-1)).toContain('Your last turn was cut off before it ended.');
      expect(sent(harness)).toHaveLength(4);
    });

    test("an operator's prompt that a crash cut off is sent again by itself where the step says so, and left where it says fail", async () => {
      const retried = await cutOff({ on_interrupt: 'retry' });
      expect(sent(retried)).toEqual(['do a', 'Go on', 'Go on']);
      const left = await cutOff({ on_interrupt: 'fail' });
      expect(left.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
      expect(left.state().gates).toEqual({});
    });

    test("an operator's prompt that was cut off does not hold up the next one, and can still be sent again after it", async () => {
      const harness = await cutOff();
      await say(harness, 'Something else');
      expect(sent(harness)).toEqual(['do a', 'Go on', 'Something else']);
      await harness.answer('resend');
      expect(sent(harness)).toHaveLength(3);
      harness.agents.sent.at(-1)?.end({ response: 'x' });
      await harness.idle();
      expect(sent(harness).at(-1)).toBe('Go on');
      harness.agents.sent.at(-1)?.end({ response: 'y' });
      await harness.idle();
      expect(harness.state().status).toBe('finished');
    });
  });

  test("an operator's prompt is withdrawn with the run, and where its session cannot be resumed", async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ steps: [task('a')] });
    await say(harness, 'Later');
    await harness.cancel();
    expect(harness.state().prompts[1]).toMatchObject({
      status: 'withdrawn',
      reason: 'The run was cancelled.',
    });
    harness.agents.refuse = () => ({ code: 'agent.start_failed', message: 'gone' });
    await say(harness, 'Still there?');
    expect(harness.state().prompts[2]).toMatchObject({ status: 'withdrawn' });
    expect(harness.state().status).toBe('finished');
  });
});

test('one turn can be ended by itself: its step is cancelled, and can be resumed from there', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a')] });
  await harness.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId: 1, by: 'test' }]));
  await harness.idle();
  expect(harness.state()).toMatchObject({ outcome: 'cancelled' });
  expect(harness.state().turns[1]).toMatchObject({ status: 'cancelled', cancelledBy: 'test' });
});
