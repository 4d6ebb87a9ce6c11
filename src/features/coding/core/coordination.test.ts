import { Harness } from '@main/core/engine/testing/harness';
import { describe, expect, test } from 'vitest';
import {
  anna,
  answers,
  approve,
  bert,
  output,
  profiles,
  prompts,
  revise,
  run,
  step,
  who,
} from './testing/agents';

describe('several agents (seed 000 sections 3.2 and 7.6)', () => {
  test('agents in sequence: the next begins when the one before has answered all its re-prompts, with its work and the handoff', async () => {
    const harness = new Harness();
    answers(harness, { anna: ['built', 'checked'], bert: ['polished'] });
    await run(harness, [anna({ re_prompts: ['Check it.'] }), bert({ role: 'polisher' })], {
      coordination: 'sequential',
      handoff_instruction: 'Take over from here.',
    });
    expect(prompts(harness)).toEqual(['anna: Build it.', 'anna: Check it.', 'bert: Build it.']);
    expect(harness.agents.sent[2]?.request.prompt).toBe(
      'Build it.\n\n## Handoff\nTake over from here.\n\n## Work of builder: Anna\nbuilt\n───── Re-prompt 1 ─────\nchecked',
    );
    expect(harness.agents.opened.map(({ cwd }) => cwd)).toEqual(['/work-code-1', '/work-code-1']);
    // The first agent's session is released when its part is done.
    const types = harness.events().map((event) => event.type);
    expect(types.indexOf('session.closed')).toBeLessThan(types.lastIndexOf('session.starting'));
    expect(output(harness, 'data_out')?.merged_content).toBe(
      '═══ builder: Anna ═══\nbuilt\n───── Re-prompt 1 ─────\nchecked\n═══ polisher: Bert ═══\npolished',
    );
  });

  test('agents in parallel all begin at once, each in a folder of its own, and have one output entry each', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await run(harness, [anna(), bert(), { role: 'third', acp_profile_id: 'fake' }], {
      coordination: 'parallel',
    });
    expect(harness.agents.sent).toHaveLength(3);
    expect(harness.agents.opened.map(({ cwd }) => cwd)).toEqual([
      '/work-code-1-agent-1',
      '/work-code-2-agent-2',
      '/work-code-3-agent-3',
    ]);
    for (const turn of [...harness.agents.sent].reverse()) turn.end({ response: `by ${who(turn)}` });
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
    const unknown = 'The changes are unknown: the working folder is not a git repository.';
    expect(output(harness, 'diff_out')).toEqual([
      { agent_role: 'builder', agent_name: 'Anna', diff: unknown },
      { agent_role: 'reviewer', agent_name: 'Bert', diff: unknown },
      { agent_role: 'third', agent_name: 'Fake', diff: unknown },
    ]);
    expect(output(harness, 'data_out')?.merged_content).toContain(
      '═══ builder: Anna ═══\nby anna\n═══ reviewer',
    );
  });

  test('a parallel agent that breaks does not stop the others: the step fails when they are done, and resumes with it alone', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await run(harness, [anna(), bert({ re_prompts: ['More.'] })], { coordination: 'parallel' });
    harness.agents.sent[0]?.end({ outcome: 'failed', stopReason: 'broken' });
    await harness.idle();
    expect(harness.state().status).toBe('running');
    harness.agents.sent[1]?.end({ response: 'one' });
    await harness.idle();
    harness.agents.sent[2]?.end({ response: 'two' });
    await harness.idle();
    expect(harness.state().outcome).toBe('failed');
    harness.agents.answer = () => ({ response: 'now it works' });
    await harness.engine.command(1, () => ({
      ok: true,
      value: [{ type: 'run.resumed', by: 'test', activationIds: [1] }],
    }));
    await harness.idle();
    expect(prompts(harness)).toEqual([
      'anna: Build it.',
      'bert: Build it.',
      'bert: More.',
      'anna: Build it.',
    ]);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a parallel agent that stops for too many requests waits for the others, and all work is in the output', async () => {
    const harness = new Harness();
    harness.agents.answer = (turn) =>
      who(turn) === 'anna' ? { outcome: 'max_requests', response: 'half' } : { response: 'whole' };
    await run(harness, [anna(), bert({ re_prompts: ['More.'] })], { coordination: 'parallel' });
    expect(prompts(harness)).toEqual(['anna: Build it.', 'bert: Build it.', 'bert: More.']);
    expect(harness.state().activations[1]?.error?.code).toBe('step.max_iterations');
    expect(output(harness, 'data_out')).toMatchObject({ response_count: 2 });
    expect(output(harness, 'diff_out')).toHaveLength(2);
    expect(harness.folders.compared.map(({ to }) => to.snapshots)).toEqual([
      ['U0/t1-after'],
      ['U0/t3-after'],
    ]);
  });

  test('agents in parallel make room among the places of one profile', async () => {
    const harness = new Harness();
    await harness.run(
      { steps: [step([anna(), anna({ role: 'second' })], { coordination: 'parallel' })] },
      { profiles: { anna: { ...profiles.anna, max_sessions: 1 } } },
    );
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.agents.sent).toHaveLength(2);
  });

  test('a coding step is cancelled with all that is in flight', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await run(harness, [anna(), bert()], { coordination: 'parallel' });
    await harness.cancel();
    const state = harness.state();
    expect(state.outcome).toBe('cancelled');
    expect(Object.values(state.turns).map((turn) => turn.status)).toEqual(['cancelled', 'cancelled']);
  });
});

describe('a review chain', () => {
  const chain = { coordination: 'review_chain' };

  test("a review chain goes round until the reviewer approves, each agent's re-prompts within its own part", async () => {
    const harness = new Harness();
    answers(harness, {
      anna: ['built', 'checked', 'changed', 'checked again'],
      bert: ['looks odd', `I think: ${revise}`.replace('I think: ', ''), 'better', approve],
    });
    await run(harness, [anna({ re_prompts: ['Check.'] }), bert({ re_prompts: ['Reconsider.'] })], chain);
    expect(prompts(harness)).toEqual([
      'anna: Build it.',
      'anna: Check.',
      'bert: Build it.',
      'bert: Reconsider.',
      'anna: The reviewer asks for changes to your work:',
      'anna: Check.',
      'bert: Your findings were worked on. Review the work again.',
      'bert: Reconsider.',
    ]);
    expect(harness.agents.sent[2]?.request.prompt).toContain('## Work of builder: Anna\nbuilt\n─');
    expect(harness.agents.sent[2]?.request.prompt).not.toContain('"decision"');
    expect(harness.agents.sent[3]?.request.prompt).toContain('"decision"');
    expect(harness.agents.sent[4]?.request.prompt).toContain('- [high] handle the empty list');
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(2);
    const state = harness.state();
    expect(state.outcome).toBe('succeeded');
    expect(state.activations[1]?.receipt).toMatchObject({ approved: true, rounds: 2 });
    expect(Object.values(state.turns).map((turn) => turn.label)).toEqual([
      'builder: prompt',
      'builder: re-prompt 1/1',
      'reviewer: prompt',
      'reviewer: re-prompt 1/1',
      'builder: round 2, feedback',
      'builder: round 2, re-prompt 1/1',
      'reviewer: round 2, prompt',
      'reviewer: round 2, re-prompt 1/1',
    ]);
  });

  test('a review chain that uses its rounds outputs what there is, and waits in the inbox with it', async () => {
    const harness = new Harness();
    answers(harness, { anna: ['x'], bert: [revise] });
    await harness.run(
      {
        steps: [
          step([anna(), bert()], { ...chain, max_rounds: 2 }),
          { id: 'after', type: 'step.command', config: { script: 'make', terminal: false } },
        ],
        cables: [{ from: 'code.signal_out', to: 'after.signal_in' }],
      },
      { profiles },
    );
    const state = harness.state();
    expect(state.activations[1]?.receipt).toMatchObject({ approved: false, rounds: 2 });
    expect(harness.commands.ran).toHaveLength(1);
    expect(state.status).toBe('running');
    const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
    expect(open.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
      'review_escalation code: not approved',
    ]);
    await harness.restart();
    await harness.answer('reject');
    expect(harness.state().outcome).toBe('rejected');
  });

  test('a review chain that no one approved ends as its steps do where the operator accepts it', async () => {
    for (const [option, outcome] of [
      ['accept', 'succeeded'],
      ['reject', 'rejected'],
    ] as const) {
      const harness = new Harness();
      answers(harness, { anna: ['x'], bert: [revise] });
      await run(harness, [anna(), bert()], { ...chain, max_rounds: 1 });
      await harness.answer(option);
      expect(harness.state().outcome).toBe(outcome);
    }
  });

  test('a review chain asks once more for a decision, then the operator, whose word counts', async () => {
    const harness = new Harness();
    answers(harness, { anna: ['x'], bert: ['hm', 'still hm', approve] });
    await run(harness, [anna(), bert()], chain);
    expect(harness.agents.sent).toHaveLength(3);
    expect(Object.values(harness.state().turns)[2]?.kind).toBe('reminder');
    await harness.answer('revise', { reason: 'make it blue' });
    expect(harness.agents.sent[3]?.request.prompt).toBe(
      'The operator asks for changes to your work:\n\nmake it blue',
    );
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.state().activations[1]?.receipt).toMatchObject({ approved: true, rounds: 2 });
  });

  test('a review chain goes on after a crash in the middle of a round', async () => {
    const harness = new Harness();
    harness.agents.answer = (turn) => (who(turn) === 'bert' ? null : { response: 'built' });
    await run(harness, [anna(), bert()], chain);
    await harness.restart();
    answers(harness, { bert: [approve] });
    await harness.answer('resend');
    const state = harness.state();
    expect(state.outcome).toBe('succeeded');
    expect(Object.values(state.turns).map((turn) => turn.status)).toEqual([
      'completed',
      'interrupted',
      'completed',
    ]);
  });
});
