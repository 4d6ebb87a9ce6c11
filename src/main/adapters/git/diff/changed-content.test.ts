import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SnapshotPlace } from '../../../core/ports/workspaces/workspaces';
import { Kit, must, numbered, uid, write } from '../testing/kit';

let kit: Kit;
let place: SnapshotPlace;

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const wanted = () => ({
  place,
  from: { snapshots: [`${uid}/t1-before`], commit: null, orEmpty: false },
  to: null,
});
const fileOf = async (path: string, as: 'text' | 'image') =>
  must(await kit.port().fileOf(wanted(), { path, as }));

beforeEach(async () => {
  kit = new Kit();
  place = { path: kit.project, run: kit.run({ mode: 'project' }) };
  kit.init('a.txt');
  write(kit.project, 'logo.png', PNG);
  write(kit.project, 'gone.txt', 'one\ntwo\n');
  write(kit.project, 'long.txt', numbered(3_000));
  must(await kit.port().snapshot(place, `${uid}/t1-before`));
});

describe('the content of a changed file', () => {
  test('the text of a changed file is that of the side that still exists', async () => {
    write(kit.project, 'a.txt', 'fresh\n');
    rmSync(join(kit.project, 'gone.txt'));
    expect(await fileOf('a.txt', 'text')).toEqual({
      old: null,
      fresh: { bytes: 6, text: 'fresh\n', image: null, leftOut: null },
    });
    expect(await fileOf('gone.txt', 'text')).toMatchObject({ fresh: null, old: { text: 'one\ntwo\n' } });
    expect(await kit.port().fileOf(wanted(), { path: 'long.txt', as: 'text' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  test('a picture is read on both sides, known by its content and not by its name', async () => {
    write(kit.project, 'logo.png', Buffer.concat([PNG, PNG]));
    const both = await fileOf('logo.png', 'image');
    expect(both.old).toEqual({
      bytes: 16,
      text: null,
      image: { type: 'image/png', data: PNG.toString('base64') },
      leftOut: null,
    });
    expect(both.fresh?.bytes).toBe(32);
    write(kit.project, 'logo.png', '<html><script>alert(1)</script></html>');
    expect((await fileOf('logo.png', 'image')).fresh).toMatchObject({ image: null, leftOut: 'binary' });
    write(
      kit.project,
      'drawing.svg',
      '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>\n',
    );
    expect((await fileOf('drawing.svg', 'image')).fresh?.image?.type).toBe('image/svg+xml');
  });

  test('binary content is no text, and a file over the limit is left out with its size', async () => {
    write(kit.project, 'a.txt', Buffer.from([97, 0, 98]));
    write(kit.project, 'huge.txt', 'x'.repeat(9 * 1024 * 1024));
    expect((await fileOf('a.txt', 'text')).fresh).toMatchObject({ text: null, leftOut: 'binary' });
    expect((await fileOf('huge.txt', 'text')).fresh).toEqual({
      ...{ bytes: 9 * 1024 * 1024, text: null, image: null, leftOut: 'large' },
    });
  });

  test('a viewed mark is for both sides of a file: it is another one once a side changes', async () => {
    const contentOf = async () =>
      must(await kit.port().hunksOf(wanted())).files.find(({ path }) => path === 'a.txt')?.content;
    write(kit.project, 'a.txt', 'fresh\n');
    const first = await contentOf();
    expect(first).toMatch(/^[0-9a-f]{20}$/);
    expect(await contentOf()).toBe(first);
    write(kit.project, 'a.txt', 'newer\n');
    expect(await contentOf()).not.toBe(first);
    write(kit.project, 'a.txt', 'fresh\n');
    expect(await contentOf()).toBe(first);
  });
});

test('a text is found in all lines of a change, also in files too large for the list', async () => {
  write(kit.project, 'a.txt', 'a Needle\n');
  write(kit.project, 'long.txt', numbered(3_000).replace('2500\n', 'needle 2500\n').replaceAll('1\n', 'i\n'));
  const found = must(await kit.port().searchIn(wanted(), 'NEEDLE'));
  expect(found.matches.map(({ path, kind, line }) => [path, kind, line])).toEqual([
    ['a.txt', 'added', 1],
    ['long.txt', 'added', 2_500],
  ]);
  expect(found).toMatchObject({ total: 2, files: [] });
  const hunk = found.matches[0]?.hunk;
  const listed = must(await kit.port().hunksOf(wanted())).files.find(({ path }) => path === 'a.txt');
  expect(listed?.hunks.map(({ id }) => id)).toContain(hunk);
});
