import type { PermissionRequest } from '@areas/gates/contract/gate';
import { ok } from '@contract/result';
import { describe, expect, test } from 'vitest';
import type { PermissionAnswer } from '../../ports/ports';
import { gate, Harness, task } from '../testing/harness';

const request: PermissionRequest = {
  tool: 'edit',
  title: 'Edit notes.md',
  kind: 'edit',
  diffs: [],
  paths: ['/work/notes.md'],
  hash: 'h1',
};

const say = async (harness: Harness, text: string, sessionId = 1): Promise<void> => {
  await harness.engine.command(1, ({ state }) =>
    ok([
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

/** Asks in the last sent turn; its answer will be in `told`. */
async function ask(harness: Harness): Promise<PermissionAnswer[]> {
  const told: PermissionAnswer[] = [];
  void harness.agents.sent
    .at(-1)
    ?.ask(request)
    .then((answer) => told.push(answer));
  await harness.idle();
  return told;
}

const end = async (harness: Harness, response: string) => {
  harness.agents.sent.at(-1)?.end({ response });
  await harness.idle();
};
const sent = (harness: Harness) => harness.agents.sent.map((turn) => turn.request.prompt);
const gates = (harness: Harness) =>
  Object.values(harness.state().gates).map((one) => `${one.kind} ${one.status}`);

const review = {
  id: 'check',
  type: 'step.agent_review_gate',
  config: { instruction: 'Review the draft.', acp_profile_id: 'fake' },
};
const reviewed = [{ from: 'draft.data_out', to: 'check.data_in' }];

/** A review whose agent gave no decision: the operator is asked, and talks to the reviewer meanwhile. */
async function escalated(): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = ({ request: { prompt } }) => (prompt === 'why?' ? null : { response: 'undecided' });
  await harness.run({ steps: [task('draft'), review], cables: reviewed });
  expect(gates(harness)).toEqual(['review_escalation open']);
  await say(harness, 'why?', 2);
  expect(sent(harness).at(-1)).toBe('why?');
  return harness;
}

describe('questions because of a prompt of the operator', () => {
  test("a question from the operator's prompt stays when its step ends, and its answer reaches the agent", async () => {
    const harness = await escalated();
    const told = await ask(harness);
    await harness.answer('approve', { gateId: 1 });
    expect(harness.state().activations[2]?.status).toBe('finished');
    expect(gates(harness)).toEqual(['review_escalation resolved', 'permission open']);
    await harness.answer('allow', { gateId: 2 });
    expect(told).toEqual([{ allow: true, always: false, reason: null }]);
    await end(harness, 'because');
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test("a question from the operator's prompt is denied where it is taken back otherwise", async () => {
    const harness = await escalated();
    const told = await ask(harness);
    await harness.engine.command(1, () =>
      ok([{ type: 'gate.withdrawn', gateId: 2, reason: 'Somebody took it back.' }]),
    );
    await harness.idle();
    expect(told).toEqual([{ allow: false, always: false, reason: 'Somebody took it back.' }]);
  });

  test("a question about an operator's prompt that was cut off stays when its step ends, and holds the run", async () => {
    const harness = new Harness();
    harness.agents.answer = ({ request: { prompt } }) => (prompt === 'why?' ? null : { response: 'x' });
    await harness.run({
      steps: [gate('ok'), task('a', { re_prompts: ['r'] })],
      cables: [{ from: 'ok.approved_out', to: 'a.data_in' }],
    });
    harness.agents.answer = () => null;
    await harness.answer('approve');
    await say(harness, 'why?');
    await end(harness, 'x');
    expect(sent(harness).at(-1)).toBe('why?');
    harness.agents.answer = () => ({ response: 'y' });
    await harness.restart();
    expect(sent(harness).at(-1)).toBe('r');
    expect(harness.state().activations[2]?.status).toBe('finished');
    expect(gates(harness)).toEqual(['approval resolved', 'interrupted_turn open']);
    expect(harness.state().status).toBe('running');
    await harness.answer('resend');
    expect(sent(harness).at(-1)).toBe('why?');
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test("a question about an operator's prompt is withdrawn where the operator leaves the prompt", async () => {
    for (const policy of ['ask', 'fail'] as const) {
      const harness = new Harness();
      await harness.run({
        steps: [task('a', { session_persist: true }, { on_interrupt: policy }), gate('ok')],
        cables: [{ from: 'a.data_out', to: 'ok.data_in' }],
      });
      harness.agents.answer = () => null;
      await say(harness, 'why?');
      await ask(harness);
      await harness.restart();
      if (policy === 'ask') {
        expect(gates(harness)).toEqual(['approval open', 'permission open', 'interrupted_turn open']);
        await harness.answer('leave', { gateId: 3 });
      }
      expect(gates(harness).slice(0, 2)).toEqual(['approval open', 'permission withdrawn']);
    }
  });
});

test('a prompt that was cut off is not asked about once a later prompt has gone on from there', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({
    steps: [task('draft'), gate('ok')],
    cables: [{ from: 'draft.data_out', to: 'ok.data_in' }],
  });
  await end(harness, 'a draft');
  await say(harness, 'and this');
  await say(harness, 'and that');
  await harness.restart();
  expect(sent(harness).at(-1)).toContain('and that');
  await end(harness, 'that too');
  expect(gates(harness)).toEqual(['approval open']);
});
