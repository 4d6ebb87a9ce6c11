import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownResult } from '@contract/run/results/results';
import type { RunState } from '@contract/run/state';
import { Cli } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

const coding = `name: Build it
steps:
  - id: build
    type: step.coding
    config:
      agents: [{role: builder, acp_profile_id: worker}]
      instruction: Build it.
`;
const writes = (text: string) =>
  `default:\n  do: [{ write: { path: made.txt, content: "${text}\\n" } }]\n  text: Built.\n`;

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@muster.invalid', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .toString()
    .trim();

const shown = (cli: Cli, run = '1') => cli.document<{ results: ShownResult[]; state: RunState }>('show', run);

async function built(cli: Cli, script = writes('one')): Promise<{ project: string; result: ShownResult }> {
  const project = makeProject(scripted(coding, script));
  const run = await cli.run('run', join(project, WORKFLOW));
  expect([run.code, run.err]).toEqual([0, '']);
  expect(run.out).toContain('Bring it into your checkout:  muster apply 1');
  const { results } = await shown(cli);
  const result = results.find(({ state }) => state === 'to_apply');
  if (result === undefined) throw new Error(JSON.stringify(results));
  return { project, result };
}

test('a finished run names folder, branch and commit of its work, and one command brings it into the checkout', async ({
  cli,
}) => {
  const { project, result } = await built(cli);
  const { branch, commit, path } = result;
  expect(result).toMatchObject({ stepId: 'build', files: 1, uncommitted: 1 });
  const { out } = await cli.run('show', '1');
  for (const named of [path, branch, commit, 'muster apply 1']) expect(out).toContain(named);
  expect(readFileSync(join(path, 'made.txt'), 'utf8')).toBe('one\n');
  expect(git(project, 'show', `${branch}:made.txt`)).toBe('one');
  const before = git(project, 'rev-parse', 'HEAD');
  const applied = await cli.run('apply', '1');
  expect(applied).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/^Applied to main as \w{12}: 1 file changed\./),
  });
  expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('one\n');
  expect([git(project, 'rev-parse', 'HEAD^'), git(project, 'status', '--porcelain')]).toEqual([before, '']);
  const again = await cli.run('apply', '1');
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^main already has this result, as \w{12}\./),
  });
  expect(git(project, 'rev-parse', 'HEAD^')).toBe(before);
  const { state, results } = await shown(cli);
  expect(state.applied).toMatchObject([{ result: commit, target: 'main' }]);
  expect(results.find((one) => one.commit === commit)?.state).toBe('applied');
});

test('a result comes in with the agents’ commits or as files only, and is undone by a command', async ({
  cli,
}) => {
  const { project } = await built(cli);
  const start = git(project, 'rev-parse', 'HEAD');
  const shown = await cli.run('apply', '1', '--dry-run', '--keep');
  expect(shown.out).toContain('Into main, with this message:\n  Build it');
  expect(await cli.run('apply', '1', '--keep', '--message', 'Make it')).toMatchObject({ code: 0, err: '' });
  expect([git(project, 'rev-parse', 'HEAD^1'), git(project, 'log', '-1', '--format=%s')]).toEqual([
    start,
    'Make it',
  ]);
  writeFileSync(join(project, 'mine.txt'), 'mine\n');
  expect(await cli.run('apply', '1', '--undo')).toMatchObject({
    code: 0,
    out: 'Undone: main is as before, 1 file changed back.\n',
  });
  expect([git(project, 'rev-parse', 'HEAD'), git(project, 'status', '--porcelain')]).toEqual([
    start,
    '?? mine.txt',
  ]);
  expect((await cli.run('apply', '1', '--no-commit')).out).toContain('1 file changed and staged');
  expect(git(project, 'status', '--porcelain')).toBe('A  made.txt\n?? mine.txt');
  git(project, 'commit', '-qm', 'mine');
  const refused = await cli.run('apply', '1', '--undo');
  expect(refused).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('main has moved on since'),
  });
  expect(existsSync(join(project, 'made.txt'))).toBe(true);
});

test('a conflict and a dirty checkout are reported with their files, and change nothing', async ({ cli }) => {
  const { project } = await built(cli);
  writeFileSync(join(project, 'made.txt'), 'mine, not committed\n');
  const dirty = await cli.run('apply', '1');
  expect(dirty).toMatchObject({ code: 2, out: '' });
  expect(dirty.err).toMatch(/your checkout is unchanged[\s\S]*made\.txt/);
  expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('mine, not committed\n');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'mine');
  const head = git(project, 'rev-parse', 'HEAD');
  const conflict = await cli.run('apply', '1');
  expect(conflict).toMatchObject({ code: 2, out: '' });
  expect(conflict.err).toMatch(/Nothing was applied: this file conflicts with main: made\.txt/);
  expect([git(project, 'rev-parse', 'HEAD'), git(project, 'status', '--porcelain')]).toEqual([head, '']);
});

test('the branches of an ended run are free, and a run that goes on has its own again', async ({ cli }) => {
  const project = makeProject(
    scripted(
      coding,
      'default:\n  do: [{ write: { path: made.txt, content: "one\\n" } }, { crash: { code: 3 } }]\n  text: x\n',
    ),
  );
  const run = await cli.run('run', join(project, WORKFLOW));
  expect(run.code).toBe(1);
  const { results, state } = await shown(cli);
  expect(state.status).toBe('finished');
  const branch = results.find(({ files }) => files > 0)?.branch ?? '';
  expect(branch).toMatch(/^muster\//);
  git(project, 'checkout', '-q', branch);
  expect(existsSync(join(project, 'made.txt'))).toBe(true);
  const refused = await cli.run('resume', '1');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.err).toContain(`${branch} of this run is checked out in ${project}`);
  git(project, 'checkout', '-q', 'main');
  writeFileSync(join(project, '.muster', 'worker.yaml'), writes('two'));
  expect(await cli.run('resume', '1')).toMatchObject({ code: 0, err: '' });
  const after = await shown(cli);
  expect(after.results.find(({ files }) => files > 0)).toMatchObject({ branch, state: 'to_apply' });
  expect(git(project, 'show', `${branch}:made.txt`)).toBe('two');
  expect(git(project, 'worktree', 'list', '--porcelain')).not.toContain(`branch refs/heads/${branch}`);
});

test('the command clean removes applied results, keeps the others, and prints the way back', async ({
  cli,
}) => {
  const { project, result } = await built(cli);
  const branch = result.branch ?? '';
  const kept = await cli.run('clean');
  expect(kept).toMatchObject({ code: 0, err: '' });
  expect(kept.out).toMatch(
    /^Removed 1 worktree and 1 branch\.[\s\S]*Kept because[\s\S]*NOT APPLIED \(1 file\)/,
  );
  expect(existsSync(result.path)).toBe(true);
  expect((await cli.run('apply', '1')).code).toBe(0);
  const listed = await cli.run('clean', '--dry-run');
  expect(listed.out).toMatch(/run 1 +Build it +applied +muster\//);
  const gone = await cli.run('clean', '1');
  expect(gone.out).toMatch(/^Removed 1 worktree and 1 branch\./);
  expect([existsSync(result.path), git(project, 'branch', '--list', 'muster/*')]).toEqual([false, '']);
  const restore = gone.out.split('\n').find((line) => line.includes(' branch muster/')) ?? '';
  execFileSync('sh', ['-c', restore]);
  expect(git(project, 'show', `${branch}:made.txt`)).toBe('one');
  expect((await cli.run('clean', '--dry-run')).out).toContain('No worktrees of ended runs.');
});

test('agents, delivery targets and outputs are handled on the command line', async ({ cli }) => {
  const { project } = await built(cli);
  expect((await cli.run('output', '1', 'build.files_out')).out).toContain('made.txt');
  expect(await cli.run('output', '1', 'nothing')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there are: build.'),
  });
  const plain = await cli.run('agents', 'add', 'mine', '--from', 'scripted', '--env', 'MY_TOKEN=topsecret1');
  expect(plain).toMatchObject({ code: 2, err: expect.stringContaining('write --secret MY_TOKEN instead') });
  expect((await cli.run('agents', 'add', 'mine', '--from', 'scripted', '--secret', 'MY_TOKEN')).code).toBe(0);
  const shown = await cli.run('agents', 'show', 'mine', '--json');
  expect(shown.out).not.toContain('topsecret1');
  expect(JSON.parse(shown.out)).toMatchObject({ id: 'mine', kind: 'scripted', secrets: ['MY_TOKEN'] });
  const tested = cli.startIn({ MY_TOKEN: 'topsecret1' }, 'agents', 'test', 'mine');
  expect((await tested.done).out).toMatch(/^ok /);
  expect(await cli.run('agents', 'add', 'bad', '--kind', 'acp')).toMatchObject({
    code: 2,
    err: expect.stringContaining('command'),
  });
  expect((await cli.run('agents', 'remove', 'mine')).code).toBe(0);
  expect((await cli.run('agents', 'show', 'mine')).code).toBe(2);
  const file = join(project, 'told.txt');
  expect((await cli.run('targets', 'add', 'file', '--command', `cat >> '${file}'`)).code).toBe(0);
  expect((await cli.run('targets', 'test', 'file')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('Iteration');
  expect((await cli.run('targets')).out).toMatch(
    /^file +command +everything +updates, questions, ends +cat >>/,
  );
  expect((await cli.run('targets', 'remove', 'file')).code).toBe(0);
  expect((await cli.run('targets')).out).toContain('updates go to the feed only');
});

const TWO = `name: Two
steps:
  - {id: first, type: step.agent_task, config: {acp_profile_id: worker, instruction: Begin.}}
  - {id: second, type: step.command, config: {script: 'exit 3'}}
cables: [{from: first.data_out, to: second.data_in}]
`;

test('a failed step is run again with another setting, and a deleted workflow is listed and brought back', async ({
  cli,
  bench,
}) => {
  const project = makeProject(scripted(TWO, 'default: Begun.\n'));
  expect((await cli.run('run', join(project, WORKFLOW))).code).toBe(1);
  const again = (...set: string[]) =>
    cli.run('again', '1', '--from', 'second', ...set.flatMap((one) => ['--set', one]));
  expect(await again('script')).toMatchObject({ err: expect.stringContaining('--set script has no value') });
  expect((await again('colour="red"')).err).toContain('"colour" is not known here');
  const { code } = await again('script="echo mended"');
  expect(code).toBe(0);
  const { state } = await shown(cli, '2');
  expect(state.definition.steps[1]?.config).toEqual({ script: 'echo mended' });
  expect(state.activations[1]).toMatchObject({ outcome: 'succeeded', turnIds: [] });

  const muster = await bench.serve();
  const [row] = await muster.call('workflow.list', {});
  await muster.call('workflow.delete', { projectId: row?.projectId ?? 0, file: WORKFLOW });
  expect(existsSync(join(project, WORKFLOW))).toBe(false);
  const { deleted } = await cli.document<{ deleted: { file: string; kept: string }[] }>('deleted');
  expect(deleted).toMatchObject([{ file: WORKFLOW }]);
  expect((await cli.run('deleted', 'restore', 'other.yaml')).err).toContain('no deleted workflow is called');
  expect(await cli.run('deleted', 'restore', 'w.yaml')).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, WORKFLOW), 'utf8')).toBe(TWO);
  expect((await cli.run('deleted')).out).toContain('No deleted workflow is kept.');
});

test('settings of a project hold for new work without a workflow, and a wrong key starts nothing', async ({
  cli,
}) => {
  const settings = 'worktree:\n  copy: [.env]\n  setup: cp .env made-by-setup.txt\n';
  const project = makeProject({
    ...scripted(coding, writes('one')),
    '.gitignore': '.env\n',
    '.muster/project.yaml': settings,
  });
  writeFileSync(join(project, '.env'), 'SECRET=1\n');
  const own = new Cli(cli.dataDir, project);
  expect((await own.run('project')).out).toContain('setup       cp .env made-by-setup.txt');
  const done = await own.run('do', 'Make it', '--agent', 'worker');
  expect([done.code, done.err]).toEqual([0, '']);
  const { state } = await shown(cli);
  const path = state.workspace?.path ?? '';
  expect(readFileSync(join(path, 'made-by-setup.txt'), 'utf8')).toBe('SECRET=1\n');
  writeFileSync(join(project, '.muster/project.yaml'), 'worktree:\n  setups: npm ci\n');
  const refused = await own.run('do', 'Make it again', '--agent', 'worker');
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('setups');
  expect(refused.err).toContain('.muster/project.yaml');
  expect((await own.run('project')).code).toBe(3);
  expect((await own.run('list')).out).not.toContain('Make it again');
});
