import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { SnapshotPlace } from '../../../core/ports/workspaces/workspaces';
import { commitAll, git, Kit, must, numbered, uid, write } from '../testing/kit';

/** Unusual entries of the operator's index, which Muster's index starts as a copy of. */
let kit: Kit;
let place: SnapshotPlace;
const snap = async (name: string) => must(await kit.port().snapshot(place, `${uid}/${name}`)) ?? '';
const show = (commit: string, file: string) => git(kit.project, 'show', `${commit}:${file}`);
const restore = async (snapshot: string) => must(await kit.port().restore(place, { uid, snapshot }));

beforeEach(() => {
  kit = new Kit();
  place = { path: kit.project, run: kit.run({ mode: 'project' }) };
  kit.init('a.txt', 'in/b.txt', 'out/c.txt');
});

test('a conflict that is not resolved stays one in a snapshot, with its files as they are on disk', async () => {
  git(kit.project, 'switch', '-qc', 'other');
  write(kit.project, 'a.txt', 'theirs\n');
  commitAll(kit.project);
  git(kit.project, 'switch', '-q', 'main');
  write(kit.project, 'a.txt', 'ours\n');
  commitAll(kit.project);
  expect(() => git(kit.project, 'merge', '-q', 'other')).toThrow();
  const conflict = readFileSync(join(kit.project, 'a.txt'), 'utf8');
  expect(conflict).toMatch(/<<<<<<< HEAD/);
  expect(show(await snap('t1-before'), 'a.txt')).toBe(conflict.trimEnd());
  write(kit.project, 'a.txt', 'agent\n');
  expect(show(await snap('t1-after'), 'a.txt')).toBe('agent');
  expect(git(kit.project, 'status', '--porcelain')).toBe('UU a.txt');
  await restore(`${uid}/t1-before`);
  expect(readFileSync(join(kit.project, 'a.txt'), 'utf8')).toBe(conflict);
  expect(git(kit.project, 'status', '--porcelain')).toBe('UU a.txt');
});

test('a snapshot holds the content of a file that is only marked to be added', async () => {
  write(kit.project, 'new.txt', 'new');
  git(kit.project, 'add', '-N', 'new.txt');
  expect(show(await snap('t1-before'), 'new.txt')).toBe('new');
  expect(git(kit.project, 'status', '--porcelain')).toBe(' A new.txt');
});

test('files outside a sparse checkout do not count as deleted, also once that changes', async () => {
  git(kit.project, 'sparse-checkout', 'set', 'in');
  expect(existsSync(join(kit.project, 'out/c.txt'))).toBe(false);
  expect(await snap('t1-before')).toBe(git(kit.project, 'rev-parse', 'HEAD'));
  write(kit.project, 'in/b.txt', 'agent\n');
  const after = await snap('t1-after');
  expect(git(kit.project, 'diff', '--name-status', 'HEAD', after)).toBe('M\tin/b.txt');
  git(kit.project, 'sparse-checkout', 'set', 'in', 'out');
  write(kit.project, 'out/c.txt', 'agent\n');
  const later = await snap('t2-after');
  expect(git(kit.project, 'diff', '--name-only', 'HEAD', later)).toBe('in/b.txt\nout/c.txt');
  git(kit.project, 'checkout', '-q', 'out/c.txt');
  git(kit.project, 'sparse-checkout', 'set', 'in');
  await restore(`${uid}/t1-before`);
  expect(readFileSync(join(kit.project, 'in/b.txt'), 'utf8')).toBe('in/b.txt\n');
  expect(existsSync(join(kit.project, 'out/c.txt'))).toBe(false);
});

test('a hunk of a file that was moved is taken back where the file is now', async () => {
  write(kit.project, 'old.txt', numbered(30));
  await snap('t1-before');
  renameSync(join(kit.project, 'old.txt'), join(kit.project, 'new.txt'));
  write(
    kit.project,
    'new.txt',
    numbered(30, (line) => (line === 9 ? 'agent' : `line ${line}`)),
  );
  await snap('t1-after');
  const side = (moment: string) => ({ snapshots: [`${uid}/t1-${moment}`], commit: null, orEmpty: false });
  const wanted = { place, from: side('before'), to: side('after') };
  const { files } = must(await kit.port().hunksOf(wanted));
  expect(files).toMatchObject([{ path: 'new.txt', oldPath: 'old.txt', status: 'renamed' }]);
  const hunk = files[0]?.hunks[0]?.id ?? '';
  must(await kit.port().revertHunk({ wanted, uid, path: 'new.txt', hunk }));
  expect(readFileSync(join(kit.project, 'new.txt'), 'utf8')).toBe(numbered(30));
  expect(existsSync(join(kit.project, 'old.txt'))).toBe(false);
});
