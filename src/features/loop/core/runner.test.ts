import type { SeenProcess } from '@main/core/ports/programs/process';
import { describe, expect, test } from 'vitest';
import { iterationsOf, type LoopGround, loopRunners, programOf } from './runner';

const words = (line: string): string[] => line.split(' ');
/** One `PID PARENT CWD COMMAND` per line. */
const table = (...rows: string[]): SeenProcess[] =>
  rows.map((row) => {
    const [pid, parent, cwd = '', ...args] = words(row);
    const told = cwd === '?' ? null : cwd;
    return { pid: Number(pid), parent: Number(parent), cwd: told, args, startedAt: null, mark: '' };
  });
const found = (rows: string[], ground: LoopGround = { folder: '/p/loop', repository: '/p' }) =>
  loopRunners(table(...rows), ground).map(({ pid }) => pid);

describe('the processes that may run a loop', () => {
  test.each([
    ['works in its folder', '10 1 /p/loop bash ./ralph.sh 4', [10]],
    ['lies in its folder and works elsewhere', '10 1 /home sh /p/loop/ralph.sh', [10]],
    ['lies there, by a relative path', '10 1 /p bash -eu -o pipefail loop/../loop/ralph-codex.sh', [10]],
    ['works at the top of the repository and lies outside of it', '10 1 /p /bin/zsh /opt/bin/ralph.sh', [10]],
    ['is a program of its own', '10 1 /p/loop /usr/local/bin/ralph 5', [10]],
    ['lies in another folder of the repository', '10 1 /p bash other/ralph.sh', []],
    ['works elsewhere', '10 1 /q bash ralph.sh', []],
    ['works nobody knows where', '10 1 ? bash ralph.sh', []],
    ['is read by an editor', '10 1 /p/loop vim ralph.sh', []],
    ['is an argument of another script', '10 1 /p/loop bash deploy.sh ralph.sh', []],
    ['stands in a command', '10 1 /p/loop bash -lc ./ralph.sh', []],
    ['is followed by its log', '10 1 /p/loop tail -f ralph.sh', []],
  ])('only a process that runs ralph.sh is taken for a loop: it %s', (_what, row, wanted) => {
    expect(found([row])).toEqual(wanted);
  });

  test('shells that ralph.sh has forked are no loops of their own, and two that no one forked are two', () => {
    expect(
      found(['10 1 /p/loop bash ralph.sh', '11 10 /p/loop bash ralph.sh', '12 11 /p/loop bash ralph.sh']),
    ).toEqual([10]);
    expect(found(['10 1 /p/loop bash ralph.sh', '20 1 /p/loop bash ralph.sh'])).toEqual([10, 20]);
  });

  test('a script of another name is recognized by the codex exec that it has started there', () => {
    const rows = [
      '10 1 /p bash scripts/night.sh 9',
      '11 10 /p bash scripts/night.sh 9',
      '12 11 /p timeout 30m codex exec --json x',
      '13 12 /p/loop node /usr/bin/codex exec --json x',
      '14 13 /p/loop /opt/codex exec --json x',
    ];
    expect(found(rows)).toEqual([10]);
    // An unknown program in between: the owner of the work is unclear.
    expect(found(['10 1 /p bash start.sh', '11 10 /p node core.js', '12 11 /p/loop codex exec x'])).toEqual(
      [],
    );
    expect(found(['10 1 /p -bash', '12 10 /p/loop codex exec x'])).toEqual([]);
    expect(found(['10 1 /p bash night.sh', '12 10 /q codex exec x'])).toEqual([]);
  });

  test('a loop needs no repository, and a circle of parents ends', () => {
    const ground = { folder: '/p/loop', repository: null };
    expect(found(['10 11 /p/loop bash ralph.sh', '11 10 /p bash'], ground)).toEqual([10]);
  });
});

test.each([
  ['bash ./ralph.sh 12', 12],
  ['bash ./ralph.sh --tool amp 3', 3],
  ['ralph --max-iterations=8', 8],
  ['sh ralph.sh --iterations 6 --port 80', 6],
  ['bash ./ralph.sh --port 8080', null],
  ['bash -o 5 ./ralph.sh', null],
  ['bash ./ralph.sh', null],
  ['bash ./ralph.sh 0', null],
])('the iterations of the command %j are %s', (line, wanted) => {
  expect(iterationsOf(words(line))).toBe(wanted);
});

test('a loop is named by its script', () => {
  expect([programOf(['bash', '-x', 'a b/ralph.sh', '--key', 'k']), programOf(['/bin/x', 'y'])]).toEqual([
    'a b/ralph.sh',
    '/bin/x',
  ]);
});
