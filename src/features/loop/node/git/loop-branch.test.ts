import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitAll, git, Kit, movesOfFile, write } from '@main/adapters/git/testing/kit';
import { describe, expect, test } from 'vitest';
import { GitLoops } from './';

const moves = movesOfFile();
const loops = new GitLoops(moves);
const reader = { line: () => undefined };

/** An attempt whose worker ended on `fix/x` and committed there. */
async function away() {
  const kit = new Kit();
  kit.init('a.txt');
  git(kit.project, 'checkout', '-qb', 'ralph/x');
  const place = { cwd: kit.project, folder: '.' };
  const looked = await loops.prepare(place, { iteration: 1, retry: 0, branch: 'ralph/x' });
  if (!looked.ok) throw new Error(looked.error.message);
  git(kit.project, 'checkout', '-qb', 'fix/x');
  write(kit.project, 'a.txt', 'other');
  commitAll(kit.project);
  const examine = async (mark: string | null = null) => {
    const attempt = { iteration: 1, before: looked.value, mark, branch: mark === null ? 'ralph/x' : null };
    const seen = await loops.examine(place, attempt, { logs: null, reader });
    if (!seen.ok) throw new Error(seen.error.message);
    return seen.value;
  };
  const current = () => git(kit.project, 'symbolic-ref', '--short', 'HEAD');
  return { path: kit.project, examine, current };
}

describe('workers that ended on another branch', () => {
  test('the loop’s branch is checked out again after the look, with what is not committed', async () => {
    const { path, examine, current } = await away();
    write(path, 'new.txt', 'not committed');
    expect(await examine()).toMatchObject({ branch: 'fix/x', putBack: true });
    expect(current()).toBe('ralph/x');
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a.txt\n');
    expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('not committed');
  });

  test("a worker's branch stays checked out, and is reported, where the loop's branch is gone or putting it back would lose work", async () => {
    const dirty = await away();
    write(dirty.path, 'a.txt', 'not committed');
    expect(await dirty.examine()).toMatchObject({ branch: 'fix/x', putBack: false });
    expect(readFileSync(join(dirty.path, 'a.txt'), 'utf8')).toBe('not committed');
    const gone = await away();
    git(gone.path, 'branch', '-qD', 'ralph/x');
    expect(await gone.examine()).toMatchObject({ branch: 'fix/x', putBack: false });
    expect([dirty.current(), gone.current()]).toEqual(['fix/x', 'fix/x']);
    expect(git(gone.path, 'branch', '--list', 'ralph/x')).toBe('');
  });

  test("a worker's branch is left alone where someone else runs the loop", async () => {
    const { examine, current } = await away();
    expect((await examine('m1')).putBack).toBeUndefined();
    expect(current()).toBe('fix/x');
  });
});
