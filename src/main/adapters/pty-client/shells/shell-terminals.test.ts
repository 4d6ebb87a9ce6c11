import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Terminal, TerminalSpec } from '../../../core/ports/programs/terminal';
import { bundlePtyHost } from '../../../pty-host/testing/bundle';
import { ForkedPtyHost } from '../channels';
import { PtyClient } from '../client';
import { MarkReader } from './shell-script';
import { ShellTerminals } from './shell-terminals';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-shells-')));
const client = new PtyClient();
let entry = '';
let host: ForkedPtyHost;
let terminals: ShellTerminals;
let count = 0;
let owner = '';

beforeAll(async () => {
  entry = await bundlePtyHost();
  host = new ForkedPtyHost({ entry, dataDir: folder }, client);
  host.start();
  mkdirSync(join(folder, 'sub'));
  const instead = {
    begin: async () => undefined,
    create: () => Promise.reject(new Error('no')),
    close: () => Promise.resolve(),
  };
  const environment = async () => ({ PATH: process.env.PATH ?? '', HOME: folder, FROM: 'session' });
  terminals = new ShellTerminals({ client, environment, instead });
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(dirname(entry), { recursive: true, force: true });
});
beforeEach(async () => {
  if (owner !== '') await terminals.close(owner, 'over');
  count += 1;
  owner = `run/s${count}`;
});

async function open(command: string, more: Partial<TerminalSpec> = {}): Promise<Terminal> {
  const made = await terminals.create({
    owner,
    command,
    args: [],
    cwd: folder,
    env: {},
    requested: { cwd: null, env: {} },
    outputBase: join(folder, 'terminals', `s${count}`),
    outputByteLimit: 1_000_000,
    onOutput: () => undefined,
    ...more,
  });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

async function run(command: string, more: Partial<TerminalSpec> = {}) {
  const terminal = await open(command, more);
  const exit = await terminal.waitForExit();
  return { ...exit, text: (await terminal.output()).text };
}
const said = (text: string, code = 0) => ({ code, signal: null, text });

test('a command finds what the one before it set up', async () => {
  expect(await run('export A=1; f() { echo "f $A"; }; cd sub')).toEqual(said(''));
  expect(await run('f; pwd; echo $FROM')).toEqual(said(`f 1\n${folder}/sub\nsession\n`));
  expect(await run('printf', { args: ['%s|', 'a b', "it's"] })).toEqual(said("a b|it's|"));
});

test('a command that ends the shell leaves its environment to the next', async () => {
  expect(await run('export B=2; cd sub; exit 7')).toEqual(said('', 7));
  expect(await run('echo $B; pwd')).toEqual(said(`2\n${folder}/sub\n`));
  expect(await run('if')).toMatchObject({ code: expect.any(Number) });
  expect(await run('echo $B')).toEqual(said('2\n'));
});

test('a value of the request itself wins, for that command only', async () => {
  await run('export C=mine; cd sub');
  const requested = { cwd: '/', env: { C: 'theirs', FROM: "a'b" } };
  expect(await run('echo $C $FROM; pwd', { requested })).toEqual(said("theirs a'b\n/\n"));
  expect(await run('echo $C $FROM; pwd')).toEqual(said(`mine session\n${folder}/sub\n`));
});

test('a secret of a request is in no file of the session, beside a busy command either', async () => {
  const requested = { cwd: null, env: { GIVEN: 'sk-given-0123456' } };
  const more = { requested, conceal: ['sk-given-0123456'] };
  await run('true');
  expect(await run('echo "it is $GIVEN"', more)).toEqual(said('it is ***\n'));
  const busy = await open('sleep 60');
  expect(await run('echo "again $GIVEN"', more)).toEqual(said('again ***\n'));
  await busy.kill();
});

test('a command beside a busy one begins with what the shell had', async () => {
  await run('export D=4');
  const busy = await open('sleep 60');
  expect(await run('echo $D; D=5')).toEqual(said('4\n'));
  expect((await busy.output()).exit).toBeNull();
  await busy.kill();
  expect((await busy.output()).exit).toEqual({ code: 130, signal: null });
  expect(await run('echo $D')).toEqual(said('4\n'));
});

test('a command that ignores the key is ended all the same', async () => {
  await run('export E=5');
  const deaf = await open(`bash -c 'trap "" INT TERM; echo deaf; while :; do sleep 0.1; done'`);
  await expect.poll(async () => (await deaf.output()).text).toContain('deaf');
  await deaf.kill();
  expect((await deaf.output()).exit?.code).not.toBe(0);
  expect(await run('echo $E')).toEqual(said('5\n'));
});

test('much output is whole, and shown without colours', async () => {
  const { text, code } = await run(
    `for i in $(seq 1 3000); do printf '\\033[31mline %s\\033[0m\\n' $i; done`,
  );
  expect(code).toBe(0);
  expect(text).toBe(Array.from({ length: 3000 }, (_, index) => `line ${index + 1}\n`).join(''));
});

test('marks are found wherever the stream is cut', () => {
  const stream =
    'a\x1b[0m\x1b]1337;MusterBegin=x-1;\x07b\x1b]1337;Other\x07c\x1b]1337;MusterDone=x-1;3;\x07d';
  for (let cut = 1; cut < stream.length; cut += 1) {
    const reader = new MarkReader();
    const found = [...reader.push(stream.slice(0, cut)), ...reader.push(stream.slice(cut))];
    const text = found.filter((part) => typeof part === 'string').join('');
    expect(text).toBe('a\x1b[0mb\x1b]1337;Other\x07cd');
    expect(found.filter((part) => typeof part !== 'string')).toEqual([
      { kind: 'begin', id: 'x-1' },
      { kind: 'done', id: 'x-1', code: 3 },
    ]);
  }
});
