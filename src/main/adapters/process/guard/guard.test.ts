import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { GuardedProcesses } from '../index';
import { allProcesses, findMarked, processRow } from '../table/process-table';
import { bundle } from '../testing/bundle';
import { endForsaken } from './forsaken';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'muster-guard-')));
const parents: ChildProcess[] = [];
let adapter = '';

beforeAll(async () => {
  adapter = await bundle('src/main/adapters/process/index.ts', 'processes');
});
afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const livingWith = async (mark: string) => {
  const marked = await findMarked('MUSTER_INSTANCE', (value) => value.includes(`.${mark}.`));
  const zombies = new Set((await allProcesses()).filter((row) => row.zombie).map((row) => row.pid));
  return marked.map((entry) => entry.pid).filter((pid) => !zombies.has(pid));
};

const LOOK_MS = 25;
/** Only ends a wait that hangs. */
const LIMIT_MS = 120_000;

/** The value once it is good. */
async function eventually<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let looks = LIMIT_MS / LOOK_MS; ; looks -= 1) {
    const value = await read();
    if (good(value) || looks <= 0) return value;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** A Node process that starts a script under a guard, for the test to kill. */
function startParent(
  instanceId: string,
  script: string,
  { dataDir = scratch, env = process.env } = {},
): ChildProcess {
  const file = join(scratch, `${instanceId}.mjs`);
  writeFileSync(
    file,
    `import { GuardedProcesses } from ${JSON.stringify(adapter)};
     const processes = new GuardedProcesses({ dataDir: ${JSON.stringify(dataDir)}, instanceId: '${instanceId}',
       environment: process.env, runtime: { execPath: process.execPath, env: {} }, askLoginShell: false });
     const sink = { kind: 'lines', maxLineBytes: 1000, line: (text) => console.log(text), tooLong() {}, stderr() {} };
     const child = await processes.launch({ command: '/bin/sh', args: ['-c', ${JSON.stringify(script)}],
       cwd: '/', env: {}, owner: 'test', stdin: 'pipe', output: sink });
     if (!child.ok) throw new Error(child.error.message);
     setInterval(() => {}, 1000);`,
  );
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'], env });
  parents.push(parent);
  return parent;
}

const firstLine = (parent: ChildProcess) =>
  new Promise<string>((resolve) => parent.stdout?.once('data', (chunk: Buffer) => resolve(String(chunk))));

const stubborn = 'trap "" TERM HUP INT; echo ready; while :; do sleep 60; done';
const family = '(trap "" TERM; while :; do sleep 61; done) & (sleep 62 & sleep 63) & echo ready; wait';
const emigrants =
  'setsid sleep 64 & setsid sh -c "trap \\"\\" TERM; while :; do sleep 65; done" & sleep 0.1; echo ready; wait';

describe('guard', () => {
  test.each([
    ['a child that ends on TERM', 'plain', 'echo ready; sleep 66'],
    ['a child that ignores TERM', 'stubborn', stubborn],
    ['grandchildren', 'family', family],
    ['descendants in sessions of their own', 'emigrants', emigrants],
  ])('the guard ends %s after a kill -9 of Muster', async (_what, id, script) => {
    const parent = startParent(id, script);
    await firstLine(parent);
    expect((await livingWith(id)).length).toBeGreaterThan(1);
    parent.kill('SIGKILL');
    expect(
      await eventually(
        () => livingWith(id),
        (pids) => pids.length === 0,
      ),
    ).toEqual([]);
  });

  test('the guard ends the group although the search for what left it hangs', async () => {
    const bin = mkdtempSync(join(scratch, 'bin-'));
    writeFileSync(join(bin, 'grep'), '#!/bin/sh\nsleep 68\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const parent = startParent('hanging', stubborn, { env });
    await firstLine(parent);
    parent.kill('SIGKILL');
    expect(
      await eventually(
        () => livingWith('hanging'),
        (pids) => pids.length === 0,
      ),
    ).toEqual([]);
  });

  test('the guard leaves no process behind when a child ends', async () => {
    const parent = startParent('short', 'echo ready; exit 3');
    await firstLine(parent);
    expect(
      await eventually(
        () => livingWith('short'),
        (pids) => pids.length === 0,
      ),
    ).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('endForsaken', () => {
  test('a program without any mark, group or terminal of Muster is ended by its folder, and nothing else is', async () => {
    const folder = mkdtempSync(join(scratch, 'worktree-'));
    const shell = (script: string) => {
      const child = spawn('/bin/sh', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
      return firstLine(child);
    };
    const daemon = Number(await shell('setsid env -i /bin/sleep 71 >/dev/null 2>&1 & echo $!'));
    const others = [
      await shell('setsid env -i DISPLAY=:0 /bin/sleep 72 >/dev/null 2>&1 & echo $!'),
      await shell('setsid env -i MUSTER_LAUNCH=x /bin/sleep 73 >/dev/null 2>&1 & echo $!'),
    ].map(Number);
    const ours = spawn('/bin/sleep', ['74'], { cwd: folder, env: {} });
    parents.push(ours);
    const outside = spawn('/bin/sh', ['-c', 'exec setsid env -i /bin/sleep 75'], {
      cwd: '/',
      detached: true,
    });
    parents.push(outside);
    const ended = await endForsaken([folder]);
    expect(ended).toEqual([{ pid: daemon, command: '/bin/sleep 71' }]);
    expect((await processRow(daemon))?.zombie ?? true).toBe(true);
    for (const pid of [...others, ours.pid ?? 0]) expect((await processRow(pid))?.zombie).toBe(false);
    for (const pid of others) process.kill(pid, 'SIGKILL');
  });
});

describe('reapLeftovers', () => {
  test('the cleanup ends what lives of an older instance whose guards were killed too, and nothing else', async () => {
    const parent = startParent('older', family);
    const elsewhere = mkdtempSync(join(scratch, 'elsewhere-'));
    const other = startParent('bystander', 'echo ready; sleep 67', { dataDir: elsewhere });
    await Promise.all([firstLine(parent), firstLine(other)]);
    const register = async () => readFileSync(join(scratch, 'processes.json'), 'utf8');
    expect(await eventually(register, (text) => JSON.parse(text).processes.length === 1)).toContain(
      '"owner":"test"',
    );
    const guards = (await allProcesses()).filter((row) => row.parent === parent.pid);
    parent.kill('SIGSTOP');
    for (const guard of guards) process.kill(guard.pid, 'SIGKILL');
    parent.kill('SIGKILL');
    const next = new GuardedProcesses({
      dataDir: scratch,
      // The same app, whose core was restarted.
      instanceId: 'older',
      environment: process.env,
      runtime: { execPath: process.execPath, env: {} },
    });
    const { ended } = await next.reapLeftovers();
    expect(ended.length).toBeGreaterThanOrEqual(3);
    expect(await livingWith('older')).toEqual([]);
    expect((await livingWith('bystander')).length).toBeGreaterThan(1);
  });

  test('the cleanup does not mistake a process for a recorded one that only has its number', async () => {
    const dataDir = mkdtempSync(join(scratch, 'numbers-'));
    const innocent = spawn('sleep', ['68'], { detached: true });
    parents.push(innocent);
    const row = await processRow(innocent.pid ?? 0);
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const entry = { pid: innocent.pid, start: `${Number(row?.start) - 1}`, launch: 'x', owner: 'y' };
    writeFileSync(
      join(dataDir, 'processes.json'),
      JSON.stringify({ instance: 'old', boot, processes: [entry] }),
    );
    const next = new GuardedProcesses({
      dataDir,
      instanceId: 'new',
      environment: process.env,
      runtime: { execPath: process.execPath, env: {} },
    });
    expect(await next.reapLeftovers()).toEqual({ ended: [] });
    expect(innocent.exitCode).toBeNull();
  });
});
