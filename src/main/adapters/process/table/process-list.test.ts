import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopRunners, mattersToLoops } from '@features/loop/core/runner';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProcessList, readLsof, readPs } from './process-list';

/** Starts a ralph.sh that waits for a line on standard input, as a loop with a forked subshell. */
async function startRalph(): Promise<{ root: string; folder: string; pid: number; end(): Promise<void> }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-ralph-')));
  const folder = join(root, 'with a blank');
  mkdirSync(folder);
  writeFileSync(join(folder, 'ralph.sh'), 'echo up\nheard=$(head -n 1)\n');
  const child = spawn('bash', ['./ralph.sh', '7'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });
  await once(child.stdout, 'data');
  const end = async () => {
    const exited = once(child, 'exit');
    child.stdin.end('\n');
    await exited;
  };
  return { root, folder, pid: child.pid ?? 0, end };
}

describe.skipIf(process.platform === 'win32')('the processes of this machine', () => {
  test('a real ralph.sh is found by the folder in which it works, known again, and gone when it has ended', async () => {
    const list = createProcessList();
    const { root, folder, pid, end } = await startRalph();
    const all = (await list.all(mattersToLoops)) ?? [];
    expect(loopRunners(all, { folder, repository: null }).map((one) => one.pid)).toEqual([pid]);
    expect(loopRunners(all, { folder: root, repository: null })).toEqual([]);
    const one = await list.one(pid);
    if (one === 'gone' || one === null) throw new Error('it lives');
    expect(one).toMatchObject({ parent: process.pid, cwd: folder });
    expect(one.args.slice(0, 3)).toEqual(['bash', './ralph.sh', '7']);
    expect(Math.abs((one.startedAt ?? 0) - Date.now())).toBeLessThan(600_000);
    expect(all.find((other) => other.pid === pid)?.mark).toBe(one.mark);
    await end();
    expect(await list.one(pid)).toBe('gone');
  });
});

test('the process list reads what ps and lsof of a macOS print', () => {
  const rows = readPs(
    [
      '  501     1 Ss   Sun Nov 22 07:41:02 2026     /bin/bash ./ralph.sh 7',
      '  502   501 Z+   Sun Nov 22 07:41:03 2026     (codex)',
      'PID nonsense',
      '',
    ].join('\n'),
  );
  expect(rows).toEqual([
    {
      pid: 501,
      parent: 1,
      args: ['/bin/bash', './ralph.sh', '7'],
      cwd: null,
      startedAt: Date.parse('Sun Nov 22 07:41:02 2026'),
      mark: 'Sun Nov 22 07:41:02 2026',
    },
  ]);
  expect([...readLsof('p501\nfcwd\nn/Users/a b/loop\np502\nfcwd\nn/\n')]).toEqual([
    [501, '/Users/a b/loop'],
    [502, '/'],
  ]);
});
