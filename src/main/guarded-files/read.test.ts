import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { listGuarded, readGuardedText, sizeGuarded } from './read';
import { oneAtATime } from './slow-roots';

let root = '';
let outside = '';
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-guarded-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  root = join(folder, 'project');
  outside = join(folder, 'outside.txt');
  mkdirSync(join(root, 'inner'), { recursive: true });
  writeFileSync(outside, 'a secret');
});

const read = (name: string, most = 1024) => readGuardedText({ root, path: join(root, name), most });

test('a regular file of the project is read, also by a link that stays inside, and one that is not there is null', async () => {
  writeFileSync(join(root, 'a.txt'), 'text ü');
  symlinkSync('../a.txt', join(root, 'inner', 'link.txt'));
  expect(await read('a.txt')).toMatchObject({ text: 'text ü' });
  expect(await read('inner/link.txt')).toMatchObject({ text: 'text ü' });
  expect(await read('none.txt')).toBeNull();
  expect(await read('a.txt/none.txt')).toBeNull();
});

test.skipIf(process.platform === 'win32')(
  'named pipes, devices, folders and links out are named as what they are',
  async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    symlinkSync('pipe', join(root, 'link-to-pipe'));
    for (const device of ['ptmx', 'zero', 'tty', 'stdin']) symlinkSync(`/dev/${device}`, join(root, device));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync('/', join(root, 'inner', 'everything'));
    symlinkSync('nothing', join(root, 'dangling'));
    expect(await read('pipe')).toMatchObject({ trouble: 'it is a named pipe, not a text file' });
    expect(await read('link-to-pipe')).toMatchObject({ trouble: 'it is a named pipe, not a text file' });
    expect(await read('inner')).toMatchObject({ trouble: 'it is a folder, not a text file' });
    for (const name of ['ptmx', 'zero', 'out', 'inner/everything/etc/passwd'])
      expect(await read(name)).toMatchObject({ trouble: 'the file is a link to outside its folder' });
    expect(await read('dangling')).toMatchObject({ trouble: 'it is a broken link' });
    expect(await sizeGuarded(root, join(root, 'pipe'))).toMatchObject({
      trouble: expect.stringContaining('pipe'),
    });
    expect(await listGuarded(root, 'inner/everything')).toEqual([]);
    // A device that is itself below the root is never opened either.
    expect(await readGuardedText({ root: '/dev', path: '/dev/ptmx', most: 10 })).toMatchObject({
      trouble: 'it is a device, not a text file',
    });
  },
);

test('a path that names another folder is not called a link', async () => {
  for (const name of ['../x.txt', '../../../../../../../../etc/passwd']) {
    const told = await read(name);
    if (told !== null) expect(told).toMatchObject({ trouble: 'the path leads to outside its folder' });
  }
  expect(await readGuardedText({ root, path: '/etc/passwd', most: 1_000_000 })).toMatchObject({
    trouble: 'the path leads to outside its folder',
  });
});

test('a file that is too large, or not in UTF-8, is not read', async () => {
  writeFileSync(join(root, 'large.txt'), 'x'.repeat(1025));
  writeFileSync(join(root, 'latin.txt'), Buffer.from([0xfc]));
  expect(await read('large.txt')).toEqual({ trouble: 'the file is larger than 1 kB', mend: 'shorten it' });
  expect(await read('latin.txt')).toMatchObject({ trouble: 'it is not in UTF-8' });
});

test.skipIf(process.platform !== 'linux')(
  'a file whose size is a lie is read up to the limit only',
  async () => {
    const maps = { root: '/proc/self', path: `/proc/${process.pid}/maps`, most: 512 };
    expect(await readGuardedText(maps)).toMatchObject({ trouble: expect.stringContaining('larger than') });
  },
);

test('a root that does not answer takes one call, and all others fail at once until it answers', async () => {
  let answer: (value: string) => void = () => undefined;
  const hanging = () =>
    new Promise<string>((resolve) => {
      answer = resolve;
    });
  const first = oneAtATime('/share', hanging, 20);
  const second = oneAtATime('/share', async () => 'second', 20);
  const trouble = { trouble: expect.stringContaining('did not answer') };
  expect(await first).toMatchObject(trouble);
  expect(await second).toMatchObject(trouble);
  expect(await oneAtATime('/share', async () => 'third', 20)).toMatchObject(trouble);
  expect(await oneAtATime('/other', async () => 'fine', 20)).toBe('fine');
  answer('late');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await oneAtATime('/share', async () => 'again', 20)).toBe('again');
});
