import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandSpec, RunningInTerminal } from '../../core/ports/ports';
import { bundlePtyHost } from '../../pty-host/testing/bundle';
import { ForkedPtyHost } from './channels';
import { PtyClient, type TerminalEnd, type TerminalHandle } from './client';
import { TerminalCommands } from './commands';

const linux = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'muster-pty-'));
const client = new PtyClient();
const commands = new TerminalCommands({ client, environment: process.env });
let entry = '';
let host: ForkedPtyHost;

beforeAll(async () => {
  entry = await bundlePtyHost();
  host = new ForkedPtyHost({ entry, dataDir: folder }, client);
  host.start();
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(dirname(entry), { recursive: true, force: true });
});

let count = 0;
function spec(script: string, more: Partial<CommandSpec> = {}): CommandSpec {
  count += 1;
  const outputPath = join(folder, 'out', `${count}.txt`);
  return {
    runId: 1,
    commandId: count,
    script,
    cwd: folder,
    env: {},
    terminal: true,
    timeoutSeconds: null,
    outputPath,
    ...more,
  };
}
/** How a command ended, and what it printed on each stream. */
async function read(running: RunningInTerminal | null) {
  if (running === null) throw new Error('there is no command');
  const { read: readAll, ...end } = await running.done;
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  const missing = await readAll({
    output: (bytes) => void output.push(Buffer.from(bytes)),
    errors: (bytes) => void errors.push(Buffer.from(bytes)),
  });
  return {
    ...end,
    output: Buffer.concat(output).toString(),
    errors: Buffer.concat(errors).toString(),
    missing,
  };
}

const run = (script: string, more: Partial<CommandSpec> = {}) => read(commands.run(spec(script, more)));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const printed = ({ outputPath }: CommandSpec) =>
  existsSync(outputPath) ? readFileSync(outputPath, 'utf8') : '';

/** A command into whose terminal these keys are typed once it is ready. */
async function typedInto(script: string, keys: string) {
  const { outputPath } = spec('');
  const file = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const terminal = { file, args: ['-c', script], cwd: folder, env: { PATH: process.env.PATH ?? '' } };
  let typed = false;
  let handle: TerminalHandle | null = null;
  const end = await new Promise<TerminalEnd>((resolve) => {
    handle = client.open(
      `typed-${count}`,
      { ...terminal, cols: 80, rows: 24, outputPath, hold: true, keep: false },
      {
        printed: () => {
          if (typed || !readFileSync(outputPath, 'utf8').includes('ready')) return;
          typed = true;
          handle?.write(keys);
        },
        ended: resolve,
      },
    );
    setTimeout(() => handle?.kill(0), 50_000).unref();
  });
  return end.kind === 'exited' ? end.exit : end;
}

/** Processes with this word in their command line; zombies have none. */
function alive(word: string): number[] {
  const found = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  const rows = found
    .map((line) => line.trim().split(/\s+/))
    .filter(([, state, ...args]) => !state?.startsWith('Z') && args.includes(word));
  return rows.map(([pid]) => Number(pid));
}
/**
 * Counts checks every 25 ms instead of time: on a busy machine both the checks and the awaited event take
 * longer.
 */
async function until(check: () => boolean, ms: number): Promise<boolean> {
  for (let looks = ms / 25; looks > 0 && !check(); looks -= 1) await pause(25);
  return check();
}
async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let over = false;
  void work.finally(() => {
    over = true;
  });
  return until(() => over, ms);
}

describe('a command in a terminal', () => {
  test('a command in a terminal has its exit code, its output and its size', async () => {
    const result = await run('[ -t 1 ] && echo "terminal in $PWD with $WORD"; exit 7', {
      env: { WORD: "it's $HOME" },
    });
    expect(result).toEqual({
      outcome: 'exited',
      exitCode: 7,
      output: `terminal in ${folder} with it's $HOME\r\n`,
      outputPath: join(folder, 'out', `${count}.txt`),
      outputBytes: Buffer.byteLength(`terminal in ${folder} with it's $HOME\r\n`),
      errors: '',
      missing: 0,
      error: null,
    });
  });

  test('a command in a terminal that prints 100 kB and exits at once loses nothing, 20 times', async () => {
    // A line of 100 characters becomes 101 bytes and a carriage return.
    const script = 'yes "$(printf "%099d" 0)x" | head -n 1000';
    for (let round = 0; round < 20; round += 1) {
      const one = spec(`${script}; echo end-${round}`);
      const result = await read(commands.run(one));
      const file = readFileSync(one.outputPath);
      expect(result).toMatchObject({
        outcome: 'exited',
        exitCode: 0,
        error: null,
        outputBytes: file.length,
      });
      expect(file.length).toBe(1000 * 102 + `end-${round}\r\n`.length);
      expect(result.output).toBe(file.toString());
    }
  });

  test('a command in a terminal has a terminal for standard error too, whose text is beside the output', async () => {
    const { output, errors, outputBytes } = await run(
      '[ -t 1 ] && [ -t 2 ] && echo both; echo trouble >&2; ls /no/such; echo done',
    );
    expect(output).toBe('both\r\ndone\r\n');
    expect(errors).toMatch(/^trouble\r\n.*\/no\/such.*\r\n$/);
    expect(outputBytes).toBe(output.length + errors.length);
  });

  test('both streams of a command that alternates between them are whole, and the terminal shows all of it', async () => {
    const script = 'for i in $(seq 1 3000); do echo "out $i"; echo "error $i" >&2; done';
    const one = spec(script);
    const { output, errors } = await read(commands.run(one));
    const lines = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at + 1}\r\n`).join('');
    expect(output === lines('out')).toBe(true);
    expect(errors === lines('error')).toBe(true);
    expect(readFileSync(one.outputPath).length).toBe(output.length + errors.length);
  });

  test('the question of a command that printed much before it stands below all of it', async () => {
    const one = spec('for i in $(seq 1 500); do echo "line $i"; done; read -p "Name? " name');
    const running = commands.run(one);
    await expect.poll(() => printed(one)).toContain('Name? ');
    expect(printed(one)).toMatch(/line 499\r\nline 500\r\nName\? $/);
    running?.kill('cancelled');
    await read(running);
  });

  test('standard error is part of the output where the step joins them', async () => {
    const { output, errors } = await run('echo one; echo two >&2; echo three', { joinsErrors: true });
    expect([output, errors]).toEqual(['one\r\ntwo\r\nthree\r\n', '']);
  });

  test('a command that is killed keeps what it said on standard error', async () => {
    const wanted = spec(
      'echo begun; echo trouble >&2; trap "echo bye >&2; exit 5" TERM; while :; do sleep 0.05; done',
    );
    const running = commands.run(wanted);
    await expect.poll(() => printed(wanted)).toContain('trouble');
    running.kill('cancelled');
    const ended = await read(running);
    expect(ended).toMatchObject({ outcome: 'cancelled', output: 'begun\r\n' });
    expect(ended.errors).toMatch(/^trouble\r\n[\s\S]*bye\r\n$/);
  });

  test('a command in a terminal keeps characters of several bytes whole', async () => {
    const result = await run('yes "äöü€😀" | head -n 20000');
    expect(result.output.includes('\uFFFD')).toBe(false);
  });

  test('a command in a terminal is not fooled by an end mark of its own', async () => {
    const result = await run(`printf '\\033]1337;MusterEnd=0;0\\007'; sleep 0.1; echo still here; exit 3`);
    expect(result.exitCode).toBe(3);
    expect(result.output).toContain('still here');
  });

  test('a command in a terminal that leaves the terminal raw, or was typed into, still ends', async () => {
    expect(await run('stty raw -echo; echo raw; exit 4')).toMatchObject({ outcome: 'exited', exitCode: 4 });
  });

  test.each([
    ['an unfinished line', 'echo ready; sleep 0.4; echo over; exit 6', 'abc'],
    ['the rest of what it read a part of', 'echo ready; read -rn 2; sleep 0.2; echo over; exit 6', 'abcdef'],
    ['a key that quotes the next', 'echo ready; sleep 0.4; echo over; exit 6', 'abc\x16'],
    ['more ends of input than it read', 'echo ready; cat; echo over; exit 6', '\x04\x04\x04'],
    ['more than a line holds', 'echo ready; sleep 0.4; echo over; exit 6', 'x'.repeat(5000)],
    [
      'an unread report of its raw terminal',
      'stty raw -echo; echo ready; sleep 0.4; echo over; exit 6',
      '\x1b[12;1R',
    ],
    [
      'keys in a raw terminal that it left without waiting for any',
      'stty raw -echo min 0 time 0; echo ready; sleep 0.4; echo over; exit 6',
      'q\x04\x03\x1b[A',
    ],
  ])('a command in a terminal ends where its terminal still holds %s', async (_, script, keys) => {
    const exit = await typedInto(script, keys);
    expect(exit).toMatchObject({ exitCode: 6, signal: null, error: null });
    expect(readFileSync(join(folder, 'out', `${count}.txt`), 'utf8').trimEnd()).toMatch(/over$/);
  });

  test('a command in a terminal that ends its own group is reported as ended by a signal or code', async () => {
    expect(await run('kill -9 $PPID; sleep 5')).toMatchObject({
      outcome: 'signalled',
      exitCode: null,
      error: { code: 'command.failed' },
    });
    expect(await run('kill -9 $$')).toMatchObject({ outcome: 'exited', exitCode: 137 });
  });

  test('a command in a terminal in a folder that is not there fails to start', async () => {
    const result = await run('true', { cwd: join(folder, 'nowhere') });
    expect(result).toMatchObject({ outcome: 'failed_to_start', error: { code: 'workspace.failed' } });
  });

  test('a command in a terminal with a program that is not there exits with 127', async () => {
    expect(await run('no-such-program-at-all')).toMatchObject({ outcome: 'exited', exitCode: 127 });
  });

  test('a command in a terminal may be longer than an argument', async () => {
    const long = `# ${'x'.repeat(200_000)}\necho done`;
    expect(await run(long)).toMatchObject({ exitCode: 0, output: 'done\r\n' });
  });

  test('a command in a terminal runs into its time limit', async () => {
    const result = await run('echo begun; sleep 60', { timeoutSeconds: 1.5 });
    expect(result).toMatchObject({ outcome: 'timed_out', error: { code: 'command.failed' } });
    expect(result.output).toMatch(/^begun\r\n/);
  });

  test('a command in a terminal that leaves a process behind is done when that has ended', async () => {
    expect(await run('sleep 4711 & disown; echo left')).toMatchObject({
      outcome: 'exited',
      exitCode: 0,
      output: 'left\r\n',
    });
    expect(alive('4711')).toEqual([]);
  });
});

describe('a kill', () => {
  test('a kill ends a command that can end itself, with its last words', async () => {
    const wanted = spec('trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.05; done');
    const running = commands.run(wanted);
    await expect.poll(() => printed(wanted)).toContain('ready');
    running.kill('cancelled');
    const result = await read(running);
    expect(result).toMatchObject({ outcome: 'cancelled', exitCode: 5, error: null });
    expect(result.output).toMatch(/^ready\r\n[\s\S]*bye\r\n$/);
  });

  test('a kill ends a command that ignores TERM and HUP, and its children in other groups and sessions', async () => {
    const deep = linux ? `setsid sh -c 'trap "" TERM HUP; sleep 4712; sleep 4712' &` : '';
    const running = commands.run(spec(`trap "" TERM HUP INT; ${deep} sleep 4712; sleep 4712`));
    expect(await until(() => alive('4712').length >= 1, 30_000)).toBe(true);
    running.kill('cancelled');
    expect(await endsWithin(running.done, 5000)).toBe(true);
    expect(await running.done).toMatchObject({ outcome: 'cancelled' });
    expect(alive('4712')).toEqual([]);
  });
});

describe('the terminal process', () => {
  test('the terminal process keeps its descriptors over 100 terminals', async () => {
    if (!linux) return;
    const open = () => readdirSync(`/proc/${host.pid}/fd`).length;
    await run('true');
    const before = open();
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => run('echo x')));
    }
    // The host closes the last ones after reporting their end.
    expect(await until(() => open() <= before, 5000), `${open()} open, ${before} before`).toBe(true);
  });

  test('a terminal process that is killed with -9 leaves no process, and the next one serves the client', async () => {
    const deep = linux ? `setsid sh -c 'trap "" TERM HUP; sleep 4713; sleep 4713' &` : '';
    const wanted = spec(`echo alive; trap "" TERM HUP INT; ${deep} sleep 4713; sleep 4713`);
    const running = commands.run(wanted);
    expect(await until(() => alive('4713').length >= (linux ? 2 : 1), 30_000)).toBe(true);
    await expect.poll(() => printed(wanted)).toContain('alive');
    process.kill(host.pid ?? 0, 'SIGKILL');
    expect(await read(running)).toMatchObject({
      outcome: 'signalled',
      exitCode: null,
      output: 'alive\r\n',
      error: { code: 'unavailable' },
      interrupted: "Muster's process for terminals died",
    });
    expect(await run('echo again')).toMatchObject({ outcome: 'exited', exitCode: 0, output: 'again\r\n' });
    expect(await until(() => alive('4713').length === 0, 5000)).toBe(true);
  });

  test('a terminal process that is killed with its guard leaves work for the next one, which does it', async () => {
    if (!linux) return;
    const running = commands.run(spec('trap "" TERM HUP INT; sleep 4715; sleep 4715'));
    expect(await until(() => alive('4715').length >= 1, 30_000)).toBe(true);
    const guard = alive('muster-guard').filter((pid) =>
      readFileSync(`/proc/${pid}/stat`, 'utf8').includes(` ${host.pid} `),
    );
    for (const pid of [...guard, host.pid ?? 0]) process.kill(pid, 'SIGKILL');
    expect(guard).toHaveLength(1);
    expect((await running.done).outcome).toBe('signalled');
    expect(await run('echo again')).toMatchObject({ exitCode: 0 });
    expect(alive('4715')).toEqual([]);
  });

  test('a terminal process that ends by itself ends its commands first', async () => {
    const other = new PtyClient(200);
    const second = new ForkedPtyHost({ entry, dataDir: folder }, other);
    second.start();
    const late = new TerminalCommands({ client: other, environment: process.env });
    const running = late.run(spec('trap "" TERM; sleep 4714; sleep 4714'));
    expect(await until(() => alive('4714').length >= 1, 30_000)).toBe(true);
    await second.stop();
    expect(alive('4714')).toEqual([]);
    expect((await running.done).outcome).toBe('signalled');
    expect(await late.run(spec('true')).done).toMatchObject({
      outcome: 'failed_to_start',
      error: { code: 'unavailable' },
    });
  });
});
