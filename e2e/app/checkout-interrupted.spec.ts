import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject } from '../fixtures/project';
import { type Bench, expect, test } from '../fixtures/test';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@muster.invalid', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** The files that a core and a git killed during a merge leave: the journal, a lock, half of the files. */
function interrupted(bench: Bench): { path: string; before: string; after: string } {
  const path = makeProject({ 'a.txt': 'old\n', 'b.txt': 'old\n', 'c.txt': 'old\n' });
  const tip = (ref: string) => ({
    branch: 'refs/heads/main',
    commit: git(path, 'rev-parse', ref),
    tree: git(path, 'rev-parse', `${ref}^{tree}`),
  });
  git(path, 'checkout', '-qb', 'work');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(path, name), 'new\n');
  git(path, 'commit', '-qam', 'work');
  const [from, to] = [tip('main'), tip('work')];
  git(path, 'checkout', '-q', 'main');
  writeFileSync(join(path, 'a.txt'), 'new\n');
  writeFileSync(join(path, 'b.txt'), '');
  const entry = {
    version: 1,
    id: 'e2e',
    what: 'Merge the work of S1',
    kind: 'merge',
    top: path,
    gitDir: join(path, '.git'),
    index: null,
    from,
    to,
    kept: [],
    startedAt: Date.now() - 1_000,
  };
  mkdirSync(join(bench.dataDir, 'moves', 'e2e'), { recursive: true });
  writeFileSync(join(bench.dataDir, 'moves', 'e2e', 'move.json'), JSON.stringify(entry));
  writeFileSync(join(path, '.git', 'index.lock'), '');
  return { path, before: from.commit, after: to.commit };
}

const contents = (path: string): string[] =>
  ['a.txt', 'b.txt', 'c.txt'].map((name) => readFileSync(join(path, name), 'utf8'));

for (const [button, text] of [
  ['Finish', 'new\n'],
  ['Roll back', 'old\n'],
] as const) {
  test(`a half changed checkout is described in the window and made whole with ${button}`, async ({
    bench,
  }) => {
    const { path, before, after } = interrupted(bench);
    const { page } = await bench.launch();
    const notice = page.getByRole('alert').filter({ hasText: 'is half changed' });
    await expect(notice).toContainText(
      'Merge the work of S1. 1 of 3 files has the new content, 1 the old one',
    );
    await notice.getByText('Show files').click();
    await expect(notice.getByRole('listitem')).toHaveText([
      'b.txt: missing or incomplete',
      'a.txt: new',
      'c.txt: old',
    ]);
    await notice.getByRole('button', { name: button }).click();
    await expect(notice).toHaveCount(0);
    expect(contents(path)).toEqual([text, text, text]);
    expect(git(path, 'rev-parse', 'HEAD')).toBe(button === 'Finish' ? after : before);
    expect(git(path, 'status', '--porcelain')).toBe('');
  });
}
