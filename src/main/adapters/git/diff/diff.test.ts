import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { markedDiff, wholeDiff } from '@areas/changes/contract/changes';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SnapshotPlace } from '../../../core/ports/workspaces/workspaces';
import { commitAll, git, Kit, must, numbered, uid, write, writeTool } from '../testing/kit';

let kit: Kit;
let place: SnapshotPlace;

const named = (name: string) => ({ snapshots: [`${uid}/${name}`], commit: null, orEmpty: false });
const snap = async (name: string) => must(await kit.port().snapshot(place, `${uid}/${name}`));
const hunks = async (to: string | null = null) =>
  must(await kit.port().hunksOf({ place, from: named('t1-before'), to: to === null ? null : named(to) }))
    .files;

beforeEach(() => {
  kit = new Kit();
  place = { path: kit.project, run: kit.run({ mode: 'project' }) };
  kit.init('a.txt');
});

describe('the files of a diff', () => {
  test('the files of a diff have their moves, kinds and counts, whatever their names', async () => {
    write(kit.project, 'old name.txt', numbered(30));
    write(kit.project, 'gone.txt', 'gone\n');
    write(kit.project, 'picture.bin', Buffer.from([0, 1, 2, 255]));
    write(kit.project, 'to-link', 'text\n');
    write(kit.project, 'tool.sh', 'x\n');
    const latin = Buffer.concat([Buffer.from(`${kit.project}/caf`), Buffer.from([0xe9])]);
    symlinkSync('x', latin);
    await snap('t1-before');
    renameSync(join(kit.project, 'old name.txt'), join(kit.project, 'new "name"\n\t.txt'));
    rmSync(join(kit.project, 'gone.txt'));
    write(kit.project, 'picture.bin', Buffer.from([0, 3, 2, 255]));
    rmSync(join(kit.project, 'to-link'));
    symlinkSync('a.txt', join(kit.project, 'to-link'));
    writeTool(kit.project, 'tool.sh', 'x\n');
    write(kit.project, 'ünïcode.txt', 'no end');
    rmSync(latin);
    const files = (await hunks()).map(({ hunks: lines, ...file }) => [
      file.path,
      file.status,
      file,
      lines.length,
    ]);
    const of = (path: string) => files.find((file) => file[0] === path)?.slice(1);
    expect(files.map(([path]) => path).sort()).toEqual(
      [
        'caf\ufffd',
        'gone.txt',
        'new "name"\n\t.txt',
        'picture.bin',
        'to-link',
        'tool.sh',
        'ünïcode.txt',
      ].sort(),
    );
    expect(of('new "name"\n\t.txt')).toMatchObject([
      'renamed',
      { oldPath: 'old name.txt', added: 0, removed: 0 },
      0,
    ]);
    expect(of('gone.txt')).toMatchObject(['deleted', { added: 0, removed: 1, oldPath: null }, 1]);
    expect(of('picture.bin')).toMatchObject(['modified', { added: null, leftOut: 'binary' }, 0]);
    expect(of('to-link')).toMatchObject(['type_changed', { added: 1, removed: 1, leftOut: null }, 0]);
    expect(of('tool.sh')).toMatchObject(['modified', { added: 0, removed: 0 }, 0]);
    expect(of('ünïcode.txt')).toMatchObject(['added', { added: 1, removed: 0 }, 1]);
  });

  test('the files of a diff are counted between two commits, and the count is null where one does not exist', async () => {
    const before = (await snap('t1-before')) ?? '';
    write(kit.project, 'a.txt', 'other\nmore\n');
    write(kit.project, 'b.txt', 'b\n');
    const after = (await snap('t1-after')) ?? '';
    const changes = { before, after, files: 2, added: 3, removed: 1 };
    expect(await kit.port().changes(place, { before, after })).toEqual(changes);
    expect(await kit.port().changes(place, { before, after: '1'.repeat(40) })).toBeNull();
  });
});

describe('hunks', () => {
  test('hunks have their lines, their ends without a line end, and an id that only their content makes', async () => {
    write(kit.project, 'b.txt', numbered(40));
    await snap('t1-before');
    write(
      kit.project,
      'b.txt',
      `${numbered(39, (line) => (line === 3 ? '-- three' : `line ${line}`))}line 40`,
    );
    const first = await hunks();
    expect(first).toMatchObject([
      {
        path: 'b.txt',
        hunks: [
          { oldStart: 1, oldLines: 6, newStart: 1, newLines: 6 },
          {
            lines: [
              ' line 37',
              ' line 38',
              ' line 39',
              '-line 40',
              '+line 40',
              '\\ No newline at end of file',
            ],
          },
        ],
      },
    ]);
    write(kit.project, 'b.txt', `begin\n${readFileSync(join(kit.project, 'b.txt'), 'utf8')}`);
    await snap('t1-after');
    const later = await hunks('t1-after');
    expect(later[0]?.hunks[1]?.id).toBe(first[0]?.hunks[1]?.id);
    expect(later[0]?.hunks[0]?.id).not.toBe(first[0]?.hunks[0]?.id);
    expect(later[0]?.hunks[1]?.newStart).toBe((first[0]?.hunks[1]?.newStart ?? 0) + 1);
  });

  test('hunks that have the same lines in one file are told apart', async () => {
    const block = 'x\nx\nx\nx\nold\nx\nx\nx\nx\n';
    write(kit.project, 'b.txt', block.repeat(3));
    await snap('t1-before');
    write(kit.project, 'b.txt', block.repeat(3).replaceAll('old', 'new'));
    const ids = (await hunks())[0]?.hunks.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(3);
  });

  test('hunks of a file that is too long are left out, and those of the next file are there', async () => {
    await snap('t1-before');
    write(kit.project, 'b-long.txt', numbered(2_001));
    write(kit.project, 'c-wide.txt', 'x'.repeat(3_000_000));
    write(kit.project, 'c-wider.txt', `${'y'.repeat(1_000)}\n`.repeat(1_500));
    write(kit.project, 'd.txt', 'd\n');
    expect((await hunks()).map(({ path, leftOut, hunks: all }) => [path, leftOut, all.length])).toEqual([
      ['b-long.txt', 'large', 0],
      ['c-wide.txt', 'large', 0],
      ['c-wider.txt', 'large', 0],
      ['d.txt', null, 1],
    ]);
  });

  test('a diff has at most 20,000 lines of hunks, and lists every file with its counts', async () => {
    await snap('t1-before');
    for (let file = 0; file < 2_010; file += 1)
      write(kit.project, `f${file}.txt`, numbered(file < 12 ? 1_900 : 1));
    const { files } = must(await kit.port().hunksOf({ place, from: named('t1-before'), to: null }));
    expect(files.length).toBe(2_010);
    expect(files.reduce((sum, { added }) => sum + (added ?? 0), 0)).toBe(12 * 1_900 + 1_998);
    const lines = files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines)).length;
    expect(lines).toBeLessThanOrEqual(20_000);
    expect(lines).toBeGreaterThan(15_000);
    expect(files.some((file) => file.leftOut === 'large')).toBe(true);
  });

  test('a diff has no hunks where one side is gone, and says so', async () => {
    const gone = await kit.port().hunksOf({ place, from: named('t9-before'), to: null });
    expect(gone).toMatchObject({
      ok: false,
      error: { code: 'not_found', message: expect.stringMatching(/t9-before/) },
    });
    const plain = join(kit.root, 'plain');
    mkdirSync(plain);
    const nowhere = { path: plain, run: kit.run({ mode: 'project', projectPath: plain }) };
    expect(await kit.port().hunksOf({ place: nowhere, from: named('t1-before'), to: null })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  test('hunks of a worktree that was deleted by hand are still read from its repository', async () => {
    const run = kit.run();
    place = { path: must(await kit.port().prepare(run)).path, run };
    await snap('t1-before');
    write(place.path, 'a.txt', 'changed\n');
    await snap('t1-after');
    rmSync(place.path, { recursive: true });
    expect(await hunks('t1-after')).toMatchObject([
      { path: 'a.txt', hunks: [{ lines: ['-a.txt', '+changed'] }] },
    ]);
    expect(await kit.port().hunksOf({ place, from: named('t1-before'), to: null })).toMatchObject({
      ok: false,
      error: { code: 'not_found', message: expect.stringMatching(/gone/) },
    });
  });
});

describe('a diff', () => {
  test('the hunks of a file that a list leaves out are read when it is asked for alone', async () => {
    await snap('t1-before');
    write(kit.project, 'b-long.txt', numbered(6_002));
    write(kit.project, 'c.txt', 'c\n');
    const wanted = { place, from: named('t1-before'), to: null };
    expect((await hunks()).map(({ path, leftOut }) => [path, leftOut])).toEqual([
      ['b-long.txt', 'large'],
      ['c.txt', null],
    ]);
    const { files } = must(await kit.port().hunksOf({ ...wanted, only: 'b-long.txt' }));
    expect(files).toMatchObject([{ path: 'b-long.txt', added: 6_002, leftOut: null }]);
    expect(files[0]?.hunks[0]?.lines.at(-1)).toBe('+line 6002');
    expect(await kit.port().hunksOf({ ...wanted, only: 'none.txt' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  test('a diff is whole in its file, and its text has each smaller file whole and names the others', async () => {
    for (const [key, value] of [
      ['diff.noprefix', 'true'],
      ['color.ui', 'always'],
      ['diff.external', '/bin/false'],
      ['diff.context', '0'],
      ['diff.orderFile', '/no/such'],
    ])
      git(kit.project, 'config', key ?? '', value ?? '');
    const base = git(kit.project, 'rev-parse', 'HEAD');
    write(kit.project, 'a.txt', 'changed\n');
    write(kit.project, 'long.txt', numbered(80_000));
    write(kit.project, 'z.txt', 'the last one\n');
    const file = join(kit.artifactsDir, 'captures', 'k1.diff');
    const from = { snapshots: [`${uid}/t1-before`], commit: base };
    const taken = must(await kit.port().diff({ place, from, to: { snapshots: [`${uid}/t1-after`] }, file }));
    const whole = readFileSync(file, 'utf8');
    expect(taken).toMatchObject({
      diff: {
        from: base,
        omitted: [{ path: 'long.txt', added: 80_000, removed: 0 }],
        bytes: Buffer.byteLength(whole),
        path: file,
        sha256: createHash('sha256').update(whole).digest('hex'),
      },
      files: [{ path: 'a.txt' }, { path: 'long.txt', added: 80_000 }, { path: 'z.txt', added: 1 }],
    });
    expect(whole).toContain('\n+line 80000\n');
    const text = taken === null ? '' : markedDiff(taken.diff);
    expect(text).toMatch(
      /^# NOT WHOLE: .*\n# {3}long.txt \(\+80000 -0\)\n# The whole diff \(\d+ bytes\) is in .*k1.diff\n/,
    );
    expect(text).toContain('+the last one\n');
    expect(text).not.toContain('line 80000');
    expect(taken === null ? '' : wholeDiff(taken.diff)).toBeNull();
    expect(whole).toMatch(
      /^diff --git a\/a.txt b\/a.txt\n.*\n--- a\/a.txt\n\+\+\+ b\/a.txt\n@@ -1 \+1 @@\n-a.txt/,
    );
  });

  test('a diff ends at a snapshot where there is one, else now, and begins with nothing in a plain folder', async () => {
    const run = kit.run({ mode: 'folder' });
    place = { path: must(await kit.port().prepare(run)).path, run };
    write(place.path, 'x.txt', 'one\n');
    await snap('t1-after');
    write(place.path, 'x.txt', 'two\n');
    const from = { snapshots: [], commit: null };
    const take = async (snapshots: string[]) =>
      must(await kit.port().diff({ place, from, to: { snapshots }, file: null }))?.diff.text;
    expect(await take([`${uid}/t1-after`])).toMatch(/\+one\n$/);
    expect(await take([])).toMatch(/\+two\n$/);
  });

  test('a diff is null in a project that is no repository, and an error where its file cannot be written', async () => {
    const run = kit.run({ mode: 'project', projectPath: kit.root });
    const from = { snapshots: [], commit: null };
    const to = { snapshots: [] };
    expect(await kit.port().diff({ place: { path: kit.root, run }, from, to, file: null })).toEqual({
      ok: true,
      value: null,
    });
    write(kit.project, 'a.txt', 'changed\n');
    const commit = git(kit.project, 'rev-parse', 'HEAD');
    write(kit.project, 'long.txt', numbered(40_000));
    const onFolder = await kit.port().diff({ place, from: { snapshots: [], commit }, to, file: kit.root });
    expect(onFolder).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
    const file = join(kit.project, 'a.txt', 'no.diff');
    const failed = await kit.port().diff({ place, from: { snapshots: [], commit }, to, file });
    expect(failed).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
    commitAll(kit.project);
  });
});
