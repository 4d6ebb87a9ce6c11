import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '@contract/run/events';
import { makeProject } from './fixtures/project';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

const LOOP = `name: Rounds
workspace: folder
steps:
  - id: talk
    type: step.loop
    config:
      prompt: "Said: [$LOOP_USER_INPUT]. Before: [$LOOP_PREV_OUTPUT]."
      acp_profile_id: worker
      until: DONE
      max_iterations: 9
      interactive: true
      gate_message: What next?
`;

const prompts = (artifactsDir: string): string[] =>
  readFileSync(join(artifactsDir, 'scripted-prompts.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).prompt);

test('a loop carries the texts of three rounds from the command line to its agent, each core a new one', async ({
  cli,
}) => {
  const project = makeProject(scripted(LOOP, 'default: Noted $(id).\n'));
  const run = await cli.run('run', join(project, WORKFLOW), '--no-wait', '--json');
  expect([run.code, run.err]).toEqual([6, '']);
  const events: { event?: StoredEvent['event'] }[] = run.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const started = events.find(({ event }) => event?.type === 'run.started')?.event;
  if (started?.type !== 'run.started') throw new Error('no start');
  const texts = ['first, with $ARGUMENTS', 'second: it\'s "$(id)"', 'third'];
  for (const text of texts) expect((await cli.run('answer', '1', text)).code).toBe(6);
  expect((await cli.run('choose', '1', 'finish')).code).toBe(0);
  expect(prompts(started.artifactsDir)).toEqual([
    'Said: []. Before: [].',
    ...texts.map((text) => `Said: [${text}]. Before: [Noted $(id).].`),
  ]);
  const shown = await cli.run('show', '1');
  for (const pass of ['talk[1]/pass', 'talk[2]/pass', 'talk[4]/pass']) expect(shown.out).toContain(pass);
});

const EXPERIMENT = `name: Compare
workspace: folder
returns: judge
steps:
  - id: compare
    type: step.experiment
    config:
      target:
        id: draft
        type: step.agent_task
        config: { acp_profile_id: worker, instruction: Write plainly., prompt: template }
      variants:
        - { name: plain }
        - { name: brief, instruction_override: Write briefly. }
        - { name: lost, config_overrides: { instruction: Write blanks. } }
  - id: judge
    type: step.judge
    config:
      acp_profile_id: worker
      criteria: [{ id: clear, description: is it clear? }]
cables:
  - { from: compare.data_out, to: judge.target_in }
`;
const score = (first: number, second: number): string =>
  JSON.stringify(
    Object.fromEntries(
      [first, second].map((clear, at) => [`candidate_${at + 1}`, { scores: { clear }, reason: 'so' }]),
    ),
  );
const VARIANTS = `match:
  - when: Write plainly
    reply: { text: the plain one, usage: { input_tokens: 30, output_tokens: 12, cost_usd: 0.25 } }
  - when: Write briefly
    reply: { text: the brief one, usage: { input_tokens: 30, output_tokens: 4, cost_usd: 0.125 } }
  - when: Write blanks
    reply: { stop: refusal }
  - when: plain one[^]*brief one
    reply: '${score(4, 9)}'
  - when: brief one[^]*plain one
    reply: '${score(9, 4)}'
default: unexpected
`;

test('an experiment compares three variants, of which one fails, and a judge chooses between the others', async ({
  cli,
}) => {
  const project = makeProject(scripted(EXPERIMENT, VARIANTS));
  const run = await cli.run('run', join(project, WORKFLOW), '--json');
  expect(run.err).toBe('');
  const shown = await cli.run('show', '1');
  for (const step of ['compare[1]/draft', 'compare[2]/draft', 'compare[3]/draft'])
    expect(shown.out).toContain(step);
  const finished = run.out
    .trimEnd()
    .split('\n')
    .map((line): { event?: StoredEvent['event'] } => JSON.parse(line))
    .flatMap(({ event }) => (event?.type === 'activation.finished' ? [event] : []));
  const outputs = finished.map((one) => one.outputs.data_out?.content);
  expect(outputs.find((one) => JSON.stringify(one)?.includes('"variants"'))).toMatchObject({
    target: 'draft',
    variants: [
      { name: 'plain', outcome: 'succeeded', output: 'the plain one', tokens: 42, cost_usd: 0.25 },
      { name: 'brief', outcome: 'succeeded', output: 'the brief one', tokens: 34, cost_usd: 0.125 },
      { name: 'lost', outcome: 'failed', output: null },
    ],
  });
  expect(outputs.at(-1)).toMatchObject({ winner: 'brief', tie: false });
  // A failed variant neither stops the judge nor lets the run succeed.
  expect(run.code).toBe(1);
});

const ITEMS = `name: Items
steps:
  - id: each
    type: step.workflow
    config:
      for_each: { items: [one, two] }
      body:
        steps:
          - { id: write, type: step.command, config: { script: "echo $ITEM > made.txt", terminal: false } }
          - { id: read, type: step.command, config: { script: cat made.txt, terminal: false } }
        cables:
          - { from: write.signal_out, to: read.signal_in }
  - id: after
    type: step.command
    config: { script: ls, terminal: false }
cables:
  - { from: each.data_out, to: after.data_in }
`;

test('items that write the same file do not meet, and the work of one is applied by its path', async ({
  cli,
}) => {
  const project = makeProject(scripted(ITEMS, 'default: x\n'));
  const run = await cli.run('run', join(project, WORKFLOW), '--json');
  expect([run.code, run.err]).toEqual([0, '']);
  const outputs = run.out
    .trimEnd()
    .split('\n')
    .map((line): { event?: StoredEvent['event'] } => JSON.parse(line))
    .flatMap(({ event }) => (event?.type === 'activation.finished' ? [event.outputs.data_out?.content] : []));
  expect(outputs).toContainEqual(['one', 'two']);
  expect(JSON.stringify(outputs.at(-1))).not.toContain('made.txt');
  const applied = await cli.run('apply', '1', '--step', 'each[2]');
  expect([applied.code, applied.err]).toEqual([0, '']);
  expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('two\n');
});

const REWORK = `name: Reworked
workspace: folder
steps:
  - id: draft
    type: step.agent_task
    config: { acp_profile_id: worker, instruction: Draft it. }
  - id: good
    type: step.approval
    config:
      message: "Is this good? $draft.output"
      on_reject: { acp_profile_id: worker, prompt: "Mend it: $REJECTION_REASON", max_attempts: 3 }
  - { id: send, type: step.command, config: { script: echo sent } }
cables:
  - { from: draft.data_out, to: good.data_in }
  - { from: good.signal_out, to: send.signal_in }
`;

test('two rejects with reasons reach the agent word for word, and the approval after them lets the run go on', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, scripted(REWORK, 'default: Drafted.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const reasons = ['too long, $draft.output', 'it\'s "$(id)" now'];
  for (const [asked, reason] of [...reasons.entries()]) {
    const gateId = asked + 1;
    await bench.until(muster, runId, ({ state }) => state.gates[gateId]?.status === 'open');
    await muster.call('gate.resolve', { runId, gateId, answer: { option: 'reject', reason } });
  }
  await bench.until(muster, runId, ({ state }) => state.gates[3]?.status === 'open');
  await muster.call('gate.resolve', { runId, gateId: 3, answer: { option: 'approve' } });
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  const reworks = prompts(state.artifactsDir).slice(1);
  expect(reworks.map((prompt) => prompt.split('\n')[0])).toEqual(
    reasons.map((reason) => `Mend it: ${reason}`),
  );
  expect(state.steps.send?.activationIds).toHaveLength(1);
});

const NESTED = (folder: string) => `name: Nested
workspace: folder
steps:
  - id: outer
    type: step.loop
    config:
      max_iterations: 3
      until_command: "false"
      body:
        steps:
          - id: each
            type: step.workflow
            config:
              for_each: { items: '["a", "b"]', isolation: inherit }
              body:
                steps:
                  - { id: wait, type: step.command, config: { script: 'sleep 600 & echo "$$ $!" >> ${folder}/pids; wait' } }
`;

/** A process that has ended but was not collected yet does not count as running. */
function runs(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('cancelling a loop of a fan-out ends the commands of all its items, with their children', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, { [WORKFLOW]: NESTED(bench.dataDir) });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const pids = (): number[] => {
    const file = join(bench.dataDir, 'pids');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\s+/).map(Number) : [];
  };
  await expect(() => expect(pids()).toHaveLength(4)).toPass();
  expect(pids().filter(runs)).toHaveLength(4);
  await muster.call('run.cancel', { runId });
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'cancelled');
  expect(Object.keys(state.scopes)).toEqual(['outer[1]', 'outer[1]/each[1]', 'outer[1]/each[2]']);
  for (const scope of Object.values(state.scopes)) expect(scope.status).toBe('ended');
  await expect(() => expect(pids().filter(runs)).toEqual([])).toPass();
});
