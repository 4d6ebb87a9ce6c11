import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { git, Kit, must, removing, uid, write } from '../testing/kit';
import { Git } from './git-command';
import { tiedToRepository } from './linked-worktree';
import { type GitRunner, hereBy } from './run-git';

let kit: Kit;
let root: string;
/** The worktree's part of the repository, which a committing agent may write. */
let own: string;
let runner: GitRunner;
const port = () => kit.port({ git: runner });

beforeEach(async () => {
  kit = new Kit();
  kit.init('a.txt');
  runner = { ...hereBy('git'), worktreesDir: kit.worktreesDir };
  root = must(await port().prepare(kit.run())).path;
  own = join(kit.project, '.git', 'worktrees', basename(root));
});

const snapshot = () => port().snapshot({ path: root, run: kit.run() }, `${uid}/t1-after`);

const refused = async () => {
  const taken = await snapshot();
  return taken.ok ? null : taken.error.message;
};

/** Settings with which git runs an agent's program for each added file. */
const trap = () => `[filter "trap"]\n\tclean = touch '${join(kit.root, 'sprung')}'; cat\n`;
const setTrap = () => {
  write(root, '.gitattributes', '* filter=trap\n');
  write(root, 'new.txt', 'new');
};
const sprung = () => existsSync(join(kit.root, 'sprung'));

test('a repository of the agent’s making, named in `commondir`, is not used', async () => {
  const fake = join(kit.root, 'fake');
  git(kit.root, 'clone', '-q', '--bare', kit.project, fake);
  appendFileSync(join(fake, 'config'), trap());
  writeFileSync(join(own, 'commondir'), `${fake}\n`);
  setTrap();
  expect(await refused()).toMatch(/commondir was changed/);
  expect(sprung()).toBe(false);
  // Git's normal behaviour, to prove that the trap works.
  git(root, 'add', '-A');
  expect(sprung()).toBe(true);
});

test('a worktree’s git folder that was made a repository of its own is not used as one', async () => {
  const head = readFileSync(join(kit.project, '.git', 'refs', 'heads', 'main'), 'utf8');
  rmSync(join(own, 'commondir'));
  for (const folder of ['objects', 'refs/heads/muster']) mkdirSync(join(own, folder), { recursive: true });
  writeFileSync(join(own, 'refs', 'heads', 'muster', basename(root)), head);
  writeFileSync(join(own, 'config'), trap());
  setTrap();
  expect(await refused()).toMatch(/commondir was changed/);
  expect(sprung()).toBe(false);
  writeFileSync(join(own, 'commondir'), '../..\n');
  must(await snapshot());
  expect(git(kit.project, 'show', `refs/muster/${uid}/t1-after:new.txt`)).toBe('new');
});

test('settings that an agent wrote for its worktree are refused, those that git writes are not', async () => {
  git(kit.project, 'config', 'extensions.worktreeConfig', 'true');
  git(root, 'config', '--worktree', 'core.sparseCheckout', 'false');
  must(await snapshot());
  for (const settings of [
    trap(),
    '[core]\n\tworktree = /\n',
    '[include] path = /tmp/x\n',
    '[core] sparseCheckout = false\n[include]\n path = /tmp/x\n',
    `[core]\n${'# long\n'.repeat(20_000)}`,
  ]) {
    writeFileSync(join(own, 'config.worktree'), settings);
    setTrap();
    expect(await refused()).toMatch(/config\.worktree was changed/);
    expect(sprung()).toBe(false);
  }
  git(kit.project, 'config', 'extensions.worktreeConfig', 'false');
  must(await snapshot());
});

test('settings of the operator that git gave to the worktree are kept', async () => {
  git(kit.project, 'config', 'extensions.worktreeConfig', 'true');
  for (const folder of [kit.project, root]) git(folder, 'config', '--worktree', 'diff.noprefix', 'true');
  expect(await new Git(root, runner).text('config', 'diff.noprefix')).toBe('true');
});

test("a linked worktree of the operator's own may have any settings", async () => {
  git(kit.project, 'config', 'extensions.worktreeConfig', 'true');
  const theirs = join(kit.root, 'theirs');
  git(kit.project, 'worktree', 'add', '-q', '-b', 'theirs', theirs);
  git(theirs, 'config', '--worktree', 'user.email', 'me@example.org');
  git(theirs, 'config', '--worktree', 'core.hooksPath', '/hooks');
  expect(await new Git(theirs, runner).text('config', 'user.email')).toBe('me@example.org');
  const run = kit.run({ projectPath: theirs, uid: '01JD0000000000000ABCDEFGHK' });
  must(await port().snapshot({ path: theirs, run: { ...run, mode: 'project' } }, `${run.uid}/t1-before`));
  // Git copies them to a worktree made from it; additions by an agent are rejected.
  const made = must(await port().prepare(run)).path;
  must(await port().snapshot({ path: made, run }, `${run.uid}/t1-before`));
  git(made, 'config', '--worktree', 'user.email', 'agent@example.org');
  const taken = await port().snapshot({ path: made, run }, `${run.uid}/t1-after`);
  expect(taken.ok ? null : taken.error.message).toMatch(/config\.worktree was changed/);
});

const ties = (cwd: string, gitDir?: string) =>
  tiedToRepository(cwd, { worktreesDir: kit.worktreesDir, gitDir });

test('only a linked worktree is tied to a repository', async () => {
  expect(ties(root)).toEqual({ GIT_COMMON_DIR: join(kit.project, '.git') });
  expect(ties(join(root, 'sub'))).toEqual({ GIT_COMMON_DIR: join(kit.project, '.git') });
  expect(ties(root, join(kit.root, 'shadow.git'))).toEqual({});
  expect(ties(kit.project)).toEqual({});
  expect(ties(kit.root)).toEqual({});
  git(kit.root, 'init', '-q', '--separate-git-dir', join(kit.root, 'apart.git'), join(kit.root, 'apart'));
  expect(ties(join(kit.root, 'apart'))).toEqual({});
  expect(await new Git(root, runner).text('rev-parse', '--abbrev-ref', 'HEAD')).toBe(
    `muster/${basename(root)}`,
  );
});

test.each([
  ['base', '--output=/tmp/x'],
  ['base', 'HEAD'],
  ['fill', '-x'],
  ['branch', '--force'],
  ['branch', 'a..b'],
])('a mark whose %s an agent changed to %s is no mark', async (key, value) => {
  const file = join(own, 'muster.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), [key]: value }));
  const { notes } = must(await port().remove(kit.run(), removing()));
  expect([notes, existsSync(root)]).not.toEqual([[], false]);
});
