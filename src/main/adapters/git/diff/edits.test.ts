import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HunksWanted } from '../../../core/ports/workspaces/workspace-edits';
import type { SnapshotPlace } from '../../../core/ports/workspaces/workspaces';
import { commitAll, git, Kit, must, numbered, uid, write, writeTool } from '../testing/kit';

let kit: Kit;
let place: SnapshotPlace;

const named = (name: string) => ({ snapshots: [`${uid}/${name}`], commit: null, orEmpty: false });
const turn = (): HunksWanted => ({ place, from: named('t1-before'), to: named('t1-after') });
const snap = async (name: string) => must(await kit.port().snapshot(place, `${uid}/${name}`));
const text = (file: string) => readFileSync(join(place.path, file), 'utf8');
const revert = (path: string, hunk: string, wanted = turn()) =>
  kit.port().revertHunk({ wanted, uid, path, hunk });
const idOf = async (path: string, index = 0) =>
  must(await kit.port().hunksOf(turn())).files.find((file) => file.path === path)?.hunks[index]?.id ?? 'none';
const undoRevert = (undo: string) => kit.port().undoRevert(place, { uid, undo });
const restore = (snapshot: string) => kit.port().restore(place, { uid, snapshot });

beforeEach(async () => {
  kit = new Kit();
  kit.init('a.txt');
  const run = kit.run();
  place = { path: must(await kit.port().prepare(run)).path, run };
});

describe('taking back a hunk', () => {
  test('a hunk is taken back alone where the file has changed elsewhere since, and can be put back', async () => {
    write(place.path, 'b.txt', numbered(40));
    await snap('t1-before');
    write(
      place.path,
      'b.txt',
      numbered(40, (line) => (line === 3 || line === 30 ? 'agent' : `line ${line}`)),
    );
    await snap('t1-after');
    write(place.path, 'b.txt', `operator\noperator\n${text('b.txt')}`);
    git(place.path, 'add', 'b.txt');
    const then = text('b.txt');
    const status = git(place.path, 'status', '--porcelain', '-z').length;
    const { undo } = must(await revert('b.txt', await idOf('b.txt', 1)));
    expect(text('b.txt')).toBe(
      `operator\noperator\n${numbered(40, (line) => (line === 3 ? 'agent' : `line ${line}`))}`,
    );
    expect(git(place.path, 'show', ':b.txt')).toBe(then.trimEnd());
    must(await restore(undo));
    expect(text('b.txt')).toBe(then);
    expect(git(place.path, 'status', '--porcelain', '-z')).toHaveLength(status);
  });

  test('a hunk is put back alone, and what was done elsewhere since stays', async () => {
    write(place.path, 'b.txt', numbered(40));
    await snap('t1-before');
    write(
      place.path,
      'b.txt',
      numbered(40, (line) => (line === 3 || line === 30 ? 'agent' : `line ${line}`)),
    );
    write(place.path, 'picture', Buffer.from([0, 9]));
    await snap('t1-after');
    const { undo } = must(await revert('b.txt', await idOf('b.txt', 1)));
    const picture = must(await revert('picture', 'file'));
    write(place.path, 'b.txt', `operator\n${text('b.txt')}`);
    write(place.path, 'a.txt', 'operator\n');
    write(place.path, 'new.txt', 'operator\n');
    const name = must(await undoRevert(undo)).undo;
    expect(text('b.txt')).toBe(
      `operator\n${numbered(40, (line) => (line === 3 || line === 30 ? 'agent' : `line ${line}`))}`,
    );
    expect([text('a.txt'), text('new.txt')]).toEqual(['operator\n', 'operator\n']);
    must(await undoRevert(picture.undo));
    expect(readFileSync(join(place.path, 'picture'))).toEqual(Buffer.from([0, 9]));
    must(await restore(name));
    expect(text('b.txt')).not.toContain('agent\nline 31');
  });

  test('a hunk that no longer fits is not put back, and nothing is changed', async () => {
    await snap('t1-before');
    write(place.path, 'a.txt', 'agent\n');
    write(place.path, 'fresh.txt', 'agent\n');
    await snap('t1-after');
    const { undo } = must(await revert('a.txt', await idOf('a.txt')));
    const fresh = must(await revert('fresh.txt', await idOf('fresh.txt')));
    write(place.path, 'a.txt', 'operator\n');
    write(place.path, 'fresh.txt', 'operator\n');
    for (const name of [undo, fresh.undo])
      expect(await undoRevert(name)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect([text('a.txt'), text('fresh.txt')]).toEqual(['operator\n', 'operator\n']);
    for (const ref of ['OTHER/undo-1', 'OTHER/undo-1-after'])
      git(place.path, 'update-ref', `refs/muster/${ref}`, 'HEAD');
    for (const name of ['OTHER/undo-1', `${uid}/undo-none`, `${uid}/t1-before`, 'other/undo-1', '../x'])
      expect(await undoRevert(name)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('a hunk that no longer applies is not taken back, and nothing is changed or marked', async () => {
    await snap('t1-before');
    write(place.path, 'a.txt', 'agent\n');
    await snap('t1-after');
    write(place.path, 'a.txt', 'operator\n');
    const reverted = await revert('a.txt', await idOf('a.txt'));
    expect(reverted).toMatchObject({
      ok: false,
      error: { code: 'conflict', mend: expect.stringContaining(`${uid}/undo-`) },
    });
    expect(text('a.txt')).toBe('operator\n');
    expect(git(place.path, 'status', '--porcelain')).toBe(' M a.txt');
    expect(await revert('a.txt', 'nonsense')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await revert('b.txt', 'nonsense')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('a hunk is taken back of a new file, a deleted one, one without a last line end and one with an odd name', async () => {
    writeTool(place.path, 'gone.sh', 'one\ntwo\n');
    write(place.path, 'odd "name"\n.txt', 'old');
    write(place.path, '-dash é.txt', 'old\n');
    await snap('t1-before');
    rmSync(join(place.path, 'gone.sh'));
    write(place.path, 'new/deep/file.txt', 'new');
    write(place.path, 'odd "name"\n.txt', 'agent');
    write(place.path, '-dash é.txt', 'agent\n');
    await snap('t1-after');
    for (const path of ['gone.sh', 'new/deep/file.txt', 'odd "name"\n.txt', '-dash é.txt'])
      must(await revert(path, await idOf(path)));
    expect(text('gone.sh')).toBe('one\ntwo\n');
    expect(lstatSync(join(place.path, 'gone.sh')).mode & 0o111).toBe(0o111);
    expect(existsSync(join(place.path, 'new'))).toBe(false);
    expect(text('odd "name"\n.txt')).toBe('old');
    expect(text('-dash é.txt')).toBe('old\n');
  });

  test('a hunk is taken back in files with bytes that are no text, and with line ends that git changes', async () => {
    git(kit.project, 'config', 'core.autocrlf', 'true');
    const latin = (word: string) => Buffer.from(`caf\xe9\n${word}\nend\n`, 'latin1');
    write(place.path, 'latin.txt', latin('one'));
    write(place.path, 'crlf.txt', 'one\r\ntwo\r\nthree\r\n');
    await snap('t1-before');
    write(place.path, 'latin.txt', latin('agent'));
    write(place.path, 'crlf.txt', 'one\r\nagent\r\nthree\r\n');
    await snap('t1-after');
    must(await revert('latin.txt', await idOf('latin.txt')));
    must(await revert('crlf.txt', await idOf('crlf.txt')));
    expect(readFileSync(join(place.path, 'latin.txt'))).toEqual(
      Buffer.from('caf\xe9\r\none\r\nend\r\n', 'latin1'),
    );
    expect(text('crlf.txt')).toBe('one\r\ntwo\r\nthree\r\n');
  });

  test('whole files are taken back: binary and moved ones, links and modes', async () => {
    write(place.path, 'picture', Buffer.from([0, 1, 2]));
    write(place.path, 'old.txt', numbered(30));
    write(place.path, 'link', 'text');
    write(place.path, 'tool', 'x');
    await snap('t1-before');
    write(place.path, 'picture', Buffer.from([0, 9]));
    renameSync(join(place.path, 'old.txt'), join(place.path, 'new.txt'));
    rmSync(join(place.path, 'link'));
    symlinkSync('a.txt', join(place.path, 'link'));
    writeTool(place.path, 'tool', 'x');
    write(place.path, 'added.bin', Buffer.from([0]));
    await snap('t1-after');
    for (const path of ['picture', 'new.txt', 'link', 'tool', 'added.bin']) must(await revert(path, 'file'));
    expect(readFileSync(join(place.path, 'picture'))).toEqual(Buffer.from([0, 1, 2]));
    expect(text('old.txt')).toBe(numbered(30));
    expect([existsSync(join(place.path, 'new.txt')), existsSync(join(place.path, 'added.bin'))]).toEqual([
      false,
      false,
    ]);
    expect(text('link')).toBe('text');
    expect(lstatSync(join(place.path, 'tool')).mode & 0o111).toBe(0);
  });

  test('a hunk is taken back in a plain folder', async () => {
    const run = kit.run({ mode: 'folder' });
    place = { path: must(await kit.port().prepare(run)).path, run };
    write(place.path, 'a.txt', 'one\n');
    await snap('t1-before');
    write(place.path, 'a.txt', 'two\n');
    write(place.path, 'b.txt', 'b\n');
    await snap('t1-after');
    const { undo } = must(await revert('a.txt', await idOf('a.txt')));
    must(await revert('b.txt', await idOf('b.txt')));
    expect([text('a.txt'), existsSync(join(place.path, 'b.txt'))]).toEqual(['one\n', false]);
    must(await restore(undo));
    expect([text('a.txt'), text('b.txt')]).toEqual(['two\n', 'b\n']);
  });
});

describe('putting a folder back to a snapshot', () => {
  test('a folder is put back with its uncommitted work, without touching ignored files, branches or the index', async () => {
    write(place.path, '.gitignore', 'ignored\n');
    commitAll(place.path);
    write(place.path, 'ignored', 'mine');
    write(place.path, 'new.txt', 'new');
    symlinkSync('../somewhere', join(place.path, 'link'));
    await snap('t1-before');
    rmSync(join(place.path, 'new.txt'));
    rmSync(join(place.path, 'link'));
    mkdirSync(join(place.path, 'link'));
    write(place.path, 'link/inside', 'x');
    write(place.path, 'a.txt', 'changed');
    const head = commitAll(place.path);
    write(place.path, 'later.txt', 'later');
    const { undo } = must(await restore(`${uid}/t1-before`));
    expect([text('a.txt'), text('new.txt'), text('ignored')]).toEqual(['a.txt\n', 'new', 'mine']);
    expect(readlinkSync(join(place.path, 'link'))).toBe('../somewhere');
    expect(existsSync(join(place.path, 'later.txt'))).toBe(false);
    expect(git(place.path, 'rev-parse', 'HEAD')).toBe(head);
    must(await restore(undo));
    expect([text('a.txt'), text('later.txt'), text('link/inside')]).toEqual(['changed', 'later', 'x']);
    expect(git(place.path, 'status', '--porcelain')).toBe('?? later.txt');
  });

  test('a folder is put back with files that are ignored since then, and undo brings back the later state', async () => {
    write(place.path, 'dist/x', 'then');
    await snap('t1-before');
    write(place.path, '.gitignore', 'dist\n');
    write(place.path, 'dist/x', 'now');
    write(place.path, 'dist/y', 'stays');
    const { undo } = must(await restore(`${uid}/t1-before`));
    expect([text('dist/x'), text('dist/y')]).toEqual(['then', 'stays']);
    must(await restore(undo));
    expect([text('dist/x'), text('dist/y'), text('.gitignore')]).toEqual(['now', 'stays', 'dist\n']);
  });

  test('a folder is not put back where something is in the way that no snapshot holds', async () => {
    write(place.path, 'spot', 'file');
    await snap('t1-before');
    rmSync(join(place.path, 'spot'));
    mkdirSync(join(place.path, 'spot'));
    git(join(place.path, 'spot'), 'init', '-q');
    write(place.path, 'spot/work', 'work');
    write(place.path, 'a.txt', 'now');
    expect(await restore(`${uid}/t1-before`)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect([text('spot/work'), text('a.txt')]).toEqual(['work', 'now']);
  });

  test('a folder is put back only to a snapshot of its own run', async () => {
    git(place.path, 'update-ref', 'refs/muster/OTHER/t1-before', 'HEAD');
    for (const name of ['OTHER/t1-before', `${uid}/nothing`, `${uid}/../OTHER/t1-before`, 'HEAD'])
      expect(await restore(name)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});
