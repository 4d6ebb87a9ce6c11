import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { LaunchSpec, ManagedProcess } from '../../core/ports/programs/process';
import { findMarked } from './table/process-table';
import { makeProcesses, scratchFolder } from './testing/make';

const scratch = scratchFolder('launch');

interface Heard {
  lines: string[];
  long: number[];
  stderr: string;
}

function spec(script: string, heard: Heard, more: Partial<LaunchSpec> = {}): LaunchSpec {
  return {
    command: '/bin/sh',
    args: ['-c', script],
    cwd: scratch,
    env: {},
    owner: 'RUN/s1',
    stdin: 'pipe',
    output: {
      kind: 'lines',
      maxLineBytes: 1000,
      line: (text) => heard.lines.push(text),
      tooLong: (bytes) => heard.long.push(bytes),
      stderr: (text) => {
        heard.stderr += text;
      },
    },
    ...more,
  };
}

const silence = (): Heard => ({ lines: [], long: [], stderr: '' });

async function start(
  script: string,
  heard = silence(),
  more: Partial<LaunchSpec> = {},
): Promise<ManagedProcess> {
  const started = await makeProcesses(scratch).launch(spec(script, heard, more));
  if (!started.ok) throw new Error(started.error.message);
  return started.value;
}

describe('child processes', () => {
  test("a child's lines are handed on, its code is reported, and its standard input stays with it", async () => {
    const heard = silence();
    const child = await start('read -r word; echo "got $word"; echo oops >&2; printf last; exit 7', heard);
    await child.write('a word\n');
    expect(await child.exited).toEqual({ code: 7, signal: null });
    await child.gone;
    expect(heard).toEqual({ lines: ['got a word', 'last'], long: [], stderr: 'oops\n' });
    expect(child.stderrTail()).toBe('oops\n');
  });

  test('the signal that ended a child is reported by its name', async () => {
    const child = await start('kill -SEGV $$');
    expect(await child.exited).toEqual({ code: null, signal: 'SIGSEGV' });
  });

  test("a child's own children get SIGINT unchanged", async () => {
    const heard = silence();
    await (await start('sh -c "kill -INT \\$\\$"; echo "code $?"', heard)).exited;
    expect(heard.lines).toEqual(['code 130']);
  });

  test('a line of a child that is too long is dropped, and reading goes on', async () => {
    const heard = silence();
    await (await start('head -c 5000 /dev/zero | tr "\\0" x; echo; echo after', heard)).exited;
    expect(heard).toEqual({ lines: ['after'], long: [5000], stderr: '' });
  });

  test('a child that floods is held back', async () => {
    const heard = silence();
    const child = await start('while :; do echo a line of a flood; done', heard);
    await expect.poll(() => heard.lines.length).toBeGreaterThan(0);
    child.hold();
    let held = -1;
    const grows = () => {
      const before = held;
      held = heard.lines.length;
      return held > before;
    };
    // Output in transit still arrives; an unpaused flood would grow at each check.
    await expect.poll(grows, { interval: 100 }).toBe(false);
    child.release();
    await expect.poll(() => heard.lines.length).toBeGreaterThan(held);
    await child.end();
  });

  test('ending a child ends a group that ignores TERM, and what has left the group', async () => {
    const heard = silence();
    const script = 'trap "" TERM; setsid sleep 71 & echo ready; while :; do sleep 72; done';
    const child = await start(script, heard);
    while (heard.lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const marked = () => findMarked('MUSTER_LAUNCH', (value) => value.includes(`test-${process.pid}-`));
    await vi.waitFor(async () => expect((await marked()).length).toBeGreaterThanOrEqual(3), 20_000);
    await child.end();
    expect(await marked()).toEqual([]);
  });

  test('what a child left behind is ended when it exits', async () => {
    const child = await start('sleep 73 >/dev/null 2>&1 & exit 0');
    await child.gone;
    expect(await findMarked('MUSTER_LAUNCH', (value) => value.includes(`test-${process.pid}-`))).toEqual([]);
  });

  test('writes to a child that reads nothing are accepted, and let go of when it ends', async () => {
    const child = await start('sleep 74');
    const write = child.write('x'.repeat(4_000_000));
    await child.end();
    await write;
    await child.write('after the end');
  });

  test('a child that cannot start is an error that names the missing program or folder', async () => {
    const processes = makeProcesses(scratch);
    const noProgram = await processes.launch(spec('', silence(), { command: 'no-such-program' }));
    expect(noProgram).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const noFolder = await processes.launch(spec('', silence(), { cwd: join(scratch, 'gone') }));
    expect(noFolder).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('every child is marked, has a cleaned environment, and stands in a register while it lives', async () => {
    const processes = makeProcesses(scratch, {
      PATH: '/usr/bin:/bin:/project/node_modules/.bin',
      HOME: scratch,
      NODE_OPTIONS: '--inspect',
      ELECTRON_RUN_AS_NODE: '1',
      npm_config_x: '1',
      MUSTER_TOKEN: 'hidden',
      KEPT: 'yes',
    });
    const heard = silence();
    const started = await processes.launch(spec('env; read -r go', heard, { env: { EXTRA: 'more' } }));
    if (!started.ok) throw new Error(started.error.message);
    const register = () => JSON.parse(readFileSync(join(scratch, 'processes.json'), 'utf8')).processes;
    expect(register()).toMatchObject([{ pid: started.value.pid, owner: 'RUN/s1' }]);
    await started.value.write('\n');
    await started.value.gone;
    expect(register()).toEqual([]);
    const names = heard.lines.map((line) => line.split('=')[0]);
    expect(names.filter((name) => /NODE|ELECTRON|npm|TOKEN/.test(name ?? ''))).toEqual([]);
    expect(heard.lines).toEqual(expect.arrayContaining(['KEPT=yes', 'EXTRA=more', 'MUSTER_SESSION=RUN/s1']));
    expect(heard.lines.find((line) => line.startsWith('PATH='))).not.toContain('node_modules');
    expect(names).toEqual(expect.arrayContaining(['MUSTER_INSTANCE', 'MUSTER_LAUNCH']));
  });

  test('the number of descriptors stays flat over 100 children', async () => {
    const processes = makeProcesses(scratch);
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const one = async () => {
      const started = await processes.launch(spec('echo hello', silence()));
      if (started.ok) await started.value.gone;
    };
    await one();
    const before = descriptors();
    for (let round = 0; round < 20; round += 1) await Promise.all([one(), one(), one(), one(), one()]);
    expect(descriptors()).toBeLessThanOrEqual(before + 1);
  });
});
