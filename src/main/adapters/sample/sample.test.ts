import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeSampleProject } from '.';

let folder: string;
let to: string;
const from = () => join(folder, 'brought');
const make = () => makeSampleProject({ from: from(), to });
const commits = () => execFileSync('git', ['log', '--format=%s'], { cwd: to, encoding: 'utf8' }).trim();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-sample-'));
  to = join(folder, 'place', 'lighthouse');
  mkdirSync(join(from(), '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(from(), '.muster', 'workflows', 'w.yaml'), 'name: W\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a sample is a repository with one commit, and is taken as it is the next time', async () => {
  expect(await make()).toEqual({ ok: true, value: to });
  expect(commits()).toBe('The sample project');
  writeFileSync(join(to, 'own.md'), 'mine');
  expect(await make()).toEqual({ ok: true, value: to });
  expect(readdirSync(to).sort()).toEqual(['.git', '.muster', 'own.md']);
  expect(readdirSync(join(folder, 'place'))).toEqual(['lighthouse']);
});

test('without git nothing is left behind, and with git it works', async () => {
  vi.stubEnv('PATH', folder);
  expect(await make()).toMatchObject({ ok: false, error: { mend: 'install git' } });
  expect(readdirSync(join(folder, 'place'))).toEqual([]);
  vi.unstubAllEnvs();
  mkdirSync(to);
  expect(await make()).toEqual({ ok: true, value: to });
  expect(commits()).toBe('The sample project');
});

test('a sample that an earlier Muster left without a repository is given one', async () => {
  cpSync(from(), to, { recursive: true });
  expect(await make()).toEqual({ ok: true, value: to });
  expect(commits()).toBe('The sample project');
});

test('hooks of the operator have no part in it', async () => {
  const hooks = join(folder, 'hooks');
  mkdirSync(hooks);
  writeFileSync(join(hooks, 'commit-msg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(join(folder, 'gitconfig'), `[core]\n\thooksPath = ${hooks}\n`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, 'gitconfig'));
  expect(await make()).toEqual({ ok: true, value: to });
  expect(commits()).toBe('The sample project');
});

test('what is something else is left alone', async () => {
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'thesis.md'), 'years');
  expect(await make()).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(readdirSync(to)).toEqual(['thesis.md']);
});
