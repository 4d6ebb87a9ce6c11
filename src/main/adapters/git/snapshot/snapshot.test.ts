import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SnapshotPlace } from '../../../core/ports/workspaces/workspaces';
import { hereBy } from '../command/run-git';
import { commitAll, git, Kit, must, removing, signed, uid, write, writeTool } from '../testing/kit';

let kit: Kit;
let place: SnapshotPlace;

const files = (commit: string | null, folder = kit.project) =>
  git(folder, 'ls-tree', '-r', '--name-only', commit ?? '')
    .split('\n')
    .filter((path) => path !== '');
const snap = async (name = 't1-before', at = place) => must(await kit.port().snapshot(at, `${uid}/${name}`));

beforeEach(() => {
  kit = new Kit();
  place = { path: kit.project, run: kit.run({ mode: 'project' }) };
});

describe('a snapshot in a repository', () => {
  test('a snapshot has changed, new and deleted files, without ignored ones, and touches nothing of the operator', async () => {
    kit.init('a.txt', 'b.txt', 'c.txt');
    write(kit.project, '.gitignore', 'secret\n');
    commitAll(kit.project);
    write(kit.project, 'a.txt', 'staged\n');
    git(kit.project, 'add', 'a.txt');
    write(kit.project, 'a.txt', 'changed\n');
    writeTool(kit.project, 'new/d.txt', 'd');
    write(kit.project, 'secret', 'x');
    rmSync(join(kit.project, 'b.txt'));
    symlinkSync('nowhere', join(kit.project, 'link'));
    const before = untouched();
    const commit = await snap();
    expect(untouched()).toEqual(before);
    expect(git(kit.project, 'rev-parse', `refs/muster/${uid}/t1-before`, `${commit}^`)).toBe(
      `${commit}\n${git(kit.project, 'rev-parse', 'HEAD')}`,
    );
    expect(files(commit)).toEqual(['.gitignore', 'a.txt', 'c.txt', 'link', 'new/d.txt']);
    expect(git(kit.project, 'show', `${commit}:a.txt`)).toBe('changed');
    expect(git(kit.project, 'ls-tree', '-r', commit ?? '', 'link', 'new/d.txt')).toMatch(/^120000.*\n100755/);
  });

  test('a snapshot is found again by its name, with its base commit', async () => {
    kit.init('a.txt');
    const head = git(kit.project, 'rev-parse', 'HEAD');
    const found = (name: string) => kit.port().keptSnapshot(place, `${uid}/${name}`);
    expect(await found('t1-before')).toBe(null);
    await snap();
    expect(await found('t1-before')).toEqual({ commit: head, head });
    write(kit.project, 'a.txt', 'changed\n');
    const commit = await snap('t2-before');
    commitAll(kit.project);
    expect(await found('t2-before')).toEqual({ commit, head });
    expect(await kit.port().keptSnapshot(place, 'no name of ours')).toBe(null);
  });

  test('a snapshot is refused where git fails, which does not count as a folder without a repository', async () => {
    kit.init('a.txt');
    write(kit.project, '.git/config', '[core');
    expect(await kit.port().snapshot(place, `${uid}/t1-before`)).toMatchObject({
      ok: false,
      error: { code: 'workspace.failed', message: expect.stringContaining('git cannot read') },
    });
    const removed = await kit.port().remove(kit.run({ mode: 'project' }), removing());
    expect(removed).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
  });

  test('a snapshot is not requested of a folder without a repository, also where there is no git', async () => {
    const bare = join(kit.root, 'bare.git');
    git(kit.root, 'init', '-q', '--bare', bare);
    const without = { git: hereBy('no-such-git') };
    for (const [path, more] of [[kit.project], [kit.project, without], [bare]] as const)
      expect(await kit.port(more).snapshot({ ...place, path }, `${uid}/t1-before`)).toEqual({
        ok: true,
        value: null,
      });
    git(kit.project, 'init', '-q');
    expect(await kit.port(without).snapshot(place, `${uid}/t1-before`)).toMatchObject({ ok: false });
  });

  test('a snapshot is found again where commits are signed and the signature is shown with each', async () => {
    kit.init('a.txt');
    signed(kit);
    write(kit.project, 'a.txt', 'signed\n');
    const head = commitAll(kit.project);
    expect(git(kit.project, 'log', '-1', '--format=%H')).toContain('Signature made');
    expect(await snap()).toBe(head);
    expect(await kit.port().keptSnapshot(place, `${uid}/t1-before`)).toEqual({ commit: head, head });
  });

  test('a snapshot is HEAD itself where nothing differs', async () => {
    kit.init('a.txt');
    expect(await snap()).toBe(git(kit.project, 'rev-parse', 'HEAD'));
    expect(git(kit.project, 'rev-parse', `refs/muster/${uid}/t1-before`)).toBe(
      git(kit.project, 'rev-parse', 'HEAD'),
    );
  });

  test('a snapshot is taken with a locked index, before the first commit, and with odd settings of the operator', async () => {
    kit.init();
    git(kit.project, 'config', 'core.autocrlf', 'true');
    git(kit.project, 'config', 'core.safecrlf', 'true');
    git(kit.project, 'config', 'commit.gpgsign', 'true');
    git(kit.project, 'config', 'gpg.program', '/no/such/gpg');
    git(kit.project, 'config', 'user.useConfigOnly', 'true');
    git(kit.project, 'config', 'core.splitIndex', 'true');
    git(kit.project, 'config', 'diff.noprefix', 'true');
    for (const hook of ['pre-commit', 'reference-transaction', 'post-index-change'])
      writeTool(kit.project, `.git/hooks/${hook}`, '#!/bin/sh\nexit 1\n');
    writeFileSync(join(kit.project, '.git/index.lock'), '');
    write(kit.project, 'lf.txt', 'one\ntwo\n');
    write(kit.project, 'crlf.txt', 'one\r\ntwo\r\n');
    const commit = await snap();
    expect(files(commit)).toEqual(['crlf.txt', 'lf.txt']);
    expect(git(kit.project, 'log', '-1', '--format=%an %cn', commit ?? '')).toBe('Muster Muster');
  });

  test('a snapshot follows what is ignored and what is committed between two of them', async () => {
    kit.init('a.txt');
    write(kit.project, 'dist/x', 'x');
    write(kit.project, 'forced', 'f');
    const first = await snap('t1-before');
    expect(files(first)).toEqual(['a.txt', 'dist/x', 'forced']);
    write(kit.project, '.gitignore', 'dist\nforced\nlate\n');
    write(kit.project, 'late', 'l');
    git(kit.project, 'add', '-f', 'forced', 'late');
    expect(files(await snap('t1-after'))).toEqual(['.gitignore', 'a.txt', 'forced', 'late']);
    git(kit.project, 'commit', '-qam', 'all');
    git(kit.project, 'rm', '-q', '--cached', 'late');
    expect(files(await snap('t2-before'))).toEqual(['.gitignore', 'a.txt', 'forced']);
  });

  test('a snapshot follows files that become folders, links and pipes, and back', async () => {
    kit.init('a/one', 'b', 'c');
    await snap('t1-before');
    rmSync(join(kit.project, 'a'), { recursive: true });
    rmSync(join(kit.project, 'b'));
    write(kit.project, 'a', 'now a file');
    write(kit.project, 'b/two', 'now a folder');
    rmSync(join(kit.project, 'c'));
    mkdirSync(join(kit.project, 'real'));
    write(kit.project, 'real/c', 'c');
    symlinkSync('real', join(kit.project, 'c'));
    expect(files(await snap('t1-after'))).toEqual(['a', 'b/two', 'c', 'real/c']);
    rmSync(join(kit.project, 'b'), { recursive: true });
    symlinkSync('real', join(kit.project, 'b'));
    expect(files(await snap('t2-after'))).toEqual(['a', 'b', 'c', 'real/c']);
  });

  test('a snapshot sees a change that leaves size and time as they were while the index is as young as its files', async () => {
    kit.init('a.txt');
    const then = Math.floor(Date.now() / 1000) - 5;
    const sameTime = (file: string) => utimesSync(join(kit.project, file), then, then);
    sameTime('a.txt');
    git(kit.project, 'update-index', '--refresh');
    write(kit.project, 'a.txt', 'b.txt\n');
    sameTime('a.txt');
    sameTime('.git/index');
    expect(git(kit.project, 'show', `${await snap('t0-before')}:a.txt`)).toBe('b.txt');
    for (let turn = 1; turn <= 20; turn += 1) {
      write(kit.project, 'a.txt', `text ${turn % 10}\n`);
      const commit = await snap(`t${turn}-after`);
      expect(git(kit.project, 'show', `${commit}:a.txt`)).toBe(`text ${turn % 10}`);
    }
  });

  test('a snapshot leaves out what is larger than 50 MB and what is a repository of its own, and notes it', async () => {
    kit.init('a.txt');
    write(kit.project, 'huge.bin', '');
    truncateSync(join(kit.project, 'huge.bin'), 51 * 1024 * 1024);
    write(kit.project, 'grows.log', 'small');
    mkdirSync(join(kit.project, 'nested'));
    git(join(kit.project, 'nested'), 'init', '-q');
    write(kit.project, 'nested/inner.txt', 'inner');
    const commit = await snap();
    expect(files(commit)).toEqual(['a.txt', 'grows.log']);
    expect(
      git(kit.project, 'log', '-1', '--format=%b', commit ?? '')
        .split('\n')
        .sort(),
    ).toEqual(['Left out (large): huge.bin', 'Left out (repository): nested/']);
    truncateSync(join(kit.project, 'grows.log'), 51 * 1024 * 1024);
    expect(files(await snap('t1-after'))).toEqual(['a.txt']);
    expect(readFileSync(join(kit.project, 'nested/inner.txt'), 'utf8')).toBe('inner');
  });

  test('a snapshot keeps submodules as they are', async () => {
    const inner = join(kit.root, 'inner');
    mkdirSync(inner);
    git(inner, 'init', '-q');
    write(inner, 'i.txt', 'i');
    commitAll(inner);
    kit.init('a.txt');
    git(kit.project, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    commitAll(kit.project);
    write(kit.project, 'sub/dirty.txt', 'kept');
    const first = await snap('t1-before');
    expect(first).toBe(git(kit.project, 'rev-parse', 'HEAD'));
    const inside = commitAll(join(kit.project, 'sub'));
    const moved = await snap('t1-after');
    expect(git(kit.project, 'ls-tree', moved ?? '', 'sub')).toMatch(new RegExp(`^160000 commit ${inside}`));
    write(kit.project, 'a.txt', 'changed');
    expect(await kit.port().restore(place, { uid, snapshot: `${uid}/t1-before` })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(join(kit.project, 'sub/dirty.txt'), 'utf8')).toBe('kept');
    expect(readFileSync(join(kit.project, 'a.txt'), 'utf8')).toBe('a.txt\n');
  });

  test('a snapshot is taken again where a killed git left its lock, or where the index names a missing object', async () => {
    kit.init('a.txt');
    write(kit.project, 'new.txt', 'new');
    await snap();
    const index = readdirSync(join(kit.project, '.git')).find((name) => name.startsWith('muster-')) ?? '';
    writeFileSync(join(kit.project, '.git', `${index}.lock`), '');
    git(kit.project, 'update-ref', '-d', `refs/muster/${uid}/t1-before`);
    git(kit.project, 'prune', '--expire=now');
    expect(files(await snap())).toEqual(['a.txt', 'new.txt']);
  });

  test('a snapshot holds only the project where that lies within a larger repository', async () => {
    kit.init('outside.txt', 'packages/one/a.txt');
    write(kit.project, 'outside.txt', 'operator');
    write(kit.project, 'elsewhere.txt', 'operator');
    write(kit.project, 'packages/one/b.txt', 'b');
    const inner = { path: join(kit.project, 'packages/one'), run: place.run };
    const commit = await snap('t1-before', inner);
    expect(git(kit.project, 'diff', '--name-only', 'HEAD', commit ?? '')).toBe('packages/one/b.txt');
    rmSync(join(kit.project, 'packages/one/b.txt'));
    rmSync(join(kit.project, 'packages/one/a.txt'));
    write(kit.project, 'outside.txt', 'operator again');
    must(await kit.port().restore(inner, { uid, snapshot: `${uid}/t1-before` }));
    expect(readFileSync(join(kit.project, 'packages/one/b.txt'), 'utf8')).toBe('b');
    expect(existsSync(join(kit.project, 'packages/one/a.txt'))).toBe(true);
    expect(readFileSync(join(kit.project, 'outside.txt'), 'utf8')).toBe('operator again');
  });

  test('a snapshot has only names of its own run', async () => {
    kit.init('a.txt');
    for (const name of ['heads/main', '../heads/main', `${uid}/a..b`, uid, `${uid}/x.lock`, `-x/${uid}`]) {
      const taken = await kit.port().snapshot(place, name);
      expect([name, taken.ok]).toEqual([name, name === 'heads/main']);
    }
    expect(git(kit.project, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main');
  });
});

describe('folders without snapshots of their own', () => {
  test('a project that is no repository has no snapshots', async () => {
    expect(await kit.port().snapshot(place, `${uid}/t1-before`)).toEqual({ ok: true, value: null });
  });

  test('a plain folder has its snapshots beside it, also while an agent makes a repository of it', async () => {
    const run = kit.run({ mode: 'folder' });
    const path = must(await kit.port().prepare(run)).path;
    write(path, 'a.txt', 'one');
    write(path, '.gitignore', 'no\n');
    write(path, 'no', 'no');
    const commit = await snap('t1-before', { path, run });
    git(path, 'init', '-q');
    write(path, 'a.txt', 'two');
    await snap('t1-after', { path, run });
    expect(readdirSync(path).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'no']);
    expect(git(join(kit.artifactsDir, 'shadow.git'), 'ls-tree', '-r', '--name-only', commit ?? '')).toBe(
      '.gitignore\na.txt',
    );
    must(await kit.port().restore({ path, run }, { uid, snapshot: `${uid}/t1-before` }));
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('one');
    expect(git(path, 'for-each-ref')).toBe('');
  });

  test('a worktree that lost its repository is not taken for a part of another one', async () => {
    kit.init('a.txt');
    git(kit.root, 'init', '-q');
    const run = kit.run();
    const { path } = must(await kit.port().prepare(run));
    renameSync(join(path, '.git'), join(kit.root, 'lost'));
    const taken = await kit.port().snapshot({ path, run }, `${uid}/t1-before`);
    expect(taken).toMatchObject({ ok: false, error: { code: 'workspace.unreadable' } });
    rmSync(path, { recursive: true });
    expect(await kit.port().snapshot({ path, run }, `${uid}/t1-before`)).toMatchObject({
      ok: false,
      error: { code: 'not_found', where: { file: path } },
    });
  });
});

test('a snapshot of 5,000 files and the next one are measured', async () => {
  kit.init();
  for (let file = 0; file < 5_000; file += 1)
    write(kit.project, `d${file % 50}/f${file}.txt`, `file ${file}\n`.repeat(20));
  commitAll(kit.project);
  const port = kit.port();
  const times: string[] = [];
  const timed = async (what: string): Promise<void> => {
    const from = performance.now();
    must(await port.snapshot(place, `${uid}/t${times.length + 1}-before`));
    times.push(`${what} ${Math.round(performance.now() - from)} ms`);
  };
  await timed('first');
  await timed('second');
  for (let file = 0; file < 100; file += 1) write(kit.project, `d1/f${file * 50 + 1}.txt`, 'changed\n');
  await timed('100 changed');
  await timed('again');
  console.info(`5,000 files: ${times.join(', ')}`);
});

function untouched() {
  const top = join(kit.project, '.git');
  const { mtimeNs, size } = statSync(join(top, 'index'), { bigint: true });
  return {
    index: [mtimeNs, size],
    head: readFileSync(join(top, 'HEAD'), 'utf8'),
    branches: git(kit.project, 'for-each-ref', 'refs/heads'),
    logs: readFileSync(join(top, 'logs/HEAD'), 'utf8'),
    logged: readdirSync(join(top, 'logs/refs')),
    status: git(kit.project, '--no-optional-locks', 'status', '--porcelain', '--ignored'),
  };
}

/** A git that locks refs and is killed before updating them, for this number of calls. */
function killedAtRefs(times: number): { runner: ReturnType<typeof hereBy>; calls: () => number } {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const counter = join(kit.root, 'killed');
  const lock = join(kit.project, '.git', 'refs', 'muster', uid, 't1-before.lock');
  const binary = join(kit.root, 'mortal-git');
  const script = `#!/bin/sh
case " $* " in *" update-ref "*)
  echo x >> ${counter}
  [ "$(wc -l < ${counter})" -le ${times} ] && { mkdir -p "$(dirname ${lock})"; : > ${lock}; kill -9 $$; } ;;
esac
exec ${real} "$@"
`;
  writeFileSync(binary, script, { mode: 0o755 });
  const calls = () => (existsSync(counter) ? readFileSync(counter, 'utf8').trim().split('\n').length : 0);
  return { runner: hereBy(binary), calls };
}

test('a snapshot is kept although git was killed while it named it, and its lock does not stay', async () => {
  kit.init('a.txt');
  const { runner, calls } = killedAtRefs(1);
  const kept = must(await kit.port({ git: runner }).snapshot(place, `${uid}/t1-before`));
  expect(calls()).toBe(2);
  expect(git(kit.project, 'rev-parse', `refs/muster/${uid}/t1-before`)).toBe(kept);
});

test('a lock that a killed git left on a snapshot name blocks no later snapshot, but a fresh lock is heeded', async () => {
  kit.init('a.txt');
  const folder = join(kit.project, '.git', 'refs', 'muster', uid);
  const lock = join(folder, 't1-before.lock');
  mkdirSync(folder, { recursive: true });
  writeFileSync(lock, '');
  expect(await kit.port().snapshot(place, `${uid}/t1-before`)).toMatchObject({ ok: false });
  const old = Date.now() / 1000 - 60;
  utimesSync(lock, old, old);
  expect(await snap()).not.toBe(null);
  expect(existsSync(lock)).toBe(false);
});
