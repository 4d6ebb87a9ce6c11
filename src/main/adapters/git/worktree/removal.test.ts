import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { commitAll, git, Kit, must, removing, uid, write } from '../testing/kit';

let kit: Kit;
const folder = `fix-it-${uid.slice(-8).toLowerCase()}`;
const refs = () =>
  git(kit.project, 'for-each-ref', '--format=%(refname)', 'refs/muster').split('\n').filter(Boolean);

beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt');
});

describe('the worktrees of a run', () => {
  test('the worktrees of a run are removed, their branches stay, and what is on none is kept', async () => {
    const run = kit.run();
    const own = must(await kit.port().prepare(run)).path;
    const second = must(await kit.port().branch(run, { key: 'b-1', from: own })).path;
    write(second, 'done.txt', 'committed');
    commitAll(second);
    must(await kit.port().snapshot({ path: own, run }, `${uid}/t1-before`));
    write(own, 'open.txt', 'not committed');
    git(kit.project, 'worktree', 'add', '-q', join(kit.worktreesDir, 'foreign'), '-b', 'foreign');
    git(kit.project, 'worktree', 'add', '-q', join(kit.root, 'elsewhere'), '-b', 'elsewhere');
    const head = git(kit.project, 'rev-parse', 'HEAD');
    expect(must(await kit.port().remove(run, removing('docker down')))).toEqual({
      notes: [],
      kept: [`refs/muster/kept/${folder}`],
    });
    expect([existsSync(own), existsSync(second)]).toEqual([false, false]);
    expect([existsSync(join(kit.worktreesDir, 'foreign')), existsSync(join(kit.root, 'elsewhere'))]).toEqual([
      true,
      true,
    ]);
    expect(kit.scripts.map(({ script, cwd }) => [script, cwd])).toEqual([
      ['docker down', own],
      ['docker down', second],
    ]);
    expect(refs()).toEqual([`refs/muster/kept/${folder}`]);
    expect(git(kit.project, 'show', `refs/muster/kept/${folder}:open.txt`)).toBe('not committed');
    expect(git(kit.project, 'show', `muster/${folder}-b-1:done.txt`)).toBe('committed');
    expect(git(kit.project, 'rev-parse', 'HEAD')).toBe(head);
    expect(git(kit.project, 'status', '--porcelain')).toBe('');
    expect(await kit.port().remove(run, removing())).toEqual({ ok: true, value: { notes: [], kept: [] } });
  });

  test('the worktrees of a run stay where they hold what no snapshot can', async () => {
    const run = kit.run();
    const own = must(await kit.port().prepare(run)).path;
    mkdirSync(join(own, 'nested'));
    git(join(own, 'nested'), 'init', '-q');
    write(own, 'huge', '');
    truncateSync(join(own, 'huge'), 51 * 1024 * 1024);
    const removed = must(await kit.port().remove(run, removing('docker down')));
    expect(removed.notes[0]).toMatch(/was not removed.*huge \(large\)/);
    expect([existsSync(join(own, 'nested/.git')), kit.scripts]).toEqual([true, []]);
    rmSync(join(own, 'nested'), { recursive: true });
    rmSync(join(own, 'huge'));
    kit.scriptEnd = () => ({ outcome: 'exited', exitCode: 1, output: 'no docker', error: null });
    git(kit.project, 'update-ref', '-d', `refs/muster/kept/${folder}`);
    const then = must(await kit.port().remove(run, removing('docker down')));
    expect(then.notes).toEqual([expect.stringMatching(/teardown failed.*exit 1\nno docker/s)]);
    expect(existsSync(own)).toBe(false);
  });

  test('the worktrees of a run stay where the mark is of another run, or there is none', async () => {
    const run = kit.run();
    const own = must(await kit.port().prepare(run)).path;
    const mark = join(git(own, 'rev-parse', '--absolute-git-dir'), 'muster.json');
    const text = readFileSync(mark, 'utf8');
    writeFileSync(mark, text.replace(uid, '01JD0000000000000OTHERRUN0'));
    must(await kit.port().remove(run, removing()));
    rmSync(mark);
    must(await kit.port().remove(run, removing()));
    expect(existsSync(own)).toBe(true);
  });

  test('worktrees that were deleted by hand leave what was not committed in them', async () => {
    const run = kit.run();
    const own = must(await kit.port().prepare(run)).path;
    write(own, 'open.txt', 'not committed');
    must(await kit.port().snapshot({ path: own, run }, `${uid}/t1-after`));
    rmSync(own, { recursive: true });
    must(await kit.port().remove(run, removing()));
    expect(refs()).toEqual([`refs/muster/kept/${folder}`]);
    expect(git(kit.project, 'show', `refs/muster/kept/${folder}:open.txt`)).toBe('not committed');
  });

  test('removing worktrees does not fail where the project is gone, or is another one', async () => {
    const gone = kit.run({ projectPath: join(kit.root, 'gone') });
    expect(must(await kit.port().remove(gone, removing())).notes).toHaveLength(1);
    const project = kit.run({ mode: 'project' });
    must(await kit.port().prepare(project));
    expect(refs()).toEqual([`refs/muster/${uid}/base`]);
    must(await kit.port().remove(project, removing('docker down')));
    expect([refs(), kit.scripts]).toEqual([[], []]);
  });
});

describe('worktrees that are gone', () => {
  test('worktrees that are gone are made again from their branch with the last state that was kept', async () => {
    const run = kit.run({ setup: 'make ready' });
    const own = must(await kit.port().prepare(run));
    const second = must(await kit.port().branch(run, { key: 'b-1', from: own.path }));
    const branches = [own, second].map(({ branch }) => branch ?? '');
    write(own.path, 'open.txt', 'open');
    must(await kit.port().snapshot({ path: own.path, run }, `${uid}/t1-after`));
    must(await kit.port().snapshot({ path: second.path, run }, `${uid}/t2-after`));
    write(second.path, 'done.txt', 'done');
    commitAll(second.path);
    for (const { path } of [own, second]) rmSync(path, { recursive: true });
    kit.scripts.length = 0;
    expect(must(await kit.port().revive(run, [...branches, 'main', 'muster/foreign']))).toEqual(branches);
    expect(git(own.path, 'status', '--porcelain')).toBe('?? open.txt');
    expect([git(second.path, 'status', '--porcelain'), existsSync(join(second.path, 'done.txt'))]).toEqual([
      '',
      true,
    ]);
    expect(kit.scripts).toHaveLength(2);
    write(own.path, 'open.txt', 'more');
    expect(must(await kit.port().revive(run, branches))).toEqual([]);
    expect(readFileSync(join(own.path, 'open.txt'), 'utf8')).toBe('more');
    expect(kit.scripts).toHaveLength(2);
    expect(existsSync(join(kit.worktreesDir, 'foreign'))).toBe(false);
  });

  test('worktrees that are gone are made again with their work where the branch was deleted as well', async () => {
    const run = kit.run();
    const { path, branch } = must(await kit.port().prepare(run));
    write(path, 'done.txt', 'done');
    const tip = commitAll(path);
    write(path, 'open.txt', 'open');
    must(await kit.port().snapshot({ path, run }, `${uid}/t1-after`));
    rmSync(path, { recursive: true });
    git(kit.project, 'worktree', 'prune');
    git(kit.project, 'branch', '-D', branch ?? '');
    expect(must(await kit.port().revive(run, [branch ?? '']))).toEqual([branch]);
    expect(git(path, 'rev-parse', 'HEAD')).toBe(tip);
    expect(git(path, 'status', '--porcelain')).toBe('?? open.txt');
  });

  test('worktrees that are gone have what the operator did to them last', async () => {
    const run = kit.run();
    const { path, branch } = must(await kit.port().prepare(run));
    const place = { path, run };
    must(await kit.port().snapshot(place, `${uid}/t1-before`));
    write(path, 'a.txt', 'agent\n');
    must(await kit.port().snapshot(place, `${uid}/t1-after`));
    must(await kit.port().restore(place, { uid, snapshot: `${uid}/t1-before` }));
    const { undo } = must(await kit.port().restore(place, { uid, snapshot: `${uid}/t1-after` }));
    for (const [snapshot, text] of [
      [undo, 'a.txt\n'],
      [`${uid}/t1-after`, 'agent\n'],
    ] as const) {
      must(await kit.port().restore(place, { uid, snapshot }));
      rmSync(path, { recursive: true });
      must(await kit.port().revive(run, [branch ?? '']));
      expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe(text);
    }
    const side = (moment: string) => ({ snapshots: [`${uid}/t1-${moment}`], commit: null, orEmpty: false });
    const wanted = { place, from: side('before'), to: side('after') };
    must(await kit.port().revertHunk({ wanted, uid, path: 'a.txt', hunk: 'file' }));
    rmSync(path, { recursive: true });
    must(await kit.port().revive(run, [branch ?? '']));
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a.txt\n');
  });
});
