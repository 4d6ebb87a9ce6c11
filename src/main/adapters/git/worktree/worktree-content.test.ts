import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { beforeEach, describe, expect, test } from 'vitest';
import { commitAll, git, Kit, must, uid, write, writeTool } from '../testing/kit';

let kit: Kit;
beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt');
});

const text = (...path: string[]) => readFileSync(join(...path), 'utf8');
const gitDir = (path: string) => git(path, 'rev-parse', '--absolute-git-dir');
const markOf = (path: string) => JSON.parse(text(gitDir(path), 'muster.json'));

describe('ignored files of the project', () => {
  beforeEach(() => {
    write(kit.project, '.gitignore', '.env*\nkeys/\nlink\n');
    commitAll(kit.project);
    write(kit.project, '.env', 'SECRET=1');
    write(kit.project, '.env.local', 'LOCAL=1');
    writeTool(kit.project, 'keys/deep/run.key', 'key');
    write(kit.project, 'not-ignored', 'x');
    symlinkSync('../elsewhere', join(kit.project, 'link'));
  });

  test('ignored files of the project are copied into a new worktree as the globs say, links as links, and nothing else', async () => {
    const copy = ['.env', 'keys/**', 'link', 'not-ignored', 'a.txt', 'nothing'];
    const { path } = must(await kit.port().prepare(kit.run({ copy })));
    expect(readdirSync(path).sort()).toEqual(['.env', '.git', '.gitignore', 'a.txt', 'keys', 'link']);
    expect(text(path, '.env')).toBe('SECRET=1');
    expect(lstatSync(join(path, 'keys/deep/run.key')).mode & 0o111).toBe(0o111);
    expect(readlinkSync(join(path, 'link'))).toBe('../elsewhere');
    expect(git(path, 'status', '--porcelain')).toBe('');
  });

  test('ignored files that .worktreeinclude names are copied too, and none that is not ignored', async () => {
    write(kit.project, '.worktreeinclude', '# secrets\n.env*\n!.env.local\nnot-ignored\nkeys/\n');
    commitAll(kit.project);
    const { path } = must(await kit.port().prepare(kit.run()));
    expect(readdirSync(path).sort()).toEqual(
      ['.env', '.git', '.gitignore', '.worktreeinclude', 'a.txt', 'keys', 'not-ignored'].sort(),
    );
    expect(text(path, 'keys/deep/run.key')).toBe('key');
  });

  test('ignored files of the project are copied once: what an agent did to them or took away stays so', async () => {
    const run = kit.run({ copy: ['.env*'] });
    const { path } = must(await kit.port().prepare(run));
    write(path, '.env', 'agent');
    rmSync(join(path, '.env.local'));
    must(await kit.port().prepare(run));
    expect([text(path, '.env'), existsSync(join(path, '.env.local'))]).toEqual(['agent', false]);
  });

  test('ignored files of the project never replace a file of the branch', async () => {
    git(kit.project, 'add', '-f', '.env');
    git(kit.project, 'commit', '-qm', 'tracked');
    git(kit.project, 'rm', '-q', '--cached', '.env');
    write(kit.project, '.env', 'operator');
    const { path } = must(await kit.port().prepare(kit.run({ copy: ['.env'] })));
    expect(text(path, '.env')).toBe('SECRET=1');
  });

  test('ignored files of the project do not follow a link of the branch out of the worktree', async () => {
    const outside = join(kit.root, 'outside');
    mkdirSync(outside);
    rmSync(join(kit.project, 'keys'), { recursive: true });
    symlinkSync(outside, join(kit.project, 'keys'));
    git(kit.project, 'add', '-f', 'keys');
    git(kit.project, 'commit', '-qm', 'link');
    rmSync(join(kit.project, 'keys'));
    writeTool(kit.project, 'keys/deep/run.key', 'key');
    must(await kit.port().prepare(kit.run({ copy: ['keys'] })));
    expect(readdirSync(outside)).toEqual([]);
  });

  test('ignored files that are too many, or outside, are an error that says so, and the next try goes on', async () => {
    const copy = ['keys', '.env'];
    expect(await kit.port({ copyLimitBytes: 5 }).prepare(kit.run({ copy }))).toMatchObject({
      ok: false,
      error: {
        code: 'workspace.failed',
        message: expect.stringMatching(/more than 1 MB/),
        where: { path: 'worktree.copy' },
      },
    });
    for (const glob of ['../x', '/etc/passwd', '~/x'])
      expect(await kit.port().prepare(kit.run({ copy: [glob] }))).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining(glob) },
      });
    const { path } = must(await kit.port().prepare(kit.run({ copy })));
    expect(text(path, '.env')).toBe('SECRET=1');
  });
});

describe('the set-up command', () => {
  test('the set-up command runs once, after the copying, in the new worktree', async () => {
    const run = kit.run({ setup: 'make ready' });
    const { path } = must(await kit.port().prepare(run));
    must(await kit.port().prepare(run));
    expect(kit.scripts).toEqual([
      {
        script: 'make ready',
        cwd: path,
        env: { MUSTER_PROJECT: kit.project, MUSTER_WORKSPACE: path, MUSTER_RUN: uid },
        timeoutSeconds: 1800,
        outputPath: join(kit.artifactsDir, 'worktree', 'setup-run.log'),
        joinsErrors: true,
      },
    ]);
    expect(markOf(path)).toMatchObject({ version: 1, uid, key: null, done: 'set_up' });
  });

  test('a set-up command that failed shows its last lines, and runs again at the next try', async () => {
    const run = kit.run({ setup: 'make ready' });
    const output = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    kit.scriptEnd = () => ({ outcome: 'exited', exitCode: 2, output, error: null });
    const failed = await kit.port().prepare(run);
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'workspace.failed', where: { path: 'worktree.setup' } },
    });
    expect(failed.ok ? '' : failed.error.message).toMatch(/exit 2\nline 10\n(.*\n)+line 29$/);
    kit.scriptEnd = () => ({
      outcome: 'signalled',
      exitCode: null,
      output: '',
      error: appError('command.failed', 'ended by SIGKILL'),
    });
    expect(await kit.port().prepare(run)).toMatchObject({
      error: { message: expect.stringMatching(/ended by SIGKILL/) },
    });
    kit.scriptEnd = () => ({ outcome: 'exited', exitCode: 0, output: '', error: null });
    must(await kit.port().prepare(run));
    expect(kit.scripts).toHaveLength(3);
  });

  test('the set-up command runs again after a crash in the middle, and in a worktree that was made again', async () => {
    const run = kit.run({ setup: 'make ready' });
    kit.scriptEnd = () => {
      throw new Error('the core was killed');
    };
    expect(await kit.port().prepare(run)).toMatchObject({ ok: false });
    kit.scriptEnd = () => ({ outcome: 'exited', exitCode: 0, output: '', error: null });
    const { path } = must(await kit.port().prepare(run));
    rmSync(path, { recursive: true });
    must(await kit.port().prepare(run));
    expect(kit.scripts).toHaveLength(3);
  });
});

describe('a workspace of an activation', () => {
  const wanted = (from: string) => ({ key: 'build-1', from });

  test('a workspace of an activation is a worktree with the state of another one: its commits, and its changes as changes', async () => {
    const run = kit.run({ setup: 'make ready' });
    const own = must(await kit.port().prepare(run)).path;
    write(own, 'committed.txt', 'c');
    const head = commitAll(own);
    write(own, 'a.txt', 'changed');
    write(own, 'new.txt', 'new');
    rmSync(join(own, 'committed.txt'));
    const made = must(await kit.port().branch(run, wanted(own)));
    const { path, branch, baseCommit } = made;
    expect(path).toBe(`${own}-build-1`);
    expect(branch).toBe(`muster/fix-it-${uid.slice(-8).toLowerCase()}-build-1`);
    expect(git(path, 'rev-parse', 'HEAD', `${baseCommit}^`)).toBe(`${head}\n${head}`);
    expect(git(path, 'branch', '--show-current')).toBe(branch);
    expect(git(path, 'status', '--porcelain')).toBe(' M a.txt\n D committed.txt\n?? new.txt');
    expect(kit.scripts.map((script) => script.cwd)).toEqual([own, path]);
    write(own, 'a.txt', 'later');
    write(path, 'new.txt', 'agent');
    expect(must(await kit.port().branch(run, wanted(own)))).toEqual(made);
    expect([text(path, 'a.txt'), text(path, 'new.txt')]).toEqual(['changed', 'agent']);
  });

  test('a workspace of an activation begins at HEAD without a further commit where nothing was uncommitted', async () => {
    const run = kit.run();
    const own = must(await kit.port().prepare(run)).path;
    const { path, baseCommit } = must(await kit.port().branch(run, wanted(own)));
    expect(baseCommit).toBe(git(own, 'rev-parse', 'HEAD'));
    expect(git(path, 'status', '--porcelain')).toBe('');
  });

  test('a workspace of an activation is filled again where that was cut off, also after its branch was made', async () => {
    const run = kit.run();
    const own = must(await kit.port().prepare(run)).path;
    write(own, 'a.txt', 'changed');
    write(own, 'new.txt', 'new');
    const { path } = must(await kit.port().branch(run, wanted(own)));
    rmSync(join(gitDir(path), 'muster.json'));
    write(path, 'a.txt', 'half');
    rmSync(join(path, 'new.txt'));
    must(await kit.port().branch(run, wanted(own)));
    expect([text(path, 'a.txt'), text(path, 'new.txt')]).toEqual(['changed', 'new']);
    expect(markOf(path)).toMatchObject({ key: 'build-1', done: 'set_up' });
  });

  test('many workspaces of activations are made from one workspace at the same time', async () => {
    const run = kit.run();
    const own = must(await kit.port().prepare(run)).path;
    write(own, 'new.txt', 'new');
    const port = kit.port();
    const made = await Promise.all(['a', 'b', 'c'].map((key) => port.branch(run, { key, from: own })));
    expect(made.map((one) => one.ok && text(one.value.path, 'new.txt'))).toEqual(['new', 'new', 'new']);
  });

  test('a workspace of a project inside its repository is the same folder in it', async () => {
    write(kit.project, 'packages/one/x.txt', 'x');
    commitAll(kit.project);
    const run = kit.run({ projectPath: join(kit.project, 'packages/one') });
    const own = must(await kit.port().prepare(run)).path;
    write(own, 'x.txt', 'changed');
    const { path } = must(await kit.port().branch(run, wanted(own)));
    expect(path).toBe(
      join(kit.worktreesDir, `fix-it-${uid.slice(-8).toLowerCase()}-build-1`, 'packages/one'),
    );
    expect(text(path, 'x.txt')).toBe('changed');
  });

  test('a workspace of an activation is a copy of a plain folder, whole or not at all', async () => {
    const run = kit.run({ mode: 'folder' });
    const own = must(await kit.port().prepare(run)).path;
    write(own, 'deep/x.txt', 'x');
    symlinkSync('deep', join(own, 'link'));
    write(join(kit.artifactsDir, 'workspaces'), 'build-1.making/half', 'half');
    const made = must(await kit.port().branch(run, wanted(own)));
    expect(made).toMatchObject({ path: join(kit.artifactsDir, 'workspaces/build-1'), branch: null });
    expect(readdirSync(join(kit.artifactsDir, 'workspaces'))).toEqual(['build-1']);
    expect([readdirSync(made.path).sort(), readlinkSync(join(made.path, 'link'))]).toEqual([
      ['deep', 'link'],
      'deep',
    ]);
    write(made.path, 'deep/x.txt', 'agent');
    expect(must(await kit.port().branch(run, wanted(own)))).toEqual(made);
    const from = { snapshots: [], commit: made.baseCommit };
    const place = { path: made.path, run };
    const diff = must(await kit.port().diff({ place, from, to: { snapshots: [] }, file: null }));
    expect(diff?.files.map((file) => file.path)).toEqual(['deep/x.txt']);
    const several = await Promise.all(['p', 'q'].map((key) => kit.port().branch(run, { key, from: own })));
    expect(several.map((one) => one.ok)).toEqual([true, true]);
  });

  test('a workspace of an activation is refused where the run works in the project itself', async () => {
    const run = kit.run({ mode: 'project' });
    const made = await kit.port().branch(run, wanted(kit.project));
    expect(made).toMatchObject({ ok: false, error: { code: 'workspace.failed', mend: expect.any(String) } });
    const bad = await kit.port().branch(kit.run(), { key: '../x', from: kit.project });
    expect(bad).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
  });
});

test('the project itself begins with what the operator had not committed', async () => {
  const run = kit.run({ mode: 'project' });
  write(kit.project, 'mine.txt', 'operator');
  const { baseCommit } = must(await kit.port().prepare(run));
  write(kit.project, 'agent.txt', 'agent');
  expect(must(await kit.port().prepare(run)).baseCommit).toBe(baseCommit);
  const from = { snapshots: [], commit: baseCommit };
  const place = { path: kit.project, run };
  const diff = must(await kit.port().diff({ place, from, to: { snapshots: [] }, file: null }));
  expect(diff?.files.map((file) => file.path)).toEqual(['agent.txt']);
});
