import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { turnSnapshot } from '@areas/changes/contract/changes';
import { expect, test } from 'vitest';
import { commitAll, git, Kit, must, uid, write } from './testing/kit';

const later = '01JE0000000000000ABCDEFGHK';
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const name = turnSnapshot(uid, 1, 'before');

test('A worktree begins with the files of another run: committed work as commits, the rest as changes', async () => {
  const kit = new Kit();
  kit.init('a.txt');
  const first = must(await kit.port().prepare(kit.run()));
  write(first.path, 'a.txt', 'committed\n');
  commitAll(first.path);
  const tip = git(first.path, 'rev-parse', 'HEAD');
  write(first.path, 'a.txt', 'changed\n');
  write(first.path, 'new.txt', 'new\n');
  const place = { path: first.path, run: kit.run() };
  must(await kit.port().snapshot(place, name));
  write(first.path, 'a.txt', 'later\n');
  const kept = await kit.port().keptSnapshot(place, name);
  expect(kept?.head).toBe(tip);
  if (kept === null) return;
  const begins = { ...kept, artifactsDir: kit.artifactsDir };
  const wish = kit.run({ uid: later, artifactsDir: join(kit.root, 'others'), begins });
  const second = must(await kit.port().prepare(wish));
  expect(second.path).not.toBe(first.path);
  expect(read(second.path, 'a.txt')).toBe('changed\n');
  expect(read(second.path, 'new.txt')).toBe('new\n');
  expect(git(second.path, 'rev-parse', 'HEAD')).toBe(tip);
  expect(git(second.path, 'status', '--porcelain').split('\n').toSorted()).toEqual([
    ' M a.txt',
    '?? new.txt',
  ]);
  write(second.path, 'a.txt', 'worked on\n');
  expect(must(await kit.port().prepare(wish)), 'asked again after a crash').toEqual(second);
  expect(read(second.path, 'a.txt')).toBe('worked on\n');
  expect(read(first.path, 'a.txt')).toBe('later\n');
});

test('A plain folder begins with the files of another run, and is made once', async () => {
  const kit = new Kit();
  const run = kit.run({ mode: 'folder' });
  const first = must(await kit.port().prepare(run));
  write(first.path, 'a.txt', 'then\n');
  const commit = must(await kit.port().snapshot({ path: first.path, run }, name));
  write(first.path, 'a.txt', 'later\n');
  write(first.path, 'b.txt', 'later\n');
  const begins = { commit: commit ?? '', head: null, artifactsDir: kit.artifactsDir };
  const wish = kit.run({ mode: 'folder', uid: later, artifactsDir: join(kit.root, 'others'), begins });
  const second = must(await kit.port().prepare(wish));
  expect(read(second.path, 'a.txt')).toBe('then\n');
  expect(() => read(second.path, 'b.txt')).toThrow('ENOENT');
  write(second.path, 'a.txt', 'worked on\n');
  expect(must(await kit.port().prepare(wish))).toEqual(second);
  expect(read(second.path, 'a.txt')).toBe('worked on\n');
});
