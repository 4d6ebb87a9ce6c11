import { commitAll, git, write } from '@main/adapters/git/testing/kit';
import { expect, test } from 'vitest';
import { examine, open, prepare, project } from './testing/loops';

const branch = 'ralph/one';

test('commits that the check of the project makes are not those of the worker', async () => {
  const { kit, place } = project();
  await open(place);
  const before = await prepare(place);
  write(kit.project, 'a.txt', 'by the worker');
  const worked = commitAll(kit.project, 'by the worker');
  write(kit.project, 'b.txt', 'by the check');
  commitAll(kit.project, 'by the check');
  const { commits, rewritten } = await examine(place, before, { branch, worked });
  expect([commits.map(({ subject }) => subject), rewritten]).toEqual([['by the worker'], false]);
  expect((await examine(place, before, { branch, worked: before.head })).commits).toEqual([]);
});

test('a state in which the worker is said to have ended counts only if it is on the branch of the loop', async () => {
  const { kit, place } = project();
  await open(place);
  const before = await prepare(place);
  git(kit.project, 'checkout', '-q', '-b', 'other');
  write(kit.project, 'a.txt', 'elsewhere');
  const worked = commitAll(kit.project, 'elsewhere');
  git(kit.project, 'checkout', '-q', branch);
  write(kit.project, 'b.txt', 'here');
  commitAll(kit.project, 'here');
  const { commits } = await examine(place, before, { branch, worked });
  expect(commits.map(({ subject }) => subject)).toEqual(['here']);
});
