import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeSampleProject } from './index';

let root = '';
let paths = { from: '', to: '' };
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-sample-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  paths = { from: join(root, 'resources'), to: join(root, 'data', 'sample') };
  mkdirSync(join(paths.from, '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(paths.from, 'notes.md'), 'notes\n');
});

const log = () => execFileSync('git', ['log', '--format=%s'], { cwd: paths.to, encoding: 'utf8' }).trim();

test('the sample is a repository with one commit, made once', async () => {
  mkdirSync(paths.to, { recursive: true });
  expect(await makeSampleProject(paths, process.env)).toEqual({ ok: true, value: paths.to });
  expect(log()).toBe('The sample project');
  writeFileSync(join(paths.to, 'mine.md'), 'mine');
  expect(await makeSampleProject(paths, process.env)).toEqual({ ok: true, value: paths.to });
  expect(existsSync(join(paths.to, 'mine.md'))).toBe(true);
});

test('a sample that could not be made leaves nothing that the next try would take for a sample', async () => {
  const without = await makeSampleProject(paths, { ...process.env, PATH: join(root, 'nothing') });
  expect(without).toMatchObject({ ok: false, error: { code: 'project.not_writable', mend: 'install git' } });
  expect(existsSync(paths.to)).toBe(false);
  expect(await makeSampleProject(paths, process.env)).toMatchObject({ ok: true });
  expect(log()).toBe('The sample project');
});

test('a sample that an earlier Muster left without a repository is given one', async () => {
  cpSync(paths.from, paths.to, { recursive: true });
  expect(await makeSampleProject(paths, process.env)).toEqual({ ok: true, value: paths.to });
  expect(log()).toBe('The sample project');
});

test('a folder that is not the sample is left alone', async () => {
  mkdirSync(paths.to, { recursive: true });
  writeFileSync(join(paths.to, 'thesis.md'), 'years');
  const refused = await makeSampleProject(paths, process.env);
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(readdirSync(paths.to)).toEqual(['thesis.md']);
});

test('hooks of the operator do not run for the sample', async () => {
  const hooks = join(root, 'hooks');
  mkdirSync(hooks);
  writeFileSync(join(hooks, 'commit-msg'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(hooks, 'commit-msg'), 0o755);
  const config = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: hooks };
  expect(await makeSampleProject(paths, { ...process.env, ...config })).toMatchObject({ ok: true });
});
