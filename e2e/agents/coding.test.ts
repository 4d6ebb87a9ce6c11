import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { describe, expect, test } from 'vitest';
import { shellCall, writeCall } from '../fixtures/model-server/tool-calls';
import { type RealAgent, realAgents } from './stage/agents';
import { answer, asked, finished, openGate, told } from './stage/runs';
import { commandsOf, Stage } from './stage/stage';
import { until } from './stage/until';

const coding = (config: string) => `
name: Coding
steps:
  - id: code
    type: step.coding
    config:
${config}`;

/** One agent, its instruction and its re-prompts. */
const alone = (profile: string, [instruction, ...then]: readonly string[]) =>
  coding(`      instruction: ${JSON.stringify(instruction)}
      agents:
        - { role: builder, acp_profile_id: ${profile}, re_prompts: ${JSON.stringify(then)} }
`);

const output = (state: RunState, port: string) => state.activations[1]?.outputs[port]?.content;

const SUITE = 'sum.test.mjs';
const FAILING = "test('fails', () => { throw new Error('on purpose'); });";
const EXTEND = `cat ${SUITE} && printf '%s\\n' "${FAILING}" >> ${SUITE}`;

describe.each(realAgents)('$id', (agent) => {
  test('the agent builds in each turn on the files of the one before, and its last test run is reported', async () => {
    const workflow = alone(agent.id, [
      `Begin. FILE=${SUITE} TEXT=import { test } from 'node:test';`,
      `Extend it. RUN=${EXTEND}`,
      `Test it. RUN=node --test ${SUITE}`,
    ]);
    const stage = await Stage.set(agent, { workflow });
    const state = await finished(stage, await stage.startRun());
    expect(state.outcome, told(state)).toBe('succeeded');
    const done = { status: 'completed', stopReason: 'end_turn', sessionId: 1 };
    expect(Object.values(state.turns)).toMatchObject(Array(3).fill(done));
    expect(asked(stage, 'Test it')[0]?.prompts).toMatchObject([
      expect.stringContaining('Begin'),
      expect.stringContaining('Extend it'),
      expect.stringContaining('Test it'),
    ]);

    // Its output without fences, and its exit code, in whichever form the agent reports them, if it does.
    const silent = agent.silentCommands === true;
    const begun = agent.partialOutput === true ? '' : '[^`]*on purpose';
    const printed = silent ? '' : "import { test } from 'node:test';";
    expect(state.turns[2]?.commands).toMatchObject([{ command: EXTEND, exitCode: silent ? null : 0 }]);
    expect(state.turns[2]?.commands[0]?.outputTail.trim()).toBe(printed);
    expect(output(state, 'test_results_out')).toMatchObject({
      captured: true,
      command: `node --test ${SUITE}`,
      exit_code: silent ? null : 1,
      output_tail: silent ? '' : expect.stringMatching(new RegExp(`^${begun}[^\`]*[#ℹ] fail 1\\n[^\`]*$`)),
      turn: 3,
    });
    expect(output(state, 'diff_out')).toContain(`+import { test } from 'node:test';\n+${FAILING}\n`);
    expect(output(state, 'files_out')).toEqual([
      { path: SUITE, old_path: null, status: 'added', added: 2, removed: 0 },
    ]);
    expect(output(state, 'data_out')).toMatchObject({ response_count: 3, has_re_prompts: true });
    expect(existsSync(join(stage.project, SUITE))).toBe(false);
    await stage.gone();
  });

  test('the agent asks for permission in the middle of the step, and its chain goes on after the answer', async () => {
    const workflow = alone(agent.id, [
      'Begin. FILE=notes.txt TEXT=made',
      'Go on. SAY=gone on',
      'And? SAY=done',
    ]);
    const stage = await Stage.set(agent, { workflow, asks: true });
    const runId = await stage.startRun();
    const gate = await openGate(stage, runId, 'permission');
    expect(gate.request?.diffs[0]?.newText ?? gate.request?.command).toMatch(/^made\n$|echo made/);
    await answer(stage, gate, { option: 'allow' });
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(output(state, 'diff_out')).toContain('+made\n');
    expect(output(state, 'summary_out')).toBe('done');
    expect(output(state, 'test_results_out')).toEqual({ captured: false, reason: 'no_test_run' });
  });

  test('the agent is gone soon after a cancel in the middle of a re-prompt, and its earlier work is kept', async () => {
    const workflow = alone(agent.id, ['Begin. FILE=notes.txt TEXT=made', 'Wait. RUN=tail -f /dev/null']);
    const stage = await Stage.set(agent, { workflow });
    const runId = await stage.startRun();
    await until('the command', async () => commandsOf(await stage.living()).includes('tail -f /dev/null'));
    await stage.core.call('run.cancel', { runId });
    await stage.gone();
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('cancelled');
    expect(Object.values(state.turns)).toMatchObject([{ status: 'completed' }, { status: 'cancelled' }]);
    const made = ['show', `${state.turns[1]?.changes?.after}:notes.txt`];
    expect(execFileSync('git', made, { cwd: stage.project, encoding: 'utf8' })).toBe('made\n');
  });

  test('the agent works in a review chain of two rounds with another agent', async () => {
    const reviewer = after(agent);
    const stage = await Stage.set(agent, { workflow: reviewed(agent, reviewer), beside: [reviewer] });
    scriptReview(stage);
    const state = await finished(stage, await stage.startRun());
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(Object.values(state.turns)).toMatchObject([
      { label: 'builder: prompt', sessionId: 1 },
      { label: 'builder: re-prompt 1/1', sessionId: 1 },
      { label: 'reviewer: prompt', sessionId: 2 },
      { label: 'builder: round 2, feedback', sessionId: 1 },
      { label: 'builder: round 2, re-prompt 1/1', sessionId: 1 },
      { label: 'reviewer: round 2, prompt', sessionId: 2 },
    ]);
    expect(state.sessions[2]?.profileId).toBe(reviewer.id);
    expect(state.turns[4]?.prompt).toContain('- [high] say good');
    expect(state.activations[1]?.receipt).toMatchObject({ approved: true, rounds: 2 });
    expect(output(state, 'diff_out')).toContain('+good\n');
    expect(readFileSync(join(state.workspaces[1]?.path ?? '', 'greeting.txt'), 'utf8')).toBe('good\n');
    await stage.gone();
  });
});

function after(agent: RealAgent): RealAgent {
  const next = realAgents[(realAgents.indexOf(agent) + 1) % realAgents.length];
  if (next === undefined) throw new Error('there are no agents');
  return next;
}

const reviewed = (builder: RealAgent, reviewer: RealAgent) =>
  coding(`      coordination: review_chain
      agents:
        - role: builder
          acp_profile_id: ${builder.id}
          instruction_override: "Build it. FILE=greeting.txt TEXT=bad"
          re_prompts: ["Check it. RUN=cat greeting.txt"]
        - { role: reviewer, acp_profile_id: ${reviewer.id}, instruction_override: "Review it." }
`);

/**
 * The reviewer decides by what it reads in the file with its own tools, and the builder follows its
 * instructions.
 */
function scriptReview({ models }: Stage): void {
  models.script({
    when: ({ prompt, results, tools }) =>
      /^The reviewer asks for changes/m.test(prompt) && results.length === 0 && tools.length > 0,
    answer(ask) {
      const call = writeCall(ask, 'greeting.txt', 'good');
      if (call === null) throw new Error('the builder cannot write');
      return { text: 'I will mend it.', call };
    },
  });
  models.script({
    when: ({ prompt, tools }) =>
      /^Review it\.|^Your findings were worked on/m.test(prompt) && tools.length > 0,
    answer({ tools, results }) {
      const call = shellCall(tools, 'cat greeting.txt');
      if (call === null) throw new Error('the reviewer has no shell');
      if (results.length === 0) return { text: 'I will look.', call };
      const good = results.join().includes('good');
      const findings = good ? [] : [{ severity: 'high', text: 'say good' }];
      return { text: JSON.stringify({ decision: good ? 'approve' : 'revise', findings }) };
    },
  });
}
