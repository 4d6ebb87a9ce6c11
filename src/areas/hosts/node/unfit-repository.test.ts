import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { type LocalGit, unfitRepository } from './unfit-repository';

const OBJECT = 'a'.repeat(40);
const git =
  (entries: readonly string[], { shallow = 'false', attributes = '' } = {}): LocalGit =>
  async (...args) => {
    if (args[0] === 'rev-parse') return ok(shallow);
    return ok(args[0] === 'cat-file' ? attributes : entries.map((one) => `${one}\0`).join(''));
  };
const fileOf = (size: number, path: string) => `100644 blob ${OBJECT} ${String(size).padStart(7)}\t${path}`;

test('a usual repository can be worked on by a host', async () => {
  const entries = [fileOf(12, 'a b.txt'), fileOf(3, '.gitattributes')];
  expect(await unfitRepository(git(entries, { attributes: '*.sh text' }), 'HEAD')).toEqual(ok(undefined));
});

test.each([
  ['a submodule', git([`160000 commit ${OBJECT}       -\tlib/sub`]), '"lib/sub" is a submodule'],
  ['a large file', git([fileOf(100_000_001, 'model.bin')]), '"model.bin" is larger than 100 MB'],
  ['Git LFS', git([fileOf(9, 'x/.gitattributes')], { attributes: '*.bin filter=lfs -text' }), 'uses Git LFS'],
  ['a shallow clone', git([], { shallow: 'true' }), 'is shallow'],
])('%s is refused by name', async (_what, repository, words) => {
  expect(await unfitRepository(repository, 'HEAD')).toMatchObject({
    error: { code: 'host.unfit', message: expect.stringContaining(words) },
  });
});
