import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Input } from './input';

let folder = '';
let fd = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-input-'));
  const pipe = join(folder, 'pipe');
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
  fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

function taken(): Buffer {
  const buffer = Buffer.alloc(1024 * 1024);
  try {
    return buffer.subarray(0, readSync(fd, buffer));
  } catch {
    return Buffer.alloc(0);
  }
}

test.skipIf(process.platform === 'win32')('a key reaches the program at once', () => {
  new Input({ fd, closed: () => false }).write('x');
  expect(taken().toString()).toBe('x');
});

test.skipIf(process.platform === 'win32')('input that does not fit waits, in order and whole', async () => {
  const input = new Input({ fd, closed: () => false });
  const pieces = ['a', 'é', 'c'].map((letter) => letter.repeat(100_000));
  for (const piece of pieces) input.write(piece);
  const read: Buffer[] = [];
  const all = () => Buffer.concat(read);
  await expect
    .poll(() => {
      read.push(taken());
      return all().length;
    })
    .toBeGreaterThanOrEqual(400_000);
  expect(all().toString('utf8')).toBe(pieces.join(''));
});

test.skipIf(process.platform === 'win32')(
  'after the end nothing is written to what the number means by then',
  () => {
    let closed = false;
    const input = new Input({ fd, closed: () => closed });
    closed = true;
    input.write('x');
    expect(taken().toString()).toBe('');
  },
);
