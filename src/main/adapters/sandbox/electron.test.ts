import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostProgram } from './electron';

test('the executable is the one that the installed package names, and there is none where it was not downloaded', () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-electron-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const processDir = join(root, 'out', 'main');
  const dist = join(root, 'node_modules', 'electron', 'dist');
  expect(hostProgram(processDir, '/usr/bin/node')).toBeNull();
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, '..', 'path.txt'), 'electron\n');
  expect(hostProgram(processDir, '/usr/bin/node')).toBeNull();
  writeFileSync(join(dist, 'electron'), '');
  expect(hostProgram(processDir, '/usr/bin/node')).toEqual({
    program: join(dist, 'electron'),
    args: [join(processDir, 'startup', 'sandbox-host.cjs')],
  });
});

test('an Electron that is there and cannot be read is not told as missing', () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-electron-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'node_modules', 'electron');
  mkdirSync(join(folder, 'path.txt'), { recursive: true });
  expect(hostProgram(join(root, 'out', 'main'), '/usr/bin/node')).toEqual({
    trouble: expect.stringContaining('EISDIR'),
  });
  rmSync(join(folder, 'path.txt'), { recursive: true });
  writeFileSync(join(folder, 'path.txt'), 'electron\n');
  mkdirSync(join(folder, 'dist', 'electron'), { recursive: true });
  expect(hostProgram(join(root, 'out', 'main'), '/usr/bin/node')).toEqual({
    trouble: expect.stringContaining('is not a file'),
  });
});

test('a packed app hosts sandboxes itself, on macOS by its own executable and not by that of a helper', () => {
  const args = ['--host-sandboxes'];
  expect(hostProgram('/opt/Muster/resources/app.asar/out/main', '/opt/Muster/muster')).toEqual({
    program: '/opt/Muster/muster',
    args,
  });
  const helper = 'Frameworks/Muster Helper.app/Contents/MacOS/Muster Helper';
  expect(
    hostProgram(
      '/Applications/Muster.app/Contents/Resources/app.asar/out/main',
      `/Applications/Muster.app/Contents/${helper}`,
    ),
  ).toEqual({ program: '/Applications/Muster.app/Contents/MacOS/Muster', args });
});
