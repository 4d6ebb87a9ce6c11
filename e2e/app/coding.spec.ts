import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { expect, letGo, test, WORKFLOW } from '../fixtures/test';

const agents = (names: readonly string[]) =>
  `profiles:\n${names.map((name) => `  - {kind: scripted, id: ${name}, name: ${name}, script: .muster/${name}.yaml}\n`).join('')}`;

const files = (workflow: string, scripts: Readonly<Record<string, string>>) => ({
  '.muster/agents.yaml': agents(Object.keys(scripts)),
  [WORKFLOW]: workflow,
  ...Object.fromEntries(Object.entries(scripts).map(([name, script]) => [`.muster/${name}.yaml`, script])),
});

const step = (config: string) => `name: Coding
steps:
  - id: code
    type: step.coding
    config:
      instruction: Build it.
${config}`;

const output = (state: RunState, port: string) => state.activations[1]?.outputs[port]?.content;

test('the shell of the agent keeps its environment over re-prompts, and the window shows its turns by role', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const workflow = step(`      agents:
        - {role: builder, acp_profile_id: builder, re_prompts: [Check it., Once more.]}
`);
  const builder = `turns:
  - do:
      - write: {path: made.txt, content: "one\\n"}
      - run: {command: 'export MARK=from-turn-1', via: terminal}
    text: Built.
  - text: Checked.
  - do:
      - run: {command: 'echo "it is $MARK"', via: terminal}
      - run: {command: 'npm() { echo 1 passed; }; npm test', via: direct}
    text: Done.
`;
  const project = await bench.project(muster, files(workflow, { builder }));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row, state } = await bench.until(muster, runId, (run) => run.row.status === 'succeeded');
  expect(state.turns[3]?.commands[0]).toMatchObject({
    command: 'echo "it is $MARK"',
    exitCode: 0,
    outputTail: 'it is from-turn-1\n',
  });
  expect(output(state, 'diff_out')).toContain('+one');
  expect(output(state, 'test_results_out')).toMatchObject({ captured: true, exit_code: 0, turn: 3 });
  expect(output(state, 'data_out')).toMatchObject({
    merged_content:
      '═══ builder: builder ═══\nBuilt.\n───── Re-prompt 1 ─────\nChecked.\n───── Re-prompt 2 ─────\nDone.',
  });
  const workspace = state.workspaces[1];
  expect(workspace?.path).not.toBe(state.workspace?.path);
  expect(existsSync(join(project.path, 'made.txt'))).toBe(false);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/run/${row.uid}`);
  await expect(page.getByText('builder: re-prompt 2/2').first()).toBeVisible();
});

test('a review chain of two rounds: the reviewer sees the files of the builder, and the builder its findings', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const workflow = step(`      coordination: review_chain
      agents:
        - {role: builder, acp_profile_id: builder, re_prompts: [Check it.]}
        - {role: reviewer, acp_profile_id: reviewer}
`);
  const builder = `turns:
  - do: [{write: {path: made.txt, content: "bad\\n"}}]
    text: Built.
  - text: Checked.
  - do: [{write: {path: made.txt, content: "good\\n"}}]
    text: Mended.
  - text: Checked again.
`;
  const reviewer = `turns:
  - do: [{read: {path: made.txt, via: direct}}]
    text: '{"decision": "revise", "findings": [{"severity": "high", "text": "say good"}]}'
  - do: [{read: {path: made.txt, via: direct}}]
    text: '{"decision": "approve", "findings": []}'
`;
  const project = await bench.project(muster, files(workflow, { builder, reviewer }));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, (run) => run.row.status === 'succeeded');
  expect(Object.values(state.turns).map((turn) => turn.label)).toEqual([
    'builder: prompt',
    'builder: re-prompt 1/1',
    'reviewer: prompt',
    'builder: round 2, feedback',
    'builder: round 2, re-prompt 1/1',
    'reviewer: round 2, prompt',
  ]);
  expect(state.turns[3]?.prompt).toContain('+bad');
  expect(state.turns[4]?.prompt).toContain('- [high] say good');
  expect(state.activations[1]?.receipt).toMatchObject({ approved: true, rounds: 2 });
  expect(output(state, 'diff_out')).toContain('+good');
});

test('three in parallel, each in a worktree of its own, over a kill -9 of the core', async ({ bench }) => {
  const muster = await bench.launch();
  const names = ['one', 'two', 'three'];
  const workflow = step(`      coordination: parallel
      agents:
${names.map((name) => `        - {role: ${name}, acp_profile_id: ${name}, re_prompts: [Go on.]}\n`).join('')}`).replace(
    'type: step.coding',
    'type: step.coding\n    on_interrupt: retry',
  );
  const scripts = Object.fromEntries(
    names.map((name) => [
      name,
      `turns:
  - do: [{write: {path: made.txt, content: "${name}\\n"}}]
    text: First of ${name}.
  - do: [{wait_for_file: ${bench.scratch}/go}]
    text: Second of ${name}.
`,
    ]),
  );
  const project = await bench.project(muster, files(workflow, scripts));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const waiting = await bench.until(
    muster,
    runId,
    ({ state }) =>
      Object.values(state.turns).filter((turn) => turn.kind === 'reprompt' && turn.status === 'in_flight')
        .length === 3,
  );
  process.kill(await muster.corePid(), 'SIGKILL');
  await bench.until(
    muster,
    runId,
    ({ state }) =>
      Object.values(state.turns).filter((turn) => turn.status === 'interrupted').length === 3 &&
      Object.values(state.turns).filter((turn) => turn.status === 'in_flight').length === 3,
  );
  letGo(bench.scratch);
  const { state } = await bench.until(muster, runId, (run) => run.row.status === 'succeeded');
  const folders = Object.values(state.workspaces).map((workspace) => workspace.path);
  expect(new Set(folders).size).toBe(3);
  expect(Object.keys(waiting.state.workspaces)).toHaveLength(3);
  expect(output(state, 'diff_out')).toMatchObject(
    names.map((name) => ({ agent_role: name, diff: expect.stringContaining(`+${name}`) })),
  );
});

test('a worktree that was removed by hand is made again with what was made, and its session says so', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const workflow = `${step(`      session_persist: true
      agents:
        - {role: builder, acp_profile_id: builder}
`)}  - id: ask
    type: step.approval
    config: {message: Good?}
cables:
  - {from: code.data_out, to: ask.data_in}
  - {from: ask.revise_out, to: code.instruction_in}
`;
  const builder = `turns:
  - do: [{write: {path: made.txt, content: "one\\n"}}]
    text: Built.
  - text: Again.
`;
  const project = await bench.project(muster, files(workflow, { builder }));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const asked = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  const path = asked.state.workspaces[1]?.path ?? '';
  await muster.call('session.park', { runId, sessionId: 1 });
  rmSync(path, { recursive: true });
  await muster.call('gate.resolve', {
    runId,
    gateId: 1,
    answer: { option: 'reject', reason: 'once more' },
  });
  const { state } = await bench.until(
    muster,
    runId,
    (run) => run.state.gates[2]?.status === 'open' || run.row.status === 'failed',
  );
  expect(state.sessions[1]?.notice).toContain('recreated it from its branch and the last snapshot');
  expect(readFileSync(join(path, 'made.txt'), 'utf8')).toBe('one\n');
  expect(Object.values(state.turns).at(-1)?.response).toBe('Again.');
});
