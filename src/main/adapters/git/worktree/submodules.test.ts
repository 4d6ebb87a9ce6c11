import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commitAll, git, Kit, must, removing, write } from '../testing/kit';

const local = ['-c', 'protocol.file.allow=always'];

let kit: Kit;
/** A project with the submodule `vendor/lib`, which has one of its own; where both came from is gone. */
beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt');
  const [inner, lib] = [join(kit.root, 'inner'), join(kit.root, 'lib')];
  for (const folder of [inner, lib]) {
    write(folder, 'file.txt', `${folder}\n`);
    git(folder, 'init', '-q', '-b', 'main');
    commitAll(folder);
  }
  git(lib, ...local, 'submodule', '--quiet', 'add', inner, 'deep');
  commitAll(lib);
  git(kit.project, ...local, 'submodule', '--quiet', 'add', lib, 'vendor/lib');
  git(kit.project, ...local, 'submodule', '--quiet', 'update', '--init', '--recursive');
  commitAll(kit.project);
  for (const folder of [inner, lib]) renameSync(folder, `${folder}-gone`);
});

const configuration = () => readFileSync(join(kit.project, '.git', 'config'), 'utf8');

test('a new worktree has the files of submodules from the objects of the project, without their origin', async () => {
  const before = configuration();
  const made = must(await kit.port().prepare(kit.run()));
  expect(made.notes).toEqual([]);
  for (const file of ['vendor/lib/file.txt', 'vendor/lib/deep/file.txt'])
    expect(existsSync(join(made.path, file))).toBe(true);
  expect(git(made.path, 'status', '--porcelain')).toBe('');
  expect(git(join(made.path, 'vendor/lib'), 'remote', 'get-url', 'origin')).toBe(join(kit.root, 'lib'));
  expect(configuration()).toBe(before);
});

test('a commit of a submodule that only its remote branch had is found as well', async () => {
  const lib = join(kit.project, 'vendor/lib');
  write(lib, 'new.txt', 'new');
  const commit = commitAll(lib);
  git(lib, 'update-ref', 'refs/remotes/origin/main', commit);
  git(lib, 'checkout', '-q', '--detach', commit);
  git(lib, 'branch', '-qf', 'main', 'HEAD~1');
  commitAll(kit.project);
  const made = must(await kit.port().prepare(kit.run()));
  expect(made.notes).toEqual([]);
  expect(existsSync(join(made.path, 'vendor/lib/new.txt'))).toBe(true);
});

test('a submodule that the project has not initialised is said to be empty', async () => {
  git(kit.project, 'submodule', '--quiet', 'deinit', '-f', 'vendor/lib');
  renameSync(join(kit.project, '.git/modules/vendor'), join(kit.root, 'modules-gone'));
  const made = must(await kit.port().prepare(kit.run()));
  expect(made.notes).toEqual([expect.stringContaining('The submodule vendor/lib is empty here')]);
});

test('submodules stay empty where the settings say so', async () => {
  const made = must(await kit.port().prepare(kit.run({ submodules: false })));
  expect(existsSync(join(made.path, 'vendor/lib/file.txt'))).toBe(false);
});

test('a worktree is removed with untouched submodules, and kept with one that holds work of its own', async () => {
  const port = kit.port();
  const { path } = must(await port.prepare(kit.run()));
  const deep = join(path, 'vendor/lib/deep');
  write(deep, 'work.txt', 'work');
  const kept = must(await port.remove(kit.run(), removing()));
  expect(kept.notes).toEqual([expect.stringContaining('a snapshot cannot contain vendor/lib')]);
  commitAll(deep);
  git(deep, 'checkout', '-q', 'HEAD~1');
  expect(must(await port.remove(kit.run(), removing())).notes).toHaveLength(1);
  expect(existsSync(path)).toBe(true);
});

test('a worktree with submodules as they were is removed', async () => {
  const port = kit.port();
  const { path } = must(await port.prepare(kit.run()));
  expect(must(await port.remove(kit.run(), removing())).notes).toEqual([]);
  expect(existsSync(path)).toBe(false);
});
