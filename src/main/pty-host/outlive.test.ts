import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FromPtyHost } from '@areas/terminals/contract/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Terminals } from '../adapters/pty/terminals';
import { PtyClient } from '../adapters/pty-client/client';
import { TerminalCommands } from '../adapters/pty-client/commands';
import type { CommandSpec } from '../core/ports/ports';

/** Generous, for a busy machine. */
const PATIENCE = { timeout: 120_000 };
const thread = new URL('./no-such-thread.js', import.meta.url);
let folder = '';
let host: Terminals;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-outlive-'));
  host = new Terminals(folder, thread);
});
afterEach(async () => {
  await host.close(0);
  rmSync(folder, { recursive: true, force: true });
});

/** A core's side of the terminals, and its end by kill -9. */
function core() {
  const client = new PtyClient();
  const commands = new TerminalCommands({ client, environment: process.env }, PATIENCE.timeout);
  let hear: ((raw: unknown) => void) | null = null;
  const heard: FromPtyHost[] = [];
  const post = (message: FromPtyHost): void =>
    void setImmediate(() => {
      heard.push(message);
      hear?.(message);
    });
  const line = host.connect({ post });
  client.connect({
    post: (message) => line.message(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onClose: () => undefined,
  });
  const kill = (): void => {
    hear = null;
    line.gone();
  };
  return { client, commands, heard, kill };
}

const spec = (script: string, more: Partial<CommandSpec> = {}): CommandSpec => ({
  runId: 4,
  commandId: 2,
  script,
  cwd: folder,
  env: {},
  terminal: true,
  timeoutSeconds: null,
  outputPath: join(folder, 'c2.log'),
  ...more,
});
const past = { startedAt: Date.now(), cancelled: false };
const printed = (text: string) =>
  expect
    .poll(() => existsSync(join(folder, 'c2.log')) && readFileSync(join(folder, 'c2.log'), 'utf8'), PATIENCE)
    .toContain(text);
const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.02; done`;

test('a command goes on under the next core: run once, its output whole, its end as if nothing had been', async () => {
  const script = spec(`echo line >> lines; echo begun; ${until('go')}; echo over; exit 6`);
  const first = core();
  first.commands.run(script);
  await printed('begun');
  first.kill();
  const second = core();
  const running = await second.commands.reattach(script, past);
  writeFileSync(join(folder, 'go'), '');
  expect(await running?.done).toMatchObject({
    outcome: 'exited',
    exitCode: 6,
    outputPath: script.outputPath,
    outputBytes: 13,
    error: null,
  });
  const output: Buffer[] = [];
  const streams = {
    output: (bytes: Uint8Array) => void output.push(Buffer.from(bytes)),
    errors: () => undefined,
  };
  expect(await (await running?.done)?.read(streams)).toBe(0);
  expect(Buffer.concat(output).toString()).toBe('begun\r\nover\r\n');
  expect(readFileSync(join(folder, 'lines'), 'utf8')).toBe('line\n');
});

test('a command that ended without a core is reported to each core until one has recorded it', async () => {
  const script = spec(`echo begun; ${until('go')}; exit 3`);
  const first = core();
  first.commands.run(script);
  await printed('begun');
  first.kill();
  writeFileSync(join(folder, 'go'), '');
  const second = core();
  expect(await (await second.commands.reattach(script, past))?.done).toMatchObject({ exitCode: 3 });
  // It died before committing that.
  second.kill();
  const third = core();
  const running = await third.commands.reattach(script, past);
  expect(await running?.done).toMatchObject({ outcome: 'exited', exitCode: 3 });
  running?.taken?.();
  third.kill();
  expect(await core().commands.reattach(script, past)).toBe(null);
});

test('a new host, a missing host or one of another database has no command to take up', async () => {
  const script = spec(`echo begun; ${until('go')}`);
  const early = core();
  expect(await early.commands.reattach(script, past)).toBe(null);
  early.kill();
  const alone = new TerminalCommands({ client: new PtyClient(), environment: {} }, 20);
  expect(await alone.reattach(script, past)).toBe(null);
  const first = core();
  first.commands.run(script);
  await printed('begun');
  first.kill();
  const other = { ...script, outputPath: join(folder, 'elsewhere', 'c2.log') };
  const second = core();
  expect(await second.commands.reattach(other, past)).toBe(null);
  expect(await second.commands.reattach(script, past)).not.toBe(null);
});

test('the time limit of a surviving command counts from when it really began', async () => {
  const script = spec(`echo begun; ${until('go')}`, { timeoutSeconds: 3600 });
  const first = core();
  first.commands.run(script);
  await printed('begun');
  first.kill();
  const long = { ...past, startedAt: Date.now() - 3_601_000 };
  const running = await core().commands.reattach(script, long);
  expect(await running?.done).toMatchObject({ outcome: 'timed_out', error: { code: 'command.failed' } });
});

test('a surviving command is cancelled under the next core', async () => {
  const script = spec(`echo begun; ${until('go')}`);
  const first = core();
  first.commands.run(script);
  await printed('begun');
  first.kill();
  const running = await core().commands.reattach(script, past);
  running?.kill('cancelled');
  expect(await running?.done).toMatchObject({ outcome: 'cancelled' });
});

test.each([
  ['cancelled', true],
  ['timed_out', false],
] as const)('a command that the last core was ending is %s', async (outcome, cancelled) => {
  const script = spec(`trap 'echo bye; exit 1' TERM; echo begun; ${until('go')}`);
  const first = core();
  const begun = first.commands.run(script);
  await printed('begun');
  begun.kill(outcome);
  first.kill();
  const running = await core().commands.reattach(script, { ...past, cancelled });
  expect(await running?.done).toMatchObject({ outcome });
});

test('a command that no run takes up is ended, and no longer reported', async () => {
  const first = core();
  first.commands.run(spec(`echo begun; ${until('go')}`));
  await printed('begun');
  first.kill();
  const second = core();
  second.client.endStrays(() => true);
  await expect.poll(() => second.heard.map(({ kind }) => kind), PATIENCE).toContain('exited');
  second.kill();
  const third = core();
  await expect.poll(() => third.heard, PATIENCE).toMatchObject([{ kind: 'hello', open: [] }]);
});
