import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, onTestFinished, test } from 'vitest';
import { commandLog } from './command-log';

test('the output of a command is read from the folder of its run only, links resolved', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'muster-log-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const artifactsDir = join(top, 'run');
  mkdirSync(join(artifactsDir, 'commands'), { recursive: true });
  writeFileSync(join(top, 'secret'), '');
  symlinkSync(join(top, 'secret'), join(artifactsDir, 'commands', 'link.log'));
  const logOf = (outputPath: string | null) =>
    commandLog(double<RunState>({ artifactsDir, commands: { 1: { outputPath } } }), 1);
  const usual = join(artifactsDir, 'commands', 'c1.log');
  for (const path of [null, '/etc/passwd', `${artifactsDir}/../secret`, `${artifactsDir}-not/x`, 'relative'])
    expect(logOf(path)).toBe(usual);
  expect(logOf(join(artifactsDir, 'commands', 'link.log'))).toBe(usual);
  expect(logOf(join(artifactsDir, 'commands', 'own.log'))).toBe(join(artifactsDir, 'commands', 'own.log'));
});
