import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitAll, git, Kit, movesOfFile, write } from '@main/adapters/git/testing/kit';
import { beforeEach, expect, test } from 'vitest';
import { GitLoops } from './';

const loops = new GitLoops(movesOfFile());
const PLAN = JSON.stringify({ branchName: 'ralph/one', userStories: [] });
const before = { head: null, text: null, progressBytes: 0, progressHash: '' };
const reader = { line: () => undefined };
const logs = { jsonl: () => '{}\n', message: 'said' };

let kit: Kit;
let away: string;
const place = () => ({ cwd: kit.project, folder: '.' });
const opened = () => loops.open(place(), { branchOf: () => null });
const prepared = () => loops.prepare(place(), { iteration: 1, retry: 1, branch: null });
const examined = () =>
  loops.examine(place(), { iteration: 1, before, mark: null, branch: null }, { logs, reader });

beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt');
  write(kit.project, 'prd.json', PLAN);
  commitAll(kit.project, 'plan');
  away = join(kit.root, 'away');
  mkdirSync(away);
  writeFileSync(join(away, 'prd.json'), PLAN);
  writeFileSync(join(away, 'codex-iteration-1.jsonl'), 'mine');
});

const instead = (name: string, target: string): void => {
  rmSync(join(kit.project, name), { force: true, recursive: true });
  symlinkSync(target, join(kit.project, name));
};

test.each([
  ['prd.json', 'away/prd.json'],
  ['logs', 'away'],
  ['progress.txt', 'away/new.txt'],
  ['archive', 'away'],
  ['.last-branch', 'away/last'],
])('a loop whose %s is a link out of the project is not opened, prepared or looked at', async (name, to) => {
  instead(name, join(kit.root, to));
  const there = readdirSync(away);
  const look = () => loops.look(place());
  const found = () => loops.logs(place());
  const begun = () => loops.begun(place(), 1);
  for (const act of [opened, prepared, examined, look, found, begun]) {
    const done = await act();
    expect(done).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
    expect(done.ok ? '' : done.error.message).toContain(`${name} is a link that leads out of the project`);
  }
  expect(readdirSync(away)).toEqual(there);
});

test('a folder of the loop that is a link out of the project is refused', async () => {
  instead('ralph', away);
  const done = await loops.open({ cwd: kit.project, folder: 'ralph' }, { branchOf: () => null });
  expect(done).toMatchObject({ ok: false, error: { message: expect.stringContaining('ralph is a link') } });
  expect(existsSync(join(away, 'progress.txt'))).toBe(false);
});

test('a branch that comes with such a link is refused after it was checked out', async () => {
  git(kit.project, 'checkout', '-q', '-b', 'ralph/one');
  instead('logs', away);
  commitAll(kit.project, 'link');
  git(kit.project, 'checkout', '-q', '-');
  const done = await loops.open(place(), { branchOf: () => 'ralph/one' });
  expect(done).toMatchObject({ ok: false, error: { message: expect.stringContaining('logs is a link') } });
});

test('a link that stays inside the project is followed', async () => {
  write(kit.project, 'shared/prd.json', PLAN);
  instead('prd.json', join('shared', 'prd.json'));
  expect(await opened()).toMatchObject({ ok: true, value: { text: PLAN } });
});
