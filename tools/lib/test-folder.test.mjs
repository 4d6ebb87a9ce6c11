import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = `
  import { mkdtempSync, writeFileSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  const { testFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'test-folder.mjs'))});
  const folder = testFolder();
  Object.assign(process.env, folder.env);
  writeFileSync(join(mkdtempSync(join(tmpdir(), 'left-')), 'a.txt'), '');
  if (process.argv[1] === 'remove') folder.remove();
`;

test('a repository around the temporary folder is not that of a test', () => {
  const system = mkdtempSync(join(tmpdir(), 'system-'));
  onTestFinished(() => rmSync(system, { recursive: true }));
  execFileSync('git', ['init', '-q'], { cwd: system });
  const found = (code) => {
    const env = { ...process.env, TMPDIR: system };
    return spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' }).stdout;
  };
  const look = `
    import { spawnSync } from 'node:child_process';
    const cwd = mkdtempSync(join(tmpdir(), 'in-'));
    console.log(spawnSync('git', ['rev-parse', '--git-dir'], { cwd }).status);
  `;
  expect(found(`${script}${look}folder.remove();`)).toBe('128\n');
});

test('leftovers in a temporary folder go with their test run, or with the next one where it was killed', () => {
  const system = mkdtempSync(join(tmpdir(), 'system-'));
  onTestFinished(() => rmSync(system, { recursive: true }));
  mkdirSync(join(system, 'muster-theirs'));
  writeFileSync(join(system, `muster-t${process.pid}`), '');
  const run = (...args) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script, ...args], {
      env: { ...process.env, TMPDIR: system },
      encoding: 'utf8',
    });
  const killed = run('leave');
  expect(killed.stderr).toBe('');
  expect(existsSync(join(system, `muster-t${killed.pid}`))).toBe(true);
  run('remove');
  // The file of this process stands for the folder of an active run.
  expect(readdirSync(system).sort()).toEqual([`muster-t${process.pid}`, 'muster-theirs'].sort());
});
