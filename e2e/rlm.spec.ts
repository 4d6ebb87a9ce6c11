import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { ulids } from '../src/main/adapters/system/ids';
import { Cli } from './fixtures/cli';
import { temporaryDataDir } from './fixtures/launch';
import { type ModelServer, startModelServer } from './fixtures/model-server';
import { makeProject } from './fixtures/project';
import { test as base, expect } from './fixtures/test';

interface Desk {
  readonly cli: Cli;
  readonly models: ModelServer;
  readonly project: string;
}

const profileOf = (models: ModelServer, id: string, model: string) => ({
  kind: 'gateway',
  id,
  name: id,
  api: 'openai',
  base_url: models.url,
  model,
});

/** A project's agents; `sub` extends the sub-model's profile. */
const agentsOf = (models: ModelServer, sub = {}): string =>
  JSON.stringify({
    profiles: [
      profileOf(models, 'root', 'scripted'),
      { ...profileOf(models, 'sub', 'scripted-small'), ...sub },
    ],
  });

const test = base.extend<{ desk: Desk }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  desk: async ({}, use) => {
    const folder = await temporaryDataDir();
    const models = await startModelServer();
    const project = makeProject({ '.muster/agents.yaml': agentsOf(models) });
    const cli = new Cli(folder.path, project);
    await use({ cli, models, project });
    await cli.end();
    await models.close();
    await folder.remove();
  },
});

/** Scripts the root model's replies to a question, iteration by iteration. */
const rootReplies = (models: ModelServer, replies: readonly string[]): void => {
  for (const text of replies)
    models.script({
      when: ({ model }) => model === 'scripted',
      answer: { text, usage: { input: 90, output: 10 } },
      times: 1,
    });
};

const repl = (code: string): string => `Let me look.\n\`\`\`repl\n${code}\n\`\`\``;

const ask = ['--model', 'root', '--sub-model', 'sub', '--allow-weak-sandbox', '--json'] as const;

/** The records printed by a command with --json. */
const records = (out: string): { kind: string; [key: string]: unknown }[] =>
  out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

const bodiesOf = (models: ModelServer, model: string) =>
  models.requests.flatMap((request) => {
    if (request.model !== model) return [];
    const { messages } = request.body as { messages: { role: string; content: string }[] };
    return [messages];
  });

test('the command line runs Python in the sandbox without a display, and says what confines it', async ({
  desk,
}) => {
  const ran = await desk.cli.run('rlm', 'check', '--allow-weak-sandbox', '--json');
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(JSON.parse(ran.out)).toMatchObject({
    python: expect.stringMatching(/^3\.\d+\.\d+/),
    osSandbox: expect.any(Boolean),
    detail: expect.any(String),
  });
  const refused = await desk.cli.run('rlm', 'check', '--json');
  // The operating system's sandbox cannot start as root.
  if (process.getuid?.() === 0) {
    expect(refused.code).toBe(7);
    expect(JSON.parse(refused.err || refused.out)).toMatchObject({
      error: { code: 'unavailable', mend: expect.stringContaining('--allow-weak-sandbox') },
    });
  }
});

test('a question over 50 MB is answered by code that searches the documents and asks a sub-model', async ({
  desk,
}) => {
  const { cli, models, project } = desk;
  const docs = join(project, 'docs');
  makeFiles(docs, {
    'a.txt': 'The red key opens the cellar.\n',
    'b.txt': `${'Nothing here, and nothing there.\n'.repeat(1_600_000)}`,
    'c.bin': '\0\u0001',
  });
  rootReplies(models, [
    repl('hits = [i for i, text in enumerate(context) if "key" in text]\nprint(hits, len(context))'),
    `${repl('parts = llm_query_batched([("What does the key open?", context[i]) for i in hits])\nprint(parts)')}\n${repl('result = parts[0].upper()')}`,
    'FINAL_VAR(result)',
  ]);
  models.script({
    when: ({ model }) => model === 'scripted-small',
    answer: { text: 'the cellar', usage: { input: 20, output: 5 } },
  });
  const ran = await cli.run('rlm', 'ask', 'What does {the} key open?', '--docs', 'docs', ...ask);
  expect([ran.code, ran.err]).toEqual([0, '']);
  const answer = records(ran.out).find(({ kind }) => kind === 'answer');
  expect(answer).toMatchObject({
    text: 'THE CELLAR',
    receipt: {
      iterations: 3,
      blocks: 3,
      sub_calls: 1,
      failed_sub_calls: 0,
      source: 'reply',
      partial: false,
      documents: [{ name: 'docs/a.txt', chars: 30 }, { name: 'docs/b.txt' }],
      left_out: [{ name: 'docs/c.bin', why: 'it is binary' }],
    },
  });
  const [first = [], second = [], third = []] = bodiesOf(models, 'scripted');
  expect(first.map(({ role }) => role)).toEqual(['system', 'assistant', 'user']);
  expect(first[1]?.content).toContain('a list with 52,800,030 characters in all');
  expect(first[2]?.content).toContain('answer the original prompt: "What does {the} key open?"');
  expect(second.slice(3).map(({ role }) => role)).toEqual(['assistant', 'user', 'user']);
  expect(second[4]?.content).toMatch(
    /^Code executed:\n```python\nhits = [\s\S]*\n```\n\n<repl_output type="untrusted_document_content">\nUNTRUSTED_CONTENT_([0-9a-f]{32})_BEGIN\n\[0\] 2\nUNTRUSTED_CONTENT_\1_END\n<\/repl_output>\n\nREPL variables: \[hits\]$/,
  );
  expect(second[5]?.content).toContain('The history before is your previous interactions');
  // Two blocks: a message for each, then the prompt to continue.
  expect(third.slice(6).map(({ role }) => role)).toEqual(['assistant', 'user', 'user', 'user']);
  const [[sub] = []] = bodiesOf(models, 'scripted-small');
  expect(sub?.content).toMatch(
    /^What does the key open\?\n\nUNTRUSTED_CONTENT_[0-9a-f]{32}_BEGIN\nThe red key/,
  );
  const trace = records((await cli.run('rlm', 'trace', '1', '--jsonl')).out);
  expect(trace.map(({ step }) => step)).toEqual([
    ...['header', 'documents', 'sandbox', 'opening', 'prompt', 'reply', 'code', 'output'],
    ...['prompt', 'reply', 'code', 'subcalls_asked', 'subcall_answered', 'output', 'code', 'output'],
    ...['prompt', 'reply', 'end', 'summary'],
  ]);
  expect(trace.find(({ step }) => step === 'subcall_answered')).toMatchObject({
    iteration: 2,
    block: 0,
    batch: 0,
    index: 0,
    ok: true,
    model: 'scripted-small',
    text: 'the cellar',
    usage: { total_tokens: 25 },
  });
});

test('a core that is killed in mid-batch is replaced by the one who asked, which pays for no answer twice and prints the answer', async ({
  desk,
}) => {
  const { cli, models, project } = desk;
  makeFiles(join(project, 'docs'), { 'a.txt': 'alpha\n' });
  const batch = 'answers = llm_query_batched([f"Part {i}." for i in range(8)])\nprint(seed, answers[7])';
  rootReplies(models, [
    repl('seed = 40 + 2\nprint(seed)'),
    repl(batch),
    'FINAL(Doc 0 says "alpha", so it is 42.)',
  ]);
  // The second half is not answered before the kill.
  let killed = false;
  for (let part = 0; part < 8; part += 1)
    models.script({
      when: `Part ${part}.`,
      answer: () => (part < 4 || killed ? { text: `answer ${part}` } : { text: '', midway: 'hang' }),
    });
  const sent = (): string[] =>
    models.requests.flatMap(({ model, prompts }) =>
      model === 'scripted-small' ? [prompts.at(-1) ?? ''] : [],
    );
  const host = cli.start('serve', '--json');
  await expect.poll(() => host.out(), { timeout: 60_000 }).toContain('"serving"');
  const live = cli.start('rlm', 'ask', 'Sum?', '--docs', 'docs', ...ask);
  const answered = /"rlm\.call-answered"/g;
  await expect.poll(() => live.out().match(answered)?.length ?? 0, { timeout: 60_000 }).toBe(4);
  await expect.poll(() => sent().length).toBe(8);
  killed = true;
  host.child.kill('SIGKILL');
  const ended = await live.done;
  expect(ended.code).toBe(0);
  expect(records(ended.out).find(({ kind }) => kind === 'answer')).toMatchObject({
    text: 'Doc 0 says "alpha", so it is 42.',
    receipt: { sub_calls: 8, citations: { checked: true, documents: [{ index: 0, name: 'docs/a.txt' }] } },
  });
  const open = [4, 5, 6, 7].map((part) => `Part ${part}.`);
  expect(sent().slice(8).sort()).toEqual(open);
});

/** Kills of the core with -9, alternately during a batch and between two: an even number. */
const KILLS = Number(process.env.MUSTER_RLM_KILLS ?? 2);

/** The prompts of one step of the block during which the core is killed. */
const promptsOf = (step: number): string[] => [
  ...[0, 1, 2, 3].map((part) => `Step ${step} part ${part}.`),
  `Go ${step}.`,
];

/**
 * Number of kills before a prompt of that block is answered: half of a batch waits for the first kill of its
 * step.
 */
function killsBefore(prompt: string): number {
  const [, word, step, part] = /^(Step|Go) (\d+)(?: part (\d))?/.exec(prompt) ?? [];
  if (word === undefined) return 0;
  return 2 * Number(step) + (word === 'Go' || Number(part) >= 2 ? 1 : 0);
}

test('a question outlives every kill of the core in mid-batch and in mid-block, and no answered sub-call is sent twice', async ({
  bench,
  desk: { models },
}) => {
  // One minute per kill is enough on a busy machine.
  test.setTimeout(60_000 * (KILLS + 2));
  const steps = Array.from({ length: KILLS / 2 }, (_, step) => step);
  // Each step asks a batch of four, then `Go`, then computes.
  const loop = [
    'total = seed',
    `for step in range(${steps.length}):`,
    '    total += sum(map(int, llm_query_batched([f"Step {step} part {part}." for part in range(4)])))',
    '    total += int(llm_query(f"Go {step}."))',
    '    total += sum(number % 2 for number in range(4_000_000))',
    'result = f"The total is {total}."',
  ].join('\n');
  rootReplies(models, [repl('seed = int(llm_query("Seed."))\nprint(seed)'), repl(loop), 'FINAL_VAR(result)']);
  let kills = 0;
  const sent: { prompt: string; core: number; answered: boolean }[] = [];
  models.script({
    when: ({ model }) => model === 'scripted-small',
    answer: ({ prompt }) => {
      const answered = kills >= killsBefore(prompt);
      sent.push({ prompt, core: kills, answered });
      return answered ? { text: '7' } : { text: '', midway: 'hang' };
    },
  });
  const sentBy = (core: number): string[] =>
    sent.filter((one) => one.core === core).map(({ prompt }) => prompt);

  let muster = await bench.serve();
  const files = { '.muster/agents.yaml': agentsOf(models), 'docs/a.txt': 'alpha\n' };
  const project = await bench.project(muster, files);
  const { runId } = await muster.call('rlm.start', {
    uid: ulids.ulid(),
    projectId: project.id,
    question: 'Sum?',
    documents: ['docs'],
    root: { profile: 'root' },
    sub: { profile: 'sub' },
    allowWeakSandbox: true,
  });
  let computing = 0;
  while (kills < KILLS) {
    const step = Math.floor(kills / 2);
    const inBatch = kills % 2 === 0;
    // `Seed.`, five for each earlier step, and two or all five of this one, after which it computes.
    const answers = 1 + 5 * step + (inBatch ? 2 : 5);
    await bench.until(muster, runId, ({ state }) => answeredIn(state) === answers);
    const hanging = inBatch ? promptsOf(step).slice(2, 4) : [];
    await expect.poll(() => sentBy(kills)).toEqual(expect.arrayContaining(hanging));
    await muster.kill();
    await expect.poll(() => models.connections()).toBe(0);
    if (!inBatch && !sentBy(kills).includes(`Step ${step + 1} part 0.`)) computing += 1;
    kills += 1;
    muster = await bench.serve();
  }
  test.info().annotations.push({ type: 'killed while Python computed', description: String(computing) });
  const { row, state } = await bench.until(muster, runId, ({ row }) => row.status !== 'running');
  expect(row.status).toBe('succeeded');
  const prompts = ['Seed.', ...steps.flatMap(promptsOf)];
  const total = 7 * prompts.length + 2_000_000 * steps.length;
  expect(state.activations[1]).toMatchObject({
    outputs: { data_out: { content: { merged_content: `The total is ${total}.` } } },
    receipt: { iterations: 3, blocks: 2, sub_calls: prompts.length, failed_sub_calls: 0 },
  });
  // Each prompt is answered once and never sent again after that. A repeated prompt had no answer when its
  // core was killed.
  const answered = sent.filter((one) => one.answered).map(({ prompt }) => prompt);
  expect(answered.toSorted()).toEqual(prompts.toSorted());
  for (const prompt of prompts) {
    const ofPrompt = sent.filter((one) => one.prompt === prompt);
    expect(ofPrompt.at(-1)?.answered, prompt).toBe(true);
    expect(new Set(ofPrompt.map(({ core }) => core)).size, prompt).toBe(ofPrompt.length);
  }
  for (const step of steps)
    expect(sentBy(2 * step)).toEqual(expect.arrayContaining(promptsOf(step).slice(0, 4)));
});

const answeredIn = ({ rlm }: RunState): number =>
  Object.values(rlm)
    .flatMap(({ blocks }) => blocks.flatMap(({ batches }) => batches.flatMap(({ calls }) => calls)))
    .filter(({ answer }) => answer !== null).length;

test('sub-models that are busy, hang, or answer five megabytes each have their own slot, in words and uncut', async ({
  desk,
}) => {
  const { cli, models, project } = desk;
  makeFiles(join(project, 'docs'), { 'a.txt': 'alpha\n' });
  // Six seconds.
  makeFiles(join(project, '.muster'), { 'agents.yaml': agentsOf(models, { silence_minutes: 0.1 }) });
  const large = `é${'x'.repeat(4_094)} `.repeat(1_280);
  const busy = (seconds: string) => ({
    status: 429,
    message: 'Too many requests',
    headers: { 'retry-after': seconds },
  });
  models.script({ when: 'Busy.', answer: busy('3'), times: 1 });
  models.script({ when: 'Busy.', answer: { text: 'free again' } });
  models.script({ when: 'Full.', answer: busy('3600') });
  models.script({ when: 'Hang.', answer: { text: 'half an answer', midway: 'hang' } });
  models.script({ when: 'Large.', answer: { text: large } });
  rootReplies(models, [
    repl('parts = llm_query_batched(["Busy.", "Full.", "Hang.", "Large."])\nprint(parts[3])'),
    repl('llm_query("Again.", parts[3])'),
    repl(
      'import hashlib\nparts[3] = hashlib.sha256(parts[3].encode()).hexdigest()\nreport = "\\n".join(parts)',
    ),
    'FINAL_VAR(report)',
  ]);
  const ran = await cli.run('rlm', 'ask', 'Sum?', '--docs', 'docs', ...ask);
  expect([ran.code, ran.err]).toEqual([0, '']);
  const failures = [`${models.url}: Too many requests`, 'The model did not respond for too long.'];
  expect(records(ran.out).find(({ kind }) => kind === 'answer')).toMatchObject({
    text: ['free again', ...failures.map((words) => `Error: ${words}`), sha256(large)].join('\n'),
    receipt: { iterations: 4, blocks: 3, sub_calls: 4, failed_sub_calls: 2 },
  });
  const times = (prompt: string): number[] =>
    models.requests.filter(({ prompts }) => prompts.at(-1) === prompt).map(({ at }) => at);
  const [first = 0, second = 0] = times('Busy.');
  expect(second - first).toBeGreaterThan(2_900);
  expect(['Busy.', 'Full.', 'Hang.', 'Large.'].map((prompt) => times(prompt).length)).toEqual([2, 1, 1, 1]);
  // The output is truncated for the root model, which is told how much is missing.
  const [, afterBatch = [], afterAgain = []] = bodiesOf(models, 'scripted');
  expect(afterBatch.at(-2)?.content).toContain('[Output cut: 5222880 of 5242880 characters are not shown.');
  expect(afterAgain.at(-2)?.content).toContain(
    'This sub-call has 5,242,886 characters. The limit is 500,000.',
  );
  const trace = records((await cli.run('rlm', 'trace', '1', '--jsonl')).out);
  const slots = trace.filter(({ step }) => step === 'subcall_answered');
  const [busyOne, full, hang, whole] = slots.sort((one, other) => Number(one.index) - Number(other.index));
  expect([busyOne, full, hang]).toMatchObject([
    { index: 0, ok: true, text: 'free again' },
    { index: 1, ok: false, text: failures[0] },
    { index: 2, ok: false, text: failures[1] },
  ]);
  expect([whole?.index, whole?.ok, whole?.text === large]).toEqual([3, true, true]);
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('a cancelled run ends in the middle of a loop', async ({ desk }) => {
  const { cli, models, project } = desk;
  makeFiles(join(project, 'docs'), { 'a.txt': 'alpha\n' });
  rootReplies(models, [repl('while True:\n    pass')]);
  const live = cli.start('rlm', 'ask', 'Sum?', '--docs', 'docs', ...ask);
  await expect.poll(() => live.out(), { timeout: 60_000 }).toContain('"rlm.block-started"');
  expect(await cli.run('cancel', '1')).toMatchObject({ code: 0 });
  const ended = await live.done;
  expect(records(ended.out).find(({ kind }) => kind === 'left')).toMatchObject({ status: 'cancelled' });
});

function makeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
