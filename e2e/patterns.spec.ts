/** Muster's own patterns: each becomes a workflow, which a scripted agent runs. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { Cli } from './fixtures/cli';
import { does, loopFiles } from './fixtures/loop';
import { makeProject } from './fixtures/project';
import type { Served } from './fixtures/serve';
import { type Bench, expect, scripted, test } from './fixtures/test';

/** An agent that answers a prompt by the first of these words that the prompt contains. */
const answers = (replies: readonly (readonly [when: string, text: string, does?: string])[]): string =>
  `match:\n${replies
    .map(
      ([when, text, work]) =>
        `  - when: ${JSON.stringify(when)}\n    reply:\n${work === undefined ? '' : `      do: [${work}]\n`}      text: ${JSON.stringify(text)}\n`,
    )
    .join('')}`;

/** Creates a pattern's workflow, checks that it has no problems, and starts it. */
async function started(
  { bench, served }: { bench: Bench; served: Served },
  pattern: string,
  more: { readonly script?: string; readonly files?: Record<string, string> },
) {
  const script = more.script ?? 'default: Done.\n';
  const project = await bench.project(served, {
    ...scripted('name: W\nsteps: []\n', script),
    ...more.files,
  });
  const { file } = await served.call('workflow.create', {
    projectId: project.id,
    name: 'Mine',
    from: { kind: 'pattern', pattern, agent: 'worker' },
  });
  const detail = await served.call('workflow.get', { projectId: project.id, file });
  expect(detail.problems).toEqual([]);
  const run = await served.call('run.start', {
    projectId: project.id,
    file,
    instruction: 'Write made.txt',
  });
  return { ...run, project };
}

const output = (state: RunState, step: string) =>
  state.activations[state.steps[step]?.activationIds.at(-1) ?? 0]?.outputs.data_out?.content;

test('the pattern plan, build, review brings a rejected plan and a rejected result back, then the changes are accepted', async ({
  bench,
}) => {
  const served = await bench.serve();
  const approves = '```json\n{"decision": "approve", "findings": []}\n```';
  const script = answers([
    ['Review the changes', approves],
    ['Carry out the plan', 'Built it.', '{write: {path: made.txt, content: made}}'],
    ['.', 'One step: write made.txt.'],
  ]);
  const { runId } = await started({ bench, served }, 'plan-build-review', { script });
  const decide = async (title: string, option: 'approve' | 'reject') => {
    const { state } = await bench.until(served, runId, ({ row }) => row.openGates === 1);
    const gate = Object.values(state.gates).find(({ status }) => status === 'open');
    expect(gate?.title).toContain(title);
    const answer = option === 'reject' ? { option, reason: 'Say more' } : { option };
    await served.call('gate.resolve', { runId, gateId: gate?.id ?? 0, answer });
    return gate;
  };
  await decide('Approve the plan?', 'reject');
  await decide('Approve the plan?', 'approve');
  const shown = await decide('Accept the changes?', 'reject');
  // The gate shows the recorded change, with its counts.
  expect(JSON.stringify(shown)).toContain('1 file changed, +1 -0');
  await decide('Accept the changes?', 'approve');
  await bench.until(served, runId, ({ row }) => row.status === 'succeeded');
});

test('the pattern until the tests pass sends the agent again until the command succeeds, and not more often than allowed', async ({
  bench,
}) => {
  const served = await bench.serve();
  const script = `turns:\n  - text: Not yet.\n  - do: [{write: {path: fixed.txt, content: x}}]\n    text: Fixed.\ndefault: Done.\n`;
  const tests = (command: string) => ({ 'package.json': JSON.stringify({ scripts: { test: command } }) });
  const files = tests('test -f fixed.txt');
  const one = await started({ bench, served }, 'until-tests-pass', { script, files });
  const { state } = await bench.until(served, one.runId, ({ row }) => row.openGates === 1);
  expect(Object.keys(state.scopes)).toEqual(['fix[1]', 'fix[2]']);
  const gate = Object.values(state.gates)[0];
  await served.call('gate.resolve', {
    runId: one.runId,
    gateId: gate?.id ?? 0,
    answer: { option: 'approve' },
  });
  await bench.until(served, one.runId, ({ row }) => row.status === 'succeeded');
  const never = await started({ bench, served }, 'until-tests-pass', { files: tests('exit 1') });
  const failed = await bench.until(served, never.runId, ({ row }) => row.status === 'failed');
  expect(Object.keys(failed.state.scopes)).toHaveLength(5);
});

test('the pattern for each file reads every file that matches, whatever its name, and the findings come together', async ({
  bench,
}) => {
  const served = await bench.serve();
  const script = answers([
    ['Bring the findings', 'All in one list.'],
    ['Read ', 'Line 1 is wrong.'],
  ]);
  const files = { 'a "b" é.md': '# A', 'docs/c d.md': '# C', 'other.txt': 'x' };
  const { runId } = await started({ bench, served }, 'each-file', { script, files });
  const { state } = await bench.until(served, runId, ({ row }) => row.status === 'succeeded');
  expect(Object.keys(state.scopes)).toHaveLength(3);
  expect(JSON.stringify(output(state, 'together'))).toContain('All in one list.');
});

test('the pattern two agents and a judge gives both the task, and each gets its scores', async ({
  bench,
}) => {
  const served = await bench.serve();
  const scores = { complete: 7, correct: 8, clear: 9 };
  const scored = { scores, reason: 'It is good.' };
  const script = answers([
    ['candidate_1', JSON.stringify({ candidate_1: scored, candidate_2: scored })],
    ['.', 'It is done.'],
  ]);
  const { runId } = await started({ bench, served }, 'two-agents-and-judge', { script });
  const { state } = await bench.until(served, runId, ({ row }) => row.status === 'succeeded');
  expect(output(state, 'judge')).toMatchObject({
    tie: true,
    candidates: [{ name: 'first' }, { name: 'second' }],
  });
});

test('the pattern nightly loop has every story done by a fresh worker, and each attempt is in the feed', async ({
  bench,
}) => {
  const served = await bench.serve();
  const files = loopFiles([1, 2, 3].map((number) => does(number)).join(''));
  const { runId } = await started({ bench, served }, 'nightly-loop', { files });
  await bench.until(served, runId, ({ row }) => row.status === 'succeeded');
  const { rows } = await served.call('feed.list', { runId, limit: 10 });
  expect(rows).toHaveLength(3);
});

test('the command line makes a workflow from a pattern, and names the patterns where the name is unknown', async ({
  bench,
}) => {
  const folder = makeProject(scripted('name: W\nsteps: []\n', 'default: Done.\n'));
  const cli = new Cli(bench.dataDir, folder);
  for (const name of readdirSync(join(import.meta.dirname, '../resources/patterns'))) {
    const id = name.replace('.yaml', '');
    expect(await cli.run('new', id, '--pattern', id, '--agent', 'worker')).toMatchObject({ code: 0 });
    const file = `.muster/workflows/${name}`;
    expect(existsSync(join(folder, file))).toBe(true);
    expect(await cli.run('validate', file)).toMatchObject({ code: 0 });
  }
  expect(await cli.run('new', 'X', '--pattern', 'no', '--agent', 'worker')).toMatchObject({
    err: expect.stringContaining('nightly-loop'),
  });
  expect(await cli.run('new', 'X', '--pattern', 'each-file')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--agent'),
  });
  await cli.end();
});

test('each file: a list of 1,500 files reaches the items whole', async ({ bench }) => {
  const served = await bench.serve();
  const names = Array.from({ length: 1500 }, (_, at) => `notes/a rather long name of the file ${at}.md`);
  const files = Object.fromEntries(names.map((name) => [name, name]));
  const { runId } = await started({ bench, served }, 'each-file', { files });
  const { state } = await bench.until(served, runId, ({ state }) => Object.keys(state.scopes).length > 3);
  expect(state.activations[1]?.error).toBeNull();
  const parts: string[] = [];
  for (let from = 0; ; ) {
    const page = await served.call('run.output', { runId, step: 'list', from });
    parts.push(page.text);
    from = page.to;
    if (from >= page.size) break;
  }
  expect(new Set(JSON.parse(parts.join('')) as string[])).toEqual(new Set([...names, 'README.md']));
  await served.call('run.cancel', { runId });
});
