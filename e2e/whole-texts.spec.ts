import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_TEXT_BYTES, WHOLE_TEXT_BYTES } from '@contract/limits';
import type { Cli } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

// A value is whole or marked, from a command's output through every reader outside the window. What each reader does
// with it is a property of its own (large-texts.test.ts in the engine).

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A text of this many bytes, without a line end at its end. Every line differs, so that no part can stand for another. */
function textOf(bytes: number): string {
  const lines = Array.from({ length: Math.ceil(bytes / 16) }, (_, n) => `${n}: ä€😀 \t"$(id)" {}\\`);
  // A character that the end would cut is left out.
  const text = Buffer.from(lines.join('\n'))
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, '');
  return `${text}${'.'.repeat(bytes - Buffer.byteLength(text))}`;
}

const SIZES = [0, EVENT_TEXT_BYTES - 1, EVENT_TEXT_BYTES, EVENT_TEXT_BYTES + 1, 5_000_001];
const TEXTS = SIZES.map(textOf);

/** Files that commands print: they are larger than a script may be. */
function printed(texts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-texts-'));
  for (const [n, text] of texts.entries()) writeFileSync(join(folder, `${n}`), `${text}\n`);
  return folder;
}

const command = (id: string, script: string, more = '') =>
  `  - {id: ${id}, type: step.command, config: {terminal: false, ${more}script: '${script}'}}\n`;

interface Api {
  readonly address: string;
  readonly token: string;
}

/** Every page of a text that the API gives in pages. */
async function pages({ address, token }: Api, path: string): Promise<string> {
  let text = '';
  for (let [from, size] = [0, 1]; from < size; ) {
    const answer = await fetch(`${address}${path}&from=${from}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page: { text: string; to: number; size: number } = await answer.json();
    text += page.text;
    [from, size] = [page.to, page.size];
  }
  return text;
}

async function served(cli: Cli): Promise<Api> {
  expect(await cli.run('api', '--on')).toMatchObject({ code: 0 });
  const host = cli.start('serve');
  await expect.poll(host.out).toContain('HTTP API: http://127.0.0.1:');
  return cli.document<Api>('api');
}

test('an output of any size is whole for a script, a gate, the command line and the HTTP API', async ({
  cli,
}) => {
  const folder = printed(TEXTS);
  const steps = TEXTS.map(
    (_, n) =>
      command(`a${n}`, `cat ${folder}/${n}`) +
      command(`b${n}`, `printf %s "$a${n}.output" | sha256sum | cut -d " " -f 1`),
  );
  const gates = TEXTS.map((_, n) => `  - {id: g${n}, type: step.approval, config: {message: Look}}\n`);
  const cables = TEXTS.map(
    (_, n) =>
      `  - {from: a${n}.signal_out, to: b${n}.signal_in}\n  - {from: a${n}.data_out, to: g${n}.data_in}\n`,
  );
  const text = `name: Whole\nworkspace: folder\nmax_parallel: 4\nsteps:\n${steps.join('')}${gates.join('')}cables:\n${cables.join('')}`;
  const project = makeProject(scripted(text, 'default: Done.\n'));
  const api = await served(cli);
  const started = await fetch(`${api.address}/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project, file: WORKFLOW }),
  });
  expect([started.status, await started.text()]).toEqual([201, expect.any(String)]);
  const open = () => cli.document<{ gates: Gate[] }>('gates');
  await expect.poll(async () => (await open()).gates.length, { timeout: 120_000 }).toBe(TEXTS.length);
  await expect
    .poll(async () => (await outputs(cli, TEXTS, 'b')).map((one) => one.trim()), { timeout: 120_000 })
    .toEqual(TEXTS.map(hash));
  for (const gate of (await open()).gates) {
    const text = TEXTS[Number(gate.stepId.slice(1))] ?? '';
    const large = gate.evidence_parts?.[0]?.large;
    if (large === undefined) expect(gate.evidence ?? '').toBe(text);
    else expect(hash((await cli.run('output', '1', '--text', large.sha256)).out)).toBe(hash(text));
  }
  expect((await outputs(cli, TEXTS, 'a')).map(hash)).toEqual(TEXTS.map(hash));
  const asJson = TEXTS.map((_, n) => cli.document<string>('output', '1', `a${n}.data_out`));
  expect((await Promise.all(asJson)).map(hash)).toEqual(TEXTS.map(hash));
  const paged = TEXTS.map((_, n) => pages(api, `/runs/1/output?step=a${n}&port=data_out`));
  expect((await Promise.all(paged)).map(hash)).toEqual(TEXTS.map(hash));
});

test('an output above the limit fails its step, or carries its mark wherever it is read', async ({ cli }) => {
  const folder = printed([textOf(100_000)]);
  const text = `name: Cut
workspace: folder
steps:
${command('huge', `head -c ${WHOLE_TEXT_BYTES + 1} /dev/zero | tr "\\0" x`)}${command('cut', `cat ${folder}/0`, 'output_limit: 1 KiB, ')}${command('next', 'printf %s "$DATA_IN" | tail -n 1')}cables:
  - {from: cut.data_out, to: next.data_in}
`;
  const run = await cli.run('run', join(makeProject(scripted(text, 'default: Done.\n')), WORKFLOW));
  expect(run.code).toBe(1);
  expect(run.out).toContain('an output is passed on whole up to 64 MiB');
  const mark = '[Cut: first 1 kB of 100 kB]';
  const shown = await cli.run('output', '1', 'cut.data_out');
  expect(shown.err).toContain('This is only the first 1 kB of 100 kB; the rest was not kept.');
  expect((await cli.run('output', '1', 'next.data_out')).out.trimEnd()).toBe(mark);
  const huge = await cli.run('output', '1', 'huge.data_out', '--json');
  expect(huge.err).toContain('This is only the last 64 KiB of 67.1 MB; the rest was not kept.');
  expect(JSON.parse(huge.out)).toEqual({ cut: 'last 64 KiB of 67.1 MB', text: 'x'.repeat(EVENT_TEXT_BYTES) });
});

interface Gate {
  readonly stepId: string;
  readonly evidence: string | null;
  readonly evidence_parts?: readonly { readonly large?: { readonly sha256: string } }[];
}

/** What the command line prints for the output of each step, as a program reads it. */
const outputs = (cli: Cli, texts: readonly string[], step: string): Promise<string[]> =>
  Promise.all(texts.map(async (_, n) => (await cli.run('output', '1', `${step}${n}.data_out`)).out));
