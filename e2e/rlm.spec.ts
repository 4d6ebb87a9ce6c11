import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  ...{ kind: 'gateway', id, name: id, api: 'openai', base_url: models.url, model },
});

const test = base.extend<{ desk: Desk }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  desk: async ({}, use) => {
    const folder = await temporaryDataDir();
    const models = await startModelServer();
    const profiles = [profileOf(models, 'root', 'scripted'), profileOf(models, 'sub', 'scripted-small')];
    const project = makeProject({ '.muster/agents.yaml': JSON.stringify({ profiles }) });
    const cli = new Cli(folder.path, project);
    await use({ cli, models, project });
    await cli.end();
    await models.close();
    await folder.remove();
  },
});

/** What the root model is told for a question, iteration by iteration. */
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

/** The records that a command printed with --json. */
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
  // As root the sandbox of the operating system cannot start.
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
      ...{ iterations: 3, blocks: 3, sub_calls: 1, failed_sub_calls: 0, source: 'reply', partial: false },
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
  // Two blocks: a message for each, then the continue prompt.
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
    ...{ iteration: 2, block: 0, batch: 0, index: 0, ok: true, model: 'scripted-small', text: 'the cellar' },
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
