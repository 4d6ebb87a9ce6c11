import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitAll, git, Kit, signed, write } from '@main/adapters/git/testing/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { branchOf, examine, loops, open, plan, prepare, project } from './testing/loops';

describe('the branch of an attempt', () => {
  const on = (place: { cwd: string; folder: string }, branch: string | null) =>
    loops.prepare(place, { iteration: 1, retry: 0, branch });
  const current = (cwd: string) => git(cwd, 'symbolic-ref', '--short', 'HEAD');

  test('the branch of an attempt is checked out again where the worker before left it, with what is not committed', async () => {
    const { place } = project();
    await open(place);
    const before = await prepare(place);
    git(place.cwd, 'checkout', '-qb', 'fix/x');
    write(place.cwd, 'b.txt', 'b');
    git(place.cwd, 'add', 'b.txt');
    git(place.cwd, 'commit', '-qm', 'b');
    expect((await examine(place, before)).branch).toBe('fix/x');
    write(place.cwd, 'progress.txt', 'more');
    const looked = await on(place, 'ralph/one');
    expect(looked).toMatchObject({ ok: true, value: { head: before.head } });
    expect(current(place.cwd)).toBe('ralph/one');
    expect(readFileSync(join(place.cwd, 'progress.txt'), 'utf8')).toBe('more');
    expect(existsSync(join(place.cwd, 'b.txt'))).toBe(false);
  });

  test('the branch of an attempt is not checked out where that would lose something, and nothing is touched', async () => {
    const { place } = project();
    await open(place);
    git(place.cwd, 'checkout', '-qb', 'fix/x');
    write(place.cwd, 'a.txt', 'other');
    commitAll(place.cwd);
    write(place.cwd, 'a.txt', 'not committed');
    expect(await on(place, 'ralph/one')).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
    expect(current(place.cwd)).toBe('fix/x');
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('not committed');
    expect(await on(place, null)).toMatchObject({ ok: true });
  });
});

describe('opening a plan', () => {
  test('opening a plan checks its branch out, begun at the present commit where it is new, and begins progress.txt', async () => {
    const { place, path } = project('scripts/ralph');
    expect(await open(place)).toMatchObject({ branch: 'ralph/one', archived: null });
    expect(git(place.cwd, 'symbolic-ref', '--short', 'HEAD')).toBe('ralph/one');
    expect(readFileSync(join(path, 'progress.txt'), 'utf8')).toMatch(
      /^# Ralph Progress Log\nStarted: .*\n---\n$/,
    );
    expect(readFileSync(join(path, '.last-branch'), 'utf8')).toBe('ralph/one\n');
    // The second time there is nothing left to do.
    writeFileSync(join(path, 'progress.txt'), 'kept');
    expect(await open(place)).toMatchObject({ branch: 'ralph/one', archived: null });
    expect(readFileSync(join(path, 'progress.txt'), 'utf8')).toBe('kept');
  });

  test('opening a plan reads it as it stands on its branch', async () => {
    const { place } = project();
    git(place.cwd, 'checkout', '-qb', 'ralph/one');
    write(place.cwd, 'prd.json', plan('ralph/one', { project: 'newer' }));
    commitAll(place.cwd);
    git(place.cwd, 'checkout', '-q', 'main');
    expect((await open(place)).text).toContain('newer');
  });

  test('opening a plan archives the one before, from its own branch, under a name with its time', async () => {
    const { place, path } = project('loop');
    await open(place);
    write(path, 'progress.txt', 'what was learned');
    commitAll(place.cwd, 'work');
    write(path, 'prd.json', plan('ralph/two/more', { project: 'second' }));
    expect((await open(place)).archived).toBe('archive/2026-11-22-050607-one');
    const archive = join(path, 'archive/2026-11-22-050607-one');
    expect(JSON.parse(readFileSync(join(archive, 'prd.json'), 'utf8'))).toMatchObject({
      branchName: 'ralph/one',
    });
    expect(readFileSync(join(archive, 'progress.txt'), 'utf8')).toBe('what was learned');
    expect(readFileSync(join(path, 'progress.txt'), 'utf8')).toContain('# Ralph Progress Log');
    expect(readFileSync(join(path, 'prd.json'), 'utf8')).toBe(plan('ralph/two/more', { project: 'second' }));
    expect((await open(place)).archived).toBeNull();
  });

  test('opening a plan says what to do where another folder has the branch, or its name is none', async () => {
    const { kit, place } = project();
    git(kit.project, 'worktree', 'add', '-q', '-b', 'ralph/one', join(kit.root, 'other'));
    expect(await loops.open(place, { branchOf })).toMatchObject({
      ok: false,
      error: { code: 'workspace.failed', mend: expect.stringContaining('another folder has this branch') },
    });
    expect(await loops.open(place, { branchOf: () => '--evil' })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
  });

  test('opening a plan names the branch that is in the way of its own, above or below it', async () => {
    const above = project();
    git(above.kit.project, 'branch', 'ralph');
    expect(await loops.open(above.place, { branchOf })).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: 'there is a branch "ralph", so git cannot create the branch "ralph/one"',
        mend: expect.stringContaining('git branch -m ralph NEW_NAME'),
      },
    });
    const below = project('.', 'ralph');
    git(below.kit.project, 'branch', 'ralph/one');
    expect(await loops.open(below.place, { branchOf })).toMatchObject({
      ok: false,
      error: { message: 'there is a branch "ralph/one", so git cannot create the branch "ralph"' },
    });
  });

  test('a plan is opened in a folder that is in no repository', async () => {
    const kit = new Kit();
    write(kit.project, 'prd.json', plan('ralph/one'));
    const place = { cwd: kit.project, folder: '.' };
    expect(await open(place)).toMatchObject({ branch: null, text: plan('ralph/one') });
    const before = await prepare(place);
    expect(before.head).toBeNull();
    expect(await examine(place, before)).toMatchObject({ head: null, commits: [], rewritten: false });
  });
});

describe('the logs of an attempt', () => {
  const names = (path: string) => readdirSync(join(path, 'logs')).sort();
  const fill = (path: string, text: string) => {
    mkdirSync(join(path, 'logs'), { recursive: true });
    for (const end of ['.jsonl', '-last-message.txt', '-stderr.log'])
      writeFileSync(join(path, 'logs', `codex-iteration-1${end}`), text);
  };

  test('stale logs are gone before the first try, and those of the first try are copied before the retry', async () => {
    const { place, path } = project();
    fill(path, 'of an earlier loop');
    writeFileSync(join(path, 'logs', 'codex-iteration-1-attempt-1.jsonl'), 'old');
    writeFileSync(join(path, 'logs', 'codex-iteration-10.jsonl'), 'other');
    await prepare(place);
    expect(names(path)).toEqual(['codex-iteration-10.jsonl']);
    fill(path, 'first');
    await prepare(place, 1, 1);
    // A crash after copying: the second call has nothing left to copy, and keeps the copies.
    await prepare(place, 1, 1);
    expect(names(path)).toEqual([
      'codex-iteration-1-attempt-1-last-message.txt',
      'codex-iteration-1-attempt-1-stderr.log',
      'codex-iteration-1-attempt-1.jsonl',
      'codex-iteration-10.jsonl',
    ]);
    expect(readFileSync(join(path, 'logs/codex-iteration-1-attempt-1.jsonl'), 'utf8')).toBe('first');
  });

  test('a worker that keeps no logs gets them from Muster, and one that does keeps its own', async () => {
    const { place, path } = project();
    const before = await prepare(place);
    expect((await examine(place, before)).message).toBeNull();
    expect(readFileSync(join(path, 'logs/codex-iteration-1.jsonl'), 'utf8')).toBe('{"item":1}\n');
    expect(readFileSync(join(path, 'logs/codex-iteration-1-last-message.txt'), 'utf8')).toBe('said');
    expect(readFileSync(join(path, 'logs/codex-iteration-1-stderr.log'), 'utf8')).toBe('');
    rmSync(join(path, 'logs/codex-iteration-1-last-message.txt'));
    await examine(place, before);
    expect(existsSync(join(path, 'logs/codex-iteration-1-last-message.txt'))).toBe(false);
    fill(path, 'own');
    expect(await examine(place, before)).toMatchObject({ message: 'own', lines: ['own'] });
    expect(readFileSync(join(path, 'logs/codex-iteration-1.jsonl'), 'utf8')).toBe('own');
  });

  test('a line of more than 4 MiB is passed over, and the lines around it are read', async () => {
    const { place, path } = project();
    const before = await prepare(place);
    writeFileSync(join(path, 'logs/codex-iteration-1.jsonl'), `a\n${'x'.repeat(5 * 2 ** 20)}\nb\r\n\nc`);
    expect((await examine(place, before)).lines).toEqual(['a', 'b\r', 'c']);
  });
});

test('any log is read as its lines, whole, and none longer than 4 MiB', async () => {
  const { place, path } = project();
  const before = await prepare(place);
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('\n', '\r\n', '\n\n', '{"type":"turn.completed"}\n', '\u2028')
      .map((text) => Buffer.from(text)),
    // Longer than one read.
    fc.constantFrom(262_143, 262_144, 300_000).map((length) => Buffer.alloc(length, 'x')),
  );
  const log = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => Buffer.concat(pieces));
  await fc.assert(
    fc.asyncProperty(log, async (bytes) => {
      writeFileSync(join(path, 'logs/codex-iteration-1.jsonl'), bytes);
      const parts: string[] = [];
      for (let from = 0; from <= bytes.length; ) {
        const end = bytes.indexOf(10, from);
        parts.push(bytes.subarray(from, end < 0 ? bytes.length : end).toString('utf8'));
        from = end < 0 ? bytes.length + 1 : end + 1;
      }
      expect((await examine(place, before)).lines).toEqual(parts.filter((line) => line !== ''));
    }),
    { numRuns: 40 },
  );
});

describe('evidence of an attempt', () => {
  test('the evidence of an attempt has its commits, oldest first, and what it appended to progress.txt', async () => {
    const { place, path } = project();
    await open(place);
    const before = await prepare(place);
    write(path, 'b.txt', '1');
    commitAll(place.cwd, 'feat: [US-001] - One');
    writeFileSync(join(path, 'progress.txt'), '## US-001\n', { flag: 'a' });
    commitAll(place.cwd, 'chore: "quotes" – and ünïcode');
    const after = await examine(place, before);
    expect(after.commits.map(({ subject }) => subject)).toEqual([
      'feat: [US-001] - One',
      'chore: "quotes" – and ünïcode',
    ]);
    expect(after.commits[1]?.hash).toBe(git(place.cwd, 'rev-parse', '--short', 'HEAD'));
    expect([after.rewritten, after.progress]).toEqual([false, '## US-001\n']);
  });

  test('a branch that is merely checked out is no commit, and an amended one is rewritten history', async () => {
    const { place, path } = project();
    git(place.cwd, 'branch', 'older', 'HEAD~1');
    const before = await prepare(place);
    git(place.cwd, 'checkout', '-q', 'older');
    expect(await examine(place, before)).toMatchObject({ commits: [], rewritten: true });
    git(place.cwd, 'checkout', '-q', 'main');
    write(path, 'c.txt', 'x');
    git(place.cwd, 'add', '-A');
    git(place.cwd, 'commit', '-q', '--amend', '-m', 'plan, amended');
    expect(await examine(place, before)).toMatchObject({ rewritten: true });
  });

  test('a progress.txt that was written again is no evidence', async () => {
    const { place, path } = project();
    await open(place);
    const before = await prepare(place);
    writeFileSync(join(path, 'progress.txt'), 'x'.repeat(500));
    expect((await examine(place, before)).progress).toBe('');
    rmSync(join(path, 'progress.txt'));
    expect((await examine(place, before)).progress).toBe('');
  });

  test('a missing prd.json is reported as missing', async () => {
    const { place, path } = project();
    const before = await prepare(place);
    rmSync(join(path, 'prd.json'));
    expect((await examine(place, before)).text).toBeNull();
    expect(existsSync(join(path, 'logs'))).toBe(true);
  });
});

describe('failures of git', () => {
  test('no attempt is prepared where git fails, and no history is called rewritten', async () => {
    const { kit, place } = project();
    await open(place);
    const before = await prepare(place);
    write(kit.project, '.git/config', '[core');
    expect(await loops.open(place, { branchOf })).toMatchObject({ ok: false });
    const attempt = { iteration: 2, retry: 0, branch: 'ralph/one' };
    expect(await loops.prepare(place, attempt)).toMatchObject({ ok: false });
    const looked = await loops.examine(
      place,
      { iteration: 1, before, mark: null },
      { logs: null, reader: { line: () => undefined } },
    );
    expect(looked).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
  });
});

test('a lock that a killed git left is named as what keeps a branch from being checked out', async () => {
  const { kit, place } = project();
  await open(place);
  git(kit.project, 'checkout', '-q', 'main');
  write(kit.project, '.git/index.lock', '');
  expect(await loops.prepare(place, { iteration: 1, retry: 0, branch: 'ralph/one' })).toMatchObject({
    error: { code: 'workspace.failed', mend: expect.stringContaining('remove its leftover lock') },
  });
});

test('signed commits have their own names, whatever the operator has git show with them', async () => {
  const { kit, place } = project();
  await open(place);
  const before = await prepare(place);
  signed(kit);
  write(kit.project, 'a.txt', 'signed\n');
  const head = commitAll(kit.project, 'feat: [A] - x');
  const { commits } = await examine(place, before);
  expect(commits).toEqual([{ hash: head.slice(0, commits[0]?.hash.length), subject: 'feat: [A] - x' }]);
});

test('commits that a worker made on another branch before it came back are reported', async () => {
  const { kit, place } = project();
  await open(place);
  write(kit.project, 'a.txt', 'before');
  commitAll(kit.project, 'before the attempt');
  const before = await prepare(place);
  write(kit.project, 'a.txt', 'first');
  commitAll(kit.project, 'here');
  git(kit.project, 'commit', '-q', '--amend', '-m', 'here, amended');
  git(kit.project, 'checkout', '-q', '-b', 'feature');
  write(kit.project, 'a.txt', 'there');
  const there = commitAll(kit.project, 'there');
  git(kit.project, 'checkout', '-q', 'ralph/one');
  const looked = await examine(place, before);
  expect(looked.commits.map(({ subject }) => subject)).toEqual(['here, amended']);
  expect(looked.elsewhere).toEqual([
    { hash: git(kit.project, 'rev-parse', '--short', there), branch: 'feature' },
  ]);
});

describe('a worker that ended on another branch than the loop', () => {
  const flipped = plan('ralph/one', { userStories: [{ id: 'A', passes: true }] });
  const branch = 'ralph/one';

  test('work of a worker on another branch is listed apart: the loop does not have it', async () => {
    const { kit, place } = project();
    await open(place);
    const before = await prepare(place);
    write(kit.project, 'a.txt', 'here');
    commitAll(kit.project, 'here');
    const here = git(kit.project, 'rev-parse', 'HEAD');
    git(kit.project, 'checkout', '-q', '-b', 'feature');
    write(kit.project, 'prd.json', flipped);
    const there = commitAll(kit.project, 'there');
    const looked = await examine(place, before, { branch });
    expect(looked).toMatchObject({
      head: here,
      branch: 'feature',
      checkedOut: there,
      rewritten: false,
      text: plan('ralph/one'),
      elsewhere: [{ hash: git(kit.project, 'rev-parse', '--short', there), branch: 'feature' }],
    });
    expect(looked.commits.map(({ subject }) => subject)).toEqual(['here']);
  });

  test('a worker has not rewritten the loop by going where its commits are not', async () => {
    const { kit, place } = project();
    git(kit.project, 'branch', 'older', 'HEAD~1');
    await open(place);
    const before = await prepare(place);
    git(kit.project, 'checkout', '-q', 'older');
    expect(await examine(place, before, { branch })).toMatchObject({ rewritten: false, commits: [] });
    git(kit.project, 'checkout', '-q', 'older');
    git(kit.project, 'branch', '-q', '-D', 'ralph/one');
    expect(await examine(place, before, { branch })).toMatchObject({ head: null, rewritten: true });
  });

  test('a worker on another branch is credited with uncommitted changes to prd.json, which go back with the next attempt', async () => {
    const { kit, place } = project();
    await open(place);
    const before = await prepare(place);
    git(kit.project, 'checkout', '-q', '-b', 'feature');
    write(kit.project, 'prd.json', flipped);
    expect((await examine(place, before, { branch })).text).toBe(flipped);
    await loops.prepare(place, { iteration: 2, retry: 0, branch });
    expect(readFileSync(join(kit.project, 'prd.json'), 'utf8')).toBe(flipped);
  });

  test('commits of a worker that no branch has are reported as such', async () => {
    const { kit, place } = project();
    await open(place);
    const before = await prepare(place);
    git(kit.project, 'checkout', '-q', '--detach');
    write(kit.project, 'a.txt', 'loose');
    const loose = commitAll(kit.project, 'loose');
    expect(await examine(place, before, { branch })).toMatchObject({
      branch: null,
      checkedOut: loose,
      commits: [],
      elsewhere: [{ hash: git(kit.project, 'rev-parse', '--short', loose), branch: 'no branch' }],
    });
  });
});
