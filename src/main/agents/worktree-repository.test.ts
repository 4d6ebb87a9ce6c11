import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFiles } from '../adapters/process/files';
import { repositoryRoots } from './worktree-repository';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd });

/** A project and a linked worktree of it. */
function makePlace() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-roots-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const projectPath = join(folder, 'project');
  mkdirSync(join(projectPath, 'packages', 'one'), { recursive: true });
  git(projectPath, 'init', '--quiet');
  git(projectPath, 'commit', '--allow-empty', '--quiet', '-m', 'first');
  const cwd = join(folder, 'work');
  git(projectPath, 'worktree', 'add', '--quiet', cwd);
  const common = join(projectPath, '.git');
  const roots = [
    join(common, 'worktrees', 'work'),
    ...['objects', 'refs/heads', 'logs/refs/heads'].map((part) => join(common, part)),
  ];
  return { folder, projectPath, cwd, common, roots };
}

test('a linked worktree commits into its own part, the objects, the branches and their logs', async () => {
  const { cwd, projectPath, roots } = makePlace();
  expect(await repositoryRoots({ cwd, projectPath }, nodeFiles)).toEqual(roots);
  const inside = { cwd: join(cwd, 'packages'), projectPath: join(projectPath, 'packages', 'one') };
  expect(await repositoryRoots(inside, nodeFiles)).toEqual(roots);
});

test('the checkout itself and a folder without a repository need no further folders', async () => {
  const { folder, projectPath } = makePlace();
  expect(await repositoryRoots({ cwd: projectPath, projectPath }, nodeFiles)).toEqual([]);
  expect(await repositoryRoots({ cwd: folder, projectPath }, nodeFiles)).toEqual([]);
});

test("the operator's own linked worktree is a checkout as any other", async () => {
  const { cwd } = makePlace();
  expect(await repositoryRoots({ cwd, projectPath: cwd }, nodeFiles)).toEqual([]);
});

test('a worktree whose `.git` file was changed to name another repository gets nothing there', async () => {
  const { cwd, folder, projectPath } = makePlace();
  const other = join(folder, 'other');
  mkdirSync(join(other, 'worktrees', 'work'), { recursive: true });
  for (const part of ['objects', 'refs', 'logs']) mkdirSync(join(other, part));
  writeFileSync(join(cwd, '.git'), `gitdir: ${join(other, 'worktrees', 'work')}\n`);
  expect(await repositoryRoots({ cwd, projectPath }, nodeFiles)).toEqual([]);
});

test('a part of the repository that is a link to elsewhere is left out', async () => {
  const { common, cwd, folder, projectPath, roots } = makePlace();
  renameSync(join(common, 'logs'), join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(common, 'logs'));
  expect(await repositoryRoots({ cwd, projectPath }, nodeFiles)).toEqual(roots.slice(0, 3));
});
