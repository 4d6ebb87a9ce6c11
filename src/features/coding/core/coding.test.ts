import { stepRegistry } from '@features/core';
import { Harness } from '@main/core/engine/testing/harness';
import { describe, expect, test } from 'vitest';
import { anna, answers, bert, output, profiles, prompts, run, step } from './testing/agents';

describe('one agent (seed 000 section 3.2)', () => {
  test('a coding agent works through its re-prompts in the same session and merges them under its heading (4.1)', async () => {
    const harness = new Harness();
    answers(harness, { anna: ['built', 'reviewed', 'fixed'] });
    await run(harness, [anna({ re_prompts: ['Review it.', 'Fix it.'] })]);
    expect(prompts(harness)).toEqual(['anna: Build it.', 'anna: Review it.', 'anna: Fix it.']);
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(1);
    expect(output(harness, 'data_out')).toEqual({
      merged_content:
        '═══ builder: Anna ═══\nbuilt\n───── Re-prompt 1 ─────\nreviewed\n───── Re-prompt 2 ─────\nfixed',
      response_count: 3,
      has_re_prompts: true,
    });
    expect(output(harness, 'summary_out')).toBe('fixed');
    expect(harness.state().outcome).toBe('succeeded');
    const finished = harness.events().findLast((event) => event.type === 'activation.finished');
    expect(finished).toMatchObject({ signals: expect.arrayContaining(['signal_out']) });
    expect(harness.state().activations[1]?.receipt).toMatchObject({ re_prompt_count: 2, prompts_sent: 3 });
  });

  test('a coding step posts the two progress events with their fields (11), and names its turns by role', async () => {
    const harness = new Harness();
    await run(harness, [anna({ re_prompts: ['Review it.'] })]);
    expect(harness.events().filter((event) => event.type.startsWith('task.'))).toEqual([
      {
        type: 'task.coding.agent_reprompt_dispatched',
        module_id: 'code',
        agent_role: 'builder',
        reprompt_index: 0,
      },
      {
        type: 'task.coding.agent_reprompt_response',
        module_id: 'code',
        agent_role: 'builder',
        reprompt_index: 0,
      },
    ]);
    expect(Object.values(harness.state().turns).map((turn) => turn.label)).toEqual([
      'builder: prompt',
      'builder: re-prompt 1/1',
    ]);
  });

  test('a coding step works in a worktree of its own, and the steps behind it work there too', async () => {
    const harness = new Harness();
    await harness.run(
      {
        steps: [
          step([anna()]),
          { id: 'check', type: 'step.command', config: { script: 'make', terminal: false } },
          { id: 'tell', type: 'step.agent_task', config: { instruction: 'x', acp_profile_id: 'fake' } },
        ],
        cables: [
          { from: 'code.signal_out', to: 'check.signal_in' },
          { from: 'code.data_out', to: 'tell.data_in' },
        ],
      },
      { profiles },
    );
    expect(harness.folders.branched).toEqual([{ key: 'code-1', from: '/work' }]);
    expect(harness.agents.opened.map(({ cwd }) => cwd)).toEqual(['/work-code-1', '/work-code-1']);
    expect(harness.state().commands[1]?.workspaceId).toBe(1);
  });

  test('a coding step outputs the diff, the files and the last test run that the agent itself made', async () => {
    const harness = new Harness();
    const file = { path: 'a.ts', oldPath: null, status: 'added' as const, added: 3, removed: 0 };
    harness.folders.diffs = () => ({
      diff: { from: 'x', to: 'y', text: '+new', omitted: [], bytes: 4, path: '/artifacts/k1.diff' },
      files: [file],
      notes: [],
    });
    const ran = (command: string, exitCode: number) => ({ command, exitCode, outputTail: command });
    const told = [[ran('npm test', 1)], [ran('npm test -- --bail', 0), ran('ls', 0)]];
    harness.agents.answer = () => ({ response: 'x', commands: told.shift() ?? [] });
    await run(harness, [anna({ re_prompts: ['Test it.'] })]);
    expect(output(harness, 'diff_out')).toBe('+new');
    expect(output(harness, 'files_out')).toEqual([
      { path: 'a.ts', old_path: null, status: 'added', added: 3, removed: 0 },
    ]);
    expect(output(harness, 'test_results_out')).toEqual({
      captured: true,
      command: 'npm test -- --bail',
      exit_code: 0,
      output_tail: 'npm test -- --bail',
      turn: 2,
    });
    expect(harness.folders.compared.at(-1)).toMatchObject({
      from: { snapshots: ['U0/t1-before'], commit: 'base-code-1' },
      to: { snapshots: ['U0/t2-after'] },
    });
  });

  test('a coding step takes no other command for a test run because it contains the name of a test program', async () => {
    const harness = new Harness();
    const commands = [
      { command: 'cd web && pnpm test', exitCode: 1, outputTail: 'red' },
      ...['pnpm typecheck', 'cat vitest.config.ts', 'npm i -D vitest'].map((command) => ({
        command,
        exitCode: 0,
        outputTail: '',
      })),
    ];
    harness.agents.answer = () => ({ response: 'x', commands });
    await run(harness, [anna()]);
    expect(output(harness, 'test_results_out')).toMatchObject({
      captured: true,
      command: 'cd web && pnpm test',
      exit_code: 1,
      output_tail: 'red',
    });
  });

  test('a coding step takes the last test run by time where agents work beside each other', async () => {
    const harness = new Harness();
    const ran = (exitCode: number, at: number) => [{ command: 'npm test', exitCode, outputTail: '', at }];
    harness.agents.answer = (turn) => ({
      response: 'x',
      commands: turn.spec.profile.id === 'anna' ? ran(1, 2_000) : ran(0, 1_000),
    });
    await run(harness, [anna(), bert()], { coordination: 'parallel' });
    expect(output(harness, 'test_results_out')).toMatchObject({ exit_code: 1, turn: 1 });
  });

  test('a coding step says so where no test was run, and has no such port where none are to be captured', async () => {
    const harness = new Harness();
    await run(harness, [anna()]);
    expect(output(harness, 'test_results_out')).toEqual({ captured: false, reason: 'no_test_run' });
    const without = new Harness();
    await run(without, [anna()], { capture_test_results: false });
    expect(output(without, 'test_results_out')).toBeUndefined();
  });

  test.each([
    ['close', 'closed'],
    ['park', 'parked'],
  ])('a coding step with session_style %s leaves its session %s', async (session_style, status) => {
    const harness = new Harness();
    await harness.run(
      {
        steps: [
          step([anna()], { session_style }),
          { id: 'ask', type: 'step.approval', config: { message: 'ok?' } },
        ],
        cables: [{ from: 'code.data_out', to: 'ask.data_in' }],
      },
      { profiles },
    );
    expect(harness.state().sessions[1]?.status).toBe(status);
  });

  test('a coding step counts all prompts against the cap, fails there, and keeps its work', async () => {
    const harness = new Harness();
    answers(harness, { anna: ['one'], bert: ['no decision here'] });
    await run(harness, [anna(), bert()], { coordination: 'review_chain', max_iterations: 2 });
    const state = harness.state();
    expect(state.outcome).toBe('failed');
    expect(state.activations[1]?.error?.code).toBe('step.max_iterations');
    expect(output(harness, 'data_out')?.response_count).toBe(2);
  });

  test('a coding step keeps its work where the agent stops by itself because of too many requests, and goes on from there', async () => {
    const harness = new Harness();
    harness.folders.diffs = ({ to }) => ({
      files: [],
      notes: [],
      diff: { from: 'x', to: 'y', text: to.snapshots.join(), omitted: [], bytes: 4, path: null },
    });
    let spent = true;
    harness.agents.answer = (turn) =>
      turn.request.prompt === 'Fix it.' && spent
        ? {
            outcome: 'max_requests',
            stopReason: 'max_turn_requests',
            response: 'half',
            commands: [{ command: 'npm test', exitCode: 1, outputTail: 'red' }],
          }
        : { response: 'built' };
    await run(harness, [anna({ re_prompts: ['Fix it.'] })]);
    expect(harness.state()).toMatchObject({ outcome: 'failed' });
    expect(harness.state().activations[1]?.error?.code).toBe('step.max_iterations');
    expect(output(harness, 'data_out')).toMatchObject({ response_count: 1 });
    expect(output(harness, 'summary_out')).toBe('built');
    expect(output(harness, 'diff_out')).toBe('U0/t2-after');
    expect(output(harness, 'test_results_out')).toMatchObject({ captured: true, exit_code: 1, turn: 2 });
    expect(harness.state().activations[1]?.signals).toEqual([]);
    spent = false;
    const resumed = { type: 'run.resumed' as const, by: 'test', activationIds: [1] };
    await harness.engine.command(1, () => ({ ok: true, value: [resumed] }));
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
    expect(output(harness, 'diff_out')).toBe('U0/t3-after');
  });

  test('a coding step goes on from the failed turn, in the same session, when the run is resumed', async () => {
    const harness = new Harness();
    let broken = true;
    harness.agents.answer = (turn) =>
      turn.request.prompt === 'Fix it.' && broken
        ? { outcome: 'failed', stopReason: 'x' }
        : { response: 'ok' };
    await run(harness, [anna({ re_prompts: ['Fix it.'] })]);
    expect(harness.state().outcome).toBe('failed');
    broken = false;
    await harness.engine.command(1, () => ({
      ok: true,
      value: [{ type: 'run.resumed', by: 'test', activationIds: [1] }],
    }));
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
    expect(prompts(harness)).toEqual(['anna: Build it.', 'anna: Fix it.', 'anna: Fix it.']);
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(1);
  });
});

describe('a revision of the step', () => {
  const looped = (more: Record<string, unknown>) => ({
    steps: [step([anna()], more), { id: 'ask', type: 'step.approval', config: { message: 'ok?' } }],
    cables: [
      { from: 'code.data_out', to: 'ask.data_in' },
      { from: 'ask.revise_out', to: 'code.instruction_in' },
    ],
  });

  test('a revision begins where the step had ended, in a worktree of its own', async () => {
    const harness = new Harness();
    await harness.run(looped({}), { profiles });
    await harness.answer('reject', { reason: 'shorter' });
    expect(harness.folders.branched).toEqual([
      { key: 'code-1', from: '/work' },
      { key: 'code-2', from: '/work-code-1' },
    ]);
    expect(harness.agents.sent.at(-1)?.request.prompt).toContain('## Revision requested\nshorter');
  });

  test('a revision with session_persist goes on in the same sessions and their folder', async () => {
    const harness = new Harness();
    await harness.run(looped({ session_persist: true }), { profiles });
    await harness.answer('reject', { reason: 'shorter' });
    expect(harness.folders.branched).toHaveLength(1);
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(1);
  });
});

describe('refusals before a run', () => {
  const check = (config: Record<string, unknown>, workspace: 'worktree' | 'project' = 'worktree') => {
    const module = stepRegistry.get('step.coding');
    const bound = module?.bind(module.config.parse({ instruction: 'x', ...config }));
    return bound
      ?.validate({
        sessionsOf: () => [],
        hasProfile: () => true,
        profile: () => null,
        defaultProfile: null,
        workspace,
        hasFormat: false,
        inBody: false,
        maxParallel: 4,
      })
      .map(({ code, path }) => `${code} ${path}`);
  };

  test.each([
    [{ agents: [anna(), bert()] }, ['validation.coding_agents coordination']],
    [{ agents: [anna()], coordination: 'review_chain' }, ['validation.coding_agents agents']],
    [{ agents: [anna({ re_prompts: [' '] })] }, ['validation.reprompt_empty agents[0].re_prompts[0]']],
    [
      { agents: [anna({ re_prompts: Array(11).fill('x') })] },
      ['validation.reprompt_too_many agents[0].re_prompts'],
    ],
    [
      { agents: [anna({ re_prompts: ['x'] })], max_iterations: 1 },
      ['validation.max_iterations max_iterations'],
    ],
    [{ agents: [anna({ acp_profile_id: null })] }, ['validation.agent_missing agents[0].acp_profile_id']],
    [{ agents: [anna()], instruction: '' }, ['validation.config instruction']],
  ])('the coding configuration %j is refused before a run', (config, problems) => {
    expect(check(config)).toEqual(problems);
  });

  test('agents beside each other in the one folder of the project are refused', () => {
    const parallel = { agents: [anna(), bert()], coordination: 'parallel' };
    expect(check(parallel)).toEqual([]);
    expect(check(parallel, 'project')).toEqual(['validation.coding_agents coordination']);
  });

  test('the option separate_outputs and the removed modes are refused', () => {
    const schema = stepRegistry.get('step.coding');
    const parse = (more: object) =>
      schema?.config.safeParse({ instruction: 'x', agents: [anna()], ...more }).success;
    expect(parse({})).toBe(true);
    expect(parse({ separate_outputs: true })).toBe(false);
    expect(parse({ completion_mode: 'tests_pass' })).toBe(false);
    expect(schema?.refuse?.({ completion_mode: 'tests_pass' })[0]?.code).toBe(
      'validation.completion_mode_removed',
    );
  });
});
