import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { MadeWorkspace } from '../../../core/ports/workspaces/workspaces';
import type { GitWorkspaces } from '../index';
import { commitAll, git, Kit, must, numbered, write, writeTool } from '../testing/kit';

let kit: Kit;
let port: GitWorkspaces;
let own: MadeWorkspace;

beforeEach(async () => {
  kit = new Kit();
  kit.init('README.md');
  port = kit.port();
  own = must(await port.prepare(kit.run()));
});

const left = async () => must(await port.state({ path: own.path, run: kit.run() }));
const released = async () => must(await port.release(kit.run(), [own], () => true))?.[0];

/** Two branches that changed the same line, with a merge of them begun. */
function mergeBegun(...options: string[]): void {
  git(own.path, 'checkout', '-q', '-b', 'other');
  write(own.path, 'README.md', 'a\n');
  commitAll(own.path, 'other');
  git(own.path, 'checkout', '-q', '-');
  write(own.path, 'README.md', 'b\n');
  commitAll(own.path, 'mine');
  try {
    git(own.path, 'merge', ...options, 'other');
  } catch {
    // It conflicts.
  }
}

test('an unfinished merge is named with its files, and neither committed nor taken out of the folder', async () => {
  mergeBegun();
  const before = git(own.path, 'status', '--porcelain=v2');
  expect(await left()).toMatchObject({
    unsettled: {
      message: `An unfinished merge was left in ${own.path}. Files with conflicts: README.md.`,
      mend: expect.stringContaining('git merge --abort'),
    },
  });
  expect(await released()).toMatchObject({ branch: null, unsettled: { code: 'conflict' } });
  expect(git(own.path, 'status', '--porcelain=v2')).toBe(before);
  git(own.path, 'merge', '--abort');
  expect(await released()).toMatchObject({ branch: own.branch, unsettled: null });
});

test('conflict markers that were staged, or committed by the agent, are still named', async () => {
  mergeBegun();
  git(own.path, 'add', '-A');
  expect((await left())?.unsettled?.message).toMatch(/unfinished merge .* conflicts: README\.md\.$/);
  git(own.path, 'commit', '-qm', 'done');
  expect((await left())?.unsettled?.message).toBe(
    `Conflicts were left in ${own.path}. Files with conflicts: README.md.`,
  );
  write(own.path, 'README.md', 'resolved\n');
  expect((await left())?.unsettled).toBeNull();
});

test('a rebase, a cherry-pick and a bisect in progress, and a stash that conflicts, are named', async () => {
  mergeBegun('--no-commit', '-s', 'ours');
  git(own.path, 'merge', '--abort');
  const began = (...args: string[]) => {
    try {
      git(own.path, ...args);
    } catch {
      // It conflicts.
    }
  };
  const message = async () => (await left())?.unsettled?.message ?? '';
  began('cherry-pick', 'other');
  expect(await message()).toMatch(/^An unfinished cherry-pick /);
  git(own.path, 'cherry-pick', '--abort');
  began('rebase', 'other');
  expect(await message()).toMatch(/^An unfinished rebase .*README\.md/);
  git(own.path, 'rebase', '--abort');
  began('bisect', 'start');
  expect(await message()).toMatch(/^An unfinished bisect /);
  git(own.path, 'bisect', 'reset');
  write(own.path, 'README.md', 'c\n');
  git(own.path, 'stash', '-q');
  write(own.path, 'README.md', 'd\n');
  commitAll(own.path, 'later');
  began('stash', 'pop');
  expect(await message()).toMatch(/^Conflicts were left .*README\.md/);
});

test('a branch of its own, commits without one, and a HEAD before the start are named', async () => {
  git(own.path, 'checkout', '-q', '-b', 'agent/own');
  expect((await left())?.notes).toEqual(['The agents switched to the branch agent/own.']);
  git(own.path, 'checkout', '-q', '--detach');
  write(own.path, 'x.txt', 'x\n');
  commitAll(own.path);
  expect((await left())?.notes).toEqual(['The agents committed without a branch (HEAD is detached).']);
  write(kit.project, 'second.txt', 's\n');
  commitAll(kit.project, 'second');
  const later = must(await port.prepare(kit.run({ name: 'Later', uid: '01JD0000000000000ZZZZZZZZZ' })));
  git(later.path, 'reset', '-q', '--hard', 'HEAD~1');
  const state = must(await port.state({ path: later.path, run: kit.run() }));
  expect(state?.notes).toEqual([
    expect.stringMatching(/moved HEAD back before the start of the work: 1 commit of it/),
  ]);
});

test('changes and commits in a submodule, which a merge leaves out, are named, and no filter in it is started', async () => {
  const library = new Kit();
  library.init('lib.txt');
  git(kit.project, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library.project, 'lib');
  commitAll(kit.project, 'lib');
  const run = kit.run({ name: 'With lib', uid: '01JD0000000000000YYYYYYYYY' });
  own = must(await port.prepare(run));
  git(own.path, '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init');
  const notes = async () => must(await port.state({ path: own.path, run }))?.notes;
  expect(await notes()).toEqual([]);
  const lib = join(own.path, 'lib');
  writeTool(kit.root, 'evil', `#!/bin/sh\ntouch '${kit.root}/started'\ncat\n`);
  git(lib, 'config', 'filter.evil.clean', join(kit.root, 'evil'));
  write(lib, '.gitattributes', '*.txt filter=evil\n');
  write(lib, 'lib.txt', 'changed\n');
  expect(await notes()).toEqual(['The submodule lib has changes that a merge leaves out.']);
  expect(() => git(kit.root, 'hash-object', 'started')).toThrow();
  git(lib, 'config', '--unset', 'filter.evil.clean');
  commitAll(lib);
  expect(await notes()).toEqual([expect.stringMatching(/^The submodule lib is at the commit \w{12}, which/)]);
});

test('a hook and a filter that appear in the repository during a run are named, those from before are not', async () => {
  const run = kit.run({ name: 'Planted', uid: '01JD0000000000000XXXXXXXXX' });
  git(kit.project, 'config', 'filter.lfs.clean', 'git-lfs clean');
  own = must(await port.prepare({ ...run, artifactsDir: join(kit.root, 'planted') }));
  const ended = async () =>
    must(await port.release({ ...run, artifactsDir: join(kit.root, 'planted') }, [own], () => true))?.[0]
      ?.note;
  expect(await ended()).toBeNull();
  writeFileSync(join(kit.project, '.git/hooks/post-checkout'), '#!/bin/sh\n', { mode: 0o755 });
  git(own.path, 'config', 'filter.evil.smudge', 'evil');
  git(own.path, 'config', 'core.fsmonitor', 'evil');
  git(own.path, 'config', 'user.name', 'harmless');
  expect(await ended()).toMatch(/changed: hook post-checkout, core\.fsmonitor, filter\.evil\.smudge\. Check/);
});

test('a large merge costs no more than its own files', async () => {
  write(own.path, 'big.txt', numbered(20_000));
  commitAll(own.path);
  expect(await left()).toEqual({ unsettled: null, notes: [] });
});
