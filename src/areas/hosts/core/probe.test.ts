import { describe, expect, test } from 'vitest';
import { checksOf, compareVersions, readProbe, usableNode } from './probe';

const output = (lines: string) => `MUSTER-PROBE-BEGIN\n${lines}\nMUSTER-PROBE-END\n`;
const GOOD = `system=Linux x86_64
home=/home/op
libc=glibc 2.36
git=git version 2.39.5
starts=started
free=1000000
node=/usr/bin/node v20.1.0
node=/opt/n/bin/node v22.13.1`;

const problems = (lines: string) => {
  const probe = readProbe(output(lines));
  if (!probe.ok) throw new Error(probe.error.message);
  return checksOf('gpu1', probe.value, '22.12.0').flatMap(({ problem }) =>
    problem === null ? [] : [problem.message],
  );
};

describe('the probe of a host', () => {
  test('a good host has no problems, and its newest Node is used', () => {
    const probe = readProbe(output(GOOD));
    expect(problems(GOOD)).toEqual([]);
    expect(probe.ok && usableNode(probe.value, '22.12.0')).toEqual({
      path: '/opt/n/bin/node',
      version: '22.13.1',
    });
  });

  test.each([
    ['musl', 'libc=glibc 2.36', 'libc=musl libc (x86_64)', /musl in place of glibc/],
    ['another system', 'system=Linux x86_64', 'system=SunOS i86pc', /runs "SunOS i86pc"/],
    ['a small processor', 'system=Linux x86_64', 'system=Linux armv7l', /runs "Linux armv7l"/],
    ['a full disk', 'free=1000000', 'free=12', /disk of gpu1 is full/],
    [
      'a write that finds no space',
      'starts=started',
      'unwritable=printf: I/O error: No space left on device',
      /disk of gpu1 is full/,
    ],
    [
      'a read-only home',
      'starts=started',
      'unwritable=mkdir: Read-only file system',
      /cannot be written to: mkdir: Read-only file system/,
    ],
    ['noexec', 'starts=started', 'starts=sh: Permission denied', /noexec/],
    ['a home with a quote', 'home=/home/op', "home=/home/o'p", /path that Muster cannot use/],
    ['no git', 'git=git version 2.39.5', 'git=', /has no git/],
    [
      'only an old Node',
      'node=/opt/n/bin/node v22.13.1',
      '',
      /has only Node 20\.1\.0; Muster needs 22\.12\.0 or newer/,
    ],
  ])('%s is one clear problem', (_what, ...[from, to, message]) => {
    expect(problems(GOOD.replace(from, to))).toEqual([expect.stringMatching(message)]);
  });

  test('an answer without the probe is refused with its words', () => {
    expect(readProbe('no shell for you\n')).toMatchObject({
      error: { code: 'host.unfit', message: expect.stringMatching(/it answered "no shell for you"/) },
    });
    expect(readProbe('')).toMatchObject({ error: { message: expect.stringMatching(/it answered nothing/) } });
  });
});

test.each([
  ['22.12.0', '22.9.9', 1],
  ['22.12.0', '22.12.0', 0],
  ['9.0.0', '10.0.0', -1],
])('the version %s is compared with %s by its numbers', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});
