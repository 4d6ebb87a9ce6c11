import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles } from './files';
import { scratchFolder } from './testing/make';

const scratch = scratchFolder('files');
const inside = join(scratch, 'inside');
const outside = join(scratch, 'outside');
mkdirSync(inside);
mkdirSync(outside);
writeFileSync(join(inside, 'a.txt'), 'a');
writeFileSync(join(outside, 'secret.txt'), 'secret');
symlinkSync(outside, join(inside, 'way-out'));
symlinkSync(join(outside, 'new.txt'), join(inside, 'to-nothing'));
symlinkSync(inside, join(scratch, 'way-in'));
symlinkSync('loop', join(inside, 'loop'));

const refused = { ok: false, error: { code: 'input.invalid' } };

test('files are read and written inside a root, also where a link leads into it', async () => {
  expect(await nodeFiles.readText(join(inside, 'a.txt'), [inside])).toEqual({ ok: true, value: 'a' });
  expect(await nodeFiles.readText(join(scratch, 'way-in', 'a.txt'), [inside])).toMatchObject({ ok: true });
  expect(await nodeFiles.writeText(join(inside, 'new', 'b.txt'), 'b', [inside])).toMatchObject({ ok: true });
  expect(readFileSync(join(inside, 'new', 'b.txt'), 'utf8')).toBe('b');
});

test.each([
  join(outside, 'secret.txt'),
  join(inside, '..', 'outside', 'secret.txt'),
  join(inside, 'way-out', 'secret.txt'),
  join(inside, 'way-out', 'made', 'here.txt'),
  join(inside, 'to-nothing'),
  'a.txt',
  `${inside}-not/a.txt`,
])('reading and writing %s is refused outside the root', async (path) => {
  expect(await nodeFiles.readText(path, [inside])).toMatchObject(refused);
  expect(await nodeFiles.writeText(path, 'x', [inside])).toMatchObject(refused);
});

test('a missing file is reported as such, and links in a circle do not hang the read', async () => {
  expect(await nodeFiles.readText(join(inside, 'none'), [inside])).toMatchObject({
    error: { code: 'not_found' },
  });
  expect(await nodeFiles.readText(join(inside, 'loop'), [inside])).toMatchObject({ ok: false });
  expect(await nodeFiles.same(join(scratch, 'way-in'), inside)).toBe(true);
  expect(await nodeFiles.isFile(inside)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'neither a named pipe nor a device is opened, and nothing of git is written',
  async () => {
    execFileSync('mkfifo', [join(inside, 'pipe')]);
    const pipe = join(inside, 'pipe');
    expect(await nodeFiles.readText(pipe, [inside])).toMatchObject({ error: { code: 'unavailable' } });
    expect(await nodeFiles.writeText(pipe, 'x', [inside])).toMatchObject({ error: { code: 'unavailable' } });
    expect(await nodeFiles.readBytes('/dev/zero')).toMatchObject({ error: { code: 'unavailable' } });
    writeFileSync(join(inside, '.git'), 'gitdir: x');
    expect(await nodeFiles.writeText(join(inside, '.git'), 'x', [inside])).toMatchObject(refused);
    expect(await nodeFiles.writeText(join(inside, '.git', 'hooks', 'x'), 'x', [inside])).toMatchObject(
      refused,
    );
    expect(readFileSync(join(inside, '.git'), 'utf8')).toBe('gitdir: x');
  },
);
