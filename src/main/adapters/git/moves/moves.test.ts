import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InterruptedCheckout } from '@areas/projects/contract/procedures';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bundle } from '../../sqlite/testing/bundle';
import { GitMerges } from '../merge/merge';
import { git, Kit, must, write } from '../testing/kit';
import { CheckoutMoves } from './index';

const FILES = 12;
const NEW = 2;
const name = (index: number) => `src/f${String(index).padStart(2, '0')}.txt`;
const content = (index: number, version: string) => `${version} ${index}\n${'line\n'.repeat(20)}`;

let core: { file: string; remove: () => void };
beforeAll(async () => {
  core = await bundle(new URL('../testing/merging-core.ts', import.meta.url));
});
afterAll(() => core.remove());

let kit: Kit;
let dir = '';
let start = '';
let work = '';
const moves = () => new CheckoutMoves({ dir });

/**
 * A project whose files are written through a slow filter, and a branch that changes, adds and removes many
 * of them.
 */
beforeEach(() => {
  kit = new Kit();
  dir = join(kit.root, 'moves');
  git(kit.project, 'init', '-q', '-b', 'main');
  write(kit.project, '.gitattributes', '*.txt filter=slow\n');
  filter('cat');
  for (let index = 0; index < FILES; index += 1) write(kit.project, name(index), content(index, 'old'));
  write(kit.project, 'mine.md', 'as committed\n');
  write(kit.project, 'staged.md', 'as committed\n');
  start = commit('start');
  git(kit.project, 'checkout', '-q', '-b', 'work');
  for (let index = 0; index < FILES + NEW; index += 1)
    if (removed(index)) rmSync(join(kit.project, name(index)));
    else write(kit.project, name(index), content(index, 'new'));
  work = commit('work');
  git(kit.project, 'checkout', '-q', 'main');
  operatorsOwn();
});

const removed = (index: number) => index % 10 === 9;

function filter(smudge: string): void {
  git(kit.project, 'config', 'filter.slow.clean', 'cat');
  git(kit.project, 'config', 'filter.slow.smudge', smudge);
  git(kit.project, 'config', 'filter.slow.required', 'true');
}

/** Lets git write this many files, and holds it at the next one until it is killed, however late that is. */
function holdAfter(count: number): void {
  rmSync(join(kit.project, '.git', 'written'), { force: true });
  filter(`echo >> .git/written; test $(wc -l < .git/written) -le ${count} || sleep 600; cat`);
}

function commit(message: string): string {
  git(kit.project, 'add', '-A');
  git(kit.project, 'commit', '-qm', message);
  return git(kit.project, 'rev-parse', 'HEAD');
}

/** Uncommitted changes, none of which a merge may touch. */
function operatorsOwn(): void {
  write(kit.project, 'mine.md', 'not committed\n');
  write(kit.project, 'staged.md', 'staged\n');
  git(kit.project, 'add', 'staged.md');
  write(kit.project, 'untracked.md', 'untracked\n');
}
const OWN = ' M mine.md\nM  staged.md\n?? untracked.md';

const wanted = () => ({
  projectPath: kit.project,
  commit: work,
  choices: {},
  newer: null,
  message: 'Merge the work of S1',
  id: 'U1/1/1',
  rehearsed: { target: 'main', targetCommit: start },
});

/** A file may be missing at the moment: git removes it before writing the new one. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
const present = () =>
  Array.from({ length: FILES + NEW }, (_, index) => textOf(join(kit.project, name(index))));
const expected = (side: 'old' | 'new') =>
  Array.from({ length: FILES + NEW }, (_, index) =>
    (side === 'old' ? index < FILES : !removed(index)) ? content(index, side) : null,
  );
const changed = () => present().filter((text, index) => text !== expected('old')[index]).length;

/** The whole checkout is on one side, and all uncommitted changes are present. */
function expectWhole(side: 'old' | 'new'): void {
  expect(present()).toEqual(expected(side));
  expect(git(kit.project, 'rev-parse', 'HEAD') === start).toBe(side === 'old');
  expect(gitStatus()).toBe(OWN);
  expect(readFileSync(join(kit.project, 'mine.md'), 'utf8')).toBe('not committed\n');
  expect(readdirSync(join(kit.project, '.git')).filter((file) => file.endsWith('.lock'))).toEqual([]);
}
/** The kit's `git` trims its output. */
const gitStatus = () =>
  git(kit.project, 'status', '--porcelain', '--untracked-files=all', '-z')
    .split('\0')
    .filter(Boolean)
    .join('\n');

/** Starts the merge in another process, and waits until this many files have changed. */
async function mergeUntil(count: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [core.file, dir, JSON.stringify(wanted())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await vi.waitUntil(() => changed() >= count, { timeout: 120_000, interval: 3 });
  return child;
}

function gitPids(): number[] {
  return readdirSync(dir).map((id) => Number(readFileSync(join(dir, id, 'pid'), 'utf8')));
}

/** Kills git's whole session: git and its filters. */
function killGit(): void {
  for (const pid of gitPids()) process.kill(-pid, 'SIGKILL');
}

const ended = (child: ChildProcess) =>
  vi.waitUntil(() => child.exitCode !== null || child.signalCode !== null, { timeout: 120_000 });

async function killCore(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended(child);
}

/** What the next core finds once no git is working any more. */
const found = () =>
  vi.waitUntil(
    async () => {
      const all = await moves().interrupted();
      return all.some(({ running }) => running) ? null : { all };
    },
    { timeout: 120_000, interval: 50 },
  );

/** When something is killed, as numbers of files changed by then. */
const POINTS = [1, 4, 8, 12];

test('git ends a merge whose core was killed in the middle, and the checkout is whole', {
  timeout: 600_000,
}, async () => {
  for (const point of POINTS) {
    filter('sleep 0.02; cat');
    await killCore(await mergeUntil(point));
    expect((await found()).all).toEqual([]);
    expectWhole('new');
    // Requested again after the restart, it finds its commit.
    const again = await new GitMerges(moves()).merge(wanted());
    expect(must(again)).toEqual({ kind: 'made', commit: git(kit.project, 'rev-parse', 'HEAD') });
    reset();
  }
});

test('a git that is killed in the middle of a merge has its change rolled back at once', {
  timeout: 600_000,
}, async () => {
  for (const point of POINTS) {
    holdAfter(point);
    const child = await mergeUntil(point);
    killGit();
    filter('cat');
    await ended(child);
    expect((await found()).all).toEqual([]);
    expectWhole('old');
    reset();
  }
});

test('after a kill of core and git the interrupted change is described, blocks merges, and is finished or rolled back', {
  timeout: 600_000,
}, async () => {
  for (const [turn, point] of POINTS.entries()) {
    holdAfter(point);
    const child = await mergeUntil(point);
    await killCore(child);
    killGit();
    filter('cat');
    const [view, ...others] = (await found()).all;
    expect(others).toEqual([]);
    if (view === undefined) throw new Error('nothing was found');
    expectDescribed(view);
    expect(await new GitMerges(moves()).merge(wanted())).toMatchObject({
      error: {
        code: 'conflict',
        message: expect.stringContaining('half changed'),
        mend: expect.stringContaining('Roll back'),
      },
    });
    // A file edited by the operator meanwhile is theirs.
    const edited = turn % 3 === 0 ? 4 : null;
    if (edited !== null) write(kit.project, name(edited), 'edited after the crash\n');
    const how = turn % 2 === 0 ? 'finish' : 'roll_back';
    must(await moves().settle(view.id, how));
    if (edited !== null) {
      expect(readFileSync(join(kit.project, name(edited)), 'utf8')).toBe('edited after the crash\n');
      expect(gitStatus()).toContain(` M ${name(edited)}`);
      git(kit.project, 'checkout', '-q', '--', name(edited));
    }
    expectWhole(how === 'finish' ? 'new' : 'old');
    expect(await moves().interrupted()).toEqual([]);
    expect(await moves().settle(view.id, how)).toMatchObject({ error: { code: 'not_found' } });
    reset();
  }
});

function expectDescribed(view: InterruptedCheckout): void {
  const { counts } = view;
  const differs = (side: 'old' | 'new') =>
    present().filter((text, index) => text !== expected(side)[index]).length;
  expect(counts.after).toBe(FILES + NEW - differs('new'));
  expect(counts.before).toBe(FILES + NEW - differs('old'));
  expect(counts.after + counts.before + counts.half).toBe(FILES + NEW);
  expect(view).toMatchObject({
    path: kit.project,
    what: 'Merge the work of S1',
    headMoved: false,
    locked: true,
  });
  expect(view.files.map(({ state }) => state).filter((state) => state === 'half')).toHaveLength(counts.half);
}

function reset(): void {
  filter('cat');
  git(kit.project, 'reset', '-q', '--hard', start);
  operatorsOwn();
}

test('files that a power cut left empty, cut short or zeroed are incomplete, and what they held is kept', async () => {
  holdAfter(8);
  await killCore(await mergeUntil(8));
  killGit();
  filter('cat');
  const [view] = (await found()).all;
  const [one = '', two = '', three = ''] =
    view?.files.filter(({ state }) => state === 'after').map(({ path }) => path) ?? [];
  truncateSync(join(kit.project, one), 0);
  truncateSync(join(kit.project, two), 5);
  writeFileSync(join(kit.project, three), Buffer.alloc(100));
  const [again] = await moves().interrupted();
  expect(again?.counts.half).toBe((view?.counts.half ?? 0) + 3);
  must(await moves().settle(view?.id ?? '', 'roll_back'));
  expectWhole('old');
  expect(git(kit.project, 'show', `refs/muster/kept/checkout-${view?.id}:${two}`)).toBe('new 1'.slice(0, 5));
});

test('a filter that fails in the middle leaves the checkout as it was', async () => {
  filter(`tee .git/last; if grep -q '^new 10' .git/last; then exit 1; fi`);
  const made = await new GitMerges(moves()).merge(wanted());
  expect(made).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expectWhole('old');
  expect(await moves().interrupted()).toEqual([]);
});

test('an ignored file of the operator is not written over by a merge', async () => {
  git(kit.project, 'checkout', '-q', '-f', 'work');
  write(kit.project, '.env', 'THEIRS=1\n');
  git(kit.project, 'add', '-f', '.env');
  git(kit.project, 'commit', '-qm', 'env');
  work = git(kit.project, 'rev-parse', 'HEAD');
  git(kit.project, 'checkout', '-q', '-f', 'main');
  write(kit.project, '.git/info/exclude', '.env\n');
  write(kit.project, '.env', 'SECRET=mine\n');
  expect(await new GitMerges(moves()).merge(wanted())).toMatchObject({
    error: { code: 'conflict', message: expect.stringContaining('.env') },
  });
  expect(readFileSync(join(kit.project, '.env'), 'utf8')).toBe('SECRET=mine\n');
});

test('an interrupted change is left alone where the operator has gone on in the checkout', async () => {
  holdAfter(8);
  await killCore(await mergeUntil(8));
  killGit();
  filter('cat');
  await found();
  rmSync(join(kit.project, '.git', 'index.lock'), { force: true });
  reset();
  git(kit.project, 'commit', '-q', '--allow-empty', '-m', 'on');
  expect(await moves().interrupted()).toEqual([]);
  expect(present()).toEqual(expected('old'));
});

test('a filter that fails in the middle, and at the way back, is named with the words of git', async () => {
  filter('echo >> .git/written; test $(wc -l < .git/written) -le 3 && cat');
  const refused = await new GitMerges(moves()).merge(wanted());
  expect(refused).toMatchObject({
    ok: false,
    error: {
      message: expect.stringMatching(/^The merge was not made: .*smudge filter slow failed/s),
      mend: expect.stringContaining('Repair what git reports'),
    },
  });
  filter('cat');
  const [view] = await moves().interrupted();
  expect(await moves().settle(view?.id ?? '', 'roll_back')).toMatchObject({ ok: true });
  expectWhole('old');
});
