import { appendFileSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GitRunner, hereBy } from '@main/adapters/git/command/run-git';
import { commitAll, git, Kit, movesOfFile, write } from '@main/adapters/git/testing/kit';
import { afterEach, expect, test, vi } from 'vitest';
import { GitLoops } from './';

const moves = movesOfFile();
const reads = vi.hoisted(() => [] as string[]);
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    open: (...asked: Parameters<typeof real.open>) => {
      reads.push(String(asked[0]));
      return real.open(...asked);
    },
  };
});
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const createReadStream: typeof real.createReadStream = (...asked) => {
    reads.push(String(asked[0]));
    return real.createReadStream(...asked);
  };
  return { ...real, createReadStream };
});

const LINE = '{"type":"turn.started"}\n';
const DONE = '{"type":"turn.completed"}\n';
const HOUR = 3_600_000;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A watched loop, an hour after anything was written. */
async function watched() {
  const kit = new Kit();
  kit.init('a.txt');
  write(kit.project, 'prd.json', '{"userStories":[]}');
  commitAll(kit.project, 'plan');
  const path = kit.project;
  mkdirSync(join(path, 'logs'));
  const log = (iteration: number) => join(path, 'logs', `codex-iteration-${iteration}.jsonl`);
  for (const iteration of [1, 2, 3]) writeFileSync(log(iteration), LINE);
  writeFileSync(join(path, 'progress.txt'), 'begun\n');
  const clock = { now: Date.now() + HOUR };
  let asked = 0;
  const real = hereBy('git');
  const runner: GitRunner = {
    whole: (start) => {
      asked += 1;
      return real.whole(start);
    },
    stream: (start, take) => real.stream(start, take),
  };
  const place = { cwd: path, folder: '.' };
  const loops = new GitLoops(moves, () => new Date(clock.now), runner);
  ends.push(await loops.follow(place, () => undefined));
  const look = async () => {
    reads.length = 0;
    asked = 0;
    const logs = await loops.logs(place);
    const seen = await loops.look(place);
    if (!logs.ok || !seen.ok) throw new Error('no look');
    return {
      ...seen.value,
      ended: logs.value.flatMap(({ ended, gone }) => (gone ? [] : ended)),
      reads: [...new Set(reads.map((name) => name.slice(path.length + 1)))].sort(),
      asked,
    };
  };
  await look();
  await look();
  return { path, log, clock, look, head: () => git(path, 'rev-parse', 'HEAD') };
}

test('a look at unchanged files reads no log, no progress.txt, no plan, and starts no git', async () => {
  const { look, head } = await watched();
  const seen = await look();
  expect(seen).toMatchObject({
    reads: [],
    asked: 0,
    head: head(),
    text: '{"userStories":[]}',
    progressBytes: 6,
  });
  expect(seen.ended).toEqual([false, false, false]);
});

test('only the log that was written on is read, also where neither its size nor its time tells', async () => {
  const { look, log } = await watched();
  appendFileSync(log(2), DONE);
  expect(await look()).toMatchObject({
    reads: ['logs/codex-iteration-2.jsonl'],
    ended: [false, true, false],
  });
  const { atime, mtime, size } = statSync(log(3));
  writeFileSync(log(3), `${'{"type":"turn.failed"}'.padEnd(size - 1)}\n`);
  utimesSync(log(3), atime, mtime);
  expect(await look()).toMatchObject({ reads: ['logs/codex-iteration-3.jsonl'], ended: [false, true, true] });
});

test('progress.txt and prd.json are read again once they have changed', async () => {
  const { look, path } = await watched();
  const before = await look();
  appendFileSync(join(path, 'progress.txt'), 'more\n');
  const grown = await look();
  expect(grown).toMatchObject({ reads: ['progress.txt'], progressBytes: 11 });
  expect(grown.progressHash).not.toBe(before.progressHash);
  writeFileSync(join(path, 'prd.json'), '{"userStories":[ ]}');
  expect(await look()).toMatchObject({ reads: ['prd.json'], text: '{"userStories":[ ]}' });
});

test('git is asked where HEAD, its branch or the packed branches have changed, and now and then all the same', async () => {
  const { look, path, clock, head } = await watched();
  const changes = [
    () => {
      write(path, 'a.txt', 'another');
      commitAll(path);
    },
    () => git(path, 'checkout', '--quiet', '-b', 'other'),
    () => git(path, 'update-ref', 'refs/heads/other', git(path, 'commit-tree', 'HEAD^{tree}', '-m', 'x')),
    () => git(path, 'pack-refs', '--all'),
    () => git(path, 'checkout', '--quiet', '--detach', 'main'),
  ];
  for (const change of changes) {
    change();
    const seen = await look();
    expect(seen.head).toBe(head());
    expect(seen.asked).toBeGreaterThan(0);
    expect((await look()).asked).toBe(0);
  }
  clock.now += 6_000;
  expect((await look()).asked).toBe(1);
});

test('a file that was written just now is read at each look: it may be written again within one tick of the clock', async () => {
  const { look, log, clock } = await watched();
  clock.now -= HOUR;
  appendFileSync(log(1), DONE);
  for (const _ of [1, 2]) expect((await look()).reads).toContain('logs/codex-iteration-1.jsonl');
});
