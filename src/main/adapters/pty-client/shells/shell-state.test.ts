import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dropShellStates, makeShellState, sweepShellStates } from './shell-state';

test('state that killed cores left is removed, and nothing of living cores or of others', async () => {
  const base = mkdtempSync(join(tmpdir(), 'muster-states-'));
  const mine = await makeShellState(process.pid, base);
  expect(statSync(mine).mode & 0o777).toBe(0o700);
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  mkdirSync(join(base, `muster-shell-${pid}-abc123`));
  mkdirSync(join(base, 'muster-shell-other'));
  expect(await sweepShellStates(base)).toBe(1);
  expect(readdirSync(base).sort()).toEqual([mine.slice(base.length + 1), 'muster-shell-other'].sort());
  await dropShellStates(process.pid + 1, base);
  expect(readdirSync(base)).toHaveLength(2);
  await dropShellStates(process.pid, base);
  expect(readdirSync(base)).toEqual(['muster-shell-other']);
});
