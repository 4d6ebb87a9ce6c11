import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { agentProfileSchema } from '@areas/agents/contract/profile';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { previewLoop, type ReadGit } from './preview';

let path = '';
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'muster-preview-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const read: ReadGit = (cwd, ...args) =>
  new Promise((resolve) =>
    execFile('git', args, { cwd, encoding: 'utf8' }, (error, out) =>
      resolve(error ? null : out.replace(/\n$/, '')),
    ),
  );
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@muster.invalid', ...args], { cwd: path });

function write(name: string, text: string): void {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), text);
}

const plan = (branchName: string | null, ...passes: boolean[]) =>
  `${JSON.stringify(
    {
      ...(branchName === null ? {} : { branchName }),
      userStories: passes.map((passed, index) => ({
        id: `US-00${index + 1}`,
        title: `Story ${index + 1}`,
        priority: index + 1,
        passes: passed,
      })),
    },
    null,
    2,
  )}\n`;

function repository(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) write(name, text);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
}

const program = { kind: 'cli', name: 'Codex', command: 'codex' };
const profiles = Object.fromEntries(
  [
    { ...program, id: 'codex', preset: 'codex' },
    { ...program, id: 'exec', preset: 'codex-exec' },
    { ...program, id: 'asking', preset: 'codex-exec', permissions: 'ask' },
    { ...program, id: 'reading', preset: 'codex-exec', permissions: 'ask', read_only: true },
  ].map((profile) => [profile.id, agentProfileSchema.parse(profile)]),
);

const look = (more: Partial<Parameters<typeof previewLoop>[1]> = {}) =>
  previewLoop(
    { git: read, profiles },
    {
      projectPath: path,
      folder: '.',
      branch: null,
      workspace: 'worktree',
      worker: 'codex',
      ownPrompt: false,
      ...more,
    },
  );
const told = (seen: Awaited<ReturnType<typeof look>>) =>
  seen.problems.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);

test('a preview reads a plan that is committed, with the branch that it names', async () => {
  repository({ 'scripts/ralph/prd.json': plan('ralph/x', false, true) });
  const seen = await look({ folder: './scripts/ralph/' });
  expect(seen).toMatchObject({
    file: 'scripts/ralph/prd.json',
    plan: { state: 'read', stories: [{ id: 'US-001' }, { id: 'US-002', passes: true }] },
    readFrom: { kind: 'branch', name: 'main' },
    branch: 'ralph/x',
    repository: { branch: 'main', branchExists: false, changed: 0 },
    problems: [],
  });
});

test('a preview reads the plan of an existing branch', async () => {
  repository({ 'prd.json': plan('ralph/x', false) });
  git('checkout', '--quiet', '-b', 'ralph/x');
  write('prd.json', plan('ralph/x', true));
  git('commit', '--quiet', '-am', 'done');
  git('checkout', '--quiet', 'main');
  const seen = await look();
  expect(seen.readFrom).toEqual({ kind: 'branch', name: 'ralph/x' });
  expect(told(seen)).toEqual([
    'warning conflict: prd.json differs on ralph/x from your project',
    'warning validation.failed: all 1 stories already pass',
  ]);
});

test('a preview names the checkout that has the branch', async () => {
  repository({ 'prd.json': plan('ralph/x', false) });
  git('checkout', '--quiet', '-b', 'ralph/x');
  expect(told(await look())[0]).toMatch(
    /^error conflict: the branch ralph\/x is checked out in .*muster-preview-/,
  );
  expect(told(await look({ workspace: 'project' }))).toEqual([]);
});

test('a preview says that a plan is not committed, where a worktree would not have it', async () => {
  repository({ 'a.txt': 'a' });
  write('prd.json', plan(null, false));
  expect(told(await look())).toEqual(['error validation.file_missing: prd.json is not committed on main']);
  const inProject = await look({ workspace: 'project' });
  expect(told(inProject)).toEqual(['warning conflict: 1 file in the project is not committed']);
  expect(inProject.repository?.changedFiles).toEqual(['prd.json']);
});

test('a preview names each problem of a broken plan with its line', async () => {
  repository({
    'prd.json':
      '{\n  "userStories": [\n    { "id": "a",\n      "title": 1,\n      "passes": true\n    }\n  ]\n}',
  });
  const seen = await look();
  expect(seen.problems.map(({ message, where }) => [message, where?.line])).toEqual([
    ['userStories[0].title is not a text', 4],
  ]);
  write('prd.json', '{\n  "userStories": [\n');
  const [broken] = (await look({ workspace: 'project' })).problems.filter(
    ({ severity }) => severity === 'error',
  );
  expect(broken).toMatchObject({ code: 'validation.failed', where: { file: 'prd.json', line: 3 } });
});

test('a preview wants a repository and a known worker, and a folder that leads out is no folder', async () => {
  write('prd.json', plan('x', false));
  expect(told(await look({ worker: 'nobody' }))).toEqual([
    `error project.not_a_repository: ${path} is not a git repository`,
    'error validation.profile_unknown: there is no agent "nobody" in this project',
  ]);
  expect(told(await look({ workspace: 'project' }))).toEqual([]);
  expect(told(await look({ folder: '../other' }))).toEqual([
    'error input.invalid: folder: a folder inside the project, such as scripts/ralph',
  ]);
  expect(told(await look({ branch: '-x' }))).toEqual([
    'error input.invalid: branch: not the name of a branch',
  ]);
  expect(told(await look({ folder: 'none', workspace: 'project', ownPrompt: true }))).toEqual([]);
});

test.each([
  ['exec', 'worktree', null],
  ['reading', 'project', null],
  ['asking', 'worktree', 'set its permissions in Agents to allow_edits'],
  ['exec', 'project', 'let the loop work in a worktree'],
  ['codex', 'project', null],
] as const)(
  'the worker %s in the %s is accepted, or refused with the hint: %s',
  async (worker, workspace, mend) => {
    repository({ 'prd.json': plan('ralph/a', false) });
    const { problems } = await look({ worker, workspace });
    const refused = problems.filter(({ code }) => code === 'agent.refused');
    if (mend === null) expect(refused).toEqual([]);
    else expect(refused).toMatchObject([{ severity: 'error', mend: expect.stringContaining(mend) }]);
  },
);

test('an ignored plan is read where it lies: the worktree of the loop gets a copy', async () => {
  repository({ '.gitignore': 'prd.json\n' });
  write('prd.json', plan('ralph/x', false));
  const seen = await look({ worker: 'exec' });
  expect(told(seen)).toEqual([]);
  expect(seen).toMatchObject({ branch: 'ralph/x', readFrom: { kind: 'file', name: 'prd.json' } });
  git('branch', 'ralph/x');
  expect(told(await look({ worker: 'exec' }))).toEqual([]);
});

test('the way out that is named for an uncommitted plan is not refused in its turn', async () => {
  repository({ 'a.txt': 'a' });
  write('prd.json', plan(null, false));
  const [missing] = (await look({ worker: 'exec' })).problems;
  expect(missing?.mend).toMatch(/^commit it there, or add it to \.gitignore/);
  expect(missing?.mend).not.toContain('project itself');
  write('.gitignore', 'prd.json\n');
  expect(told(await look({ worker: 'exec' }))).toEqual([]);
});

test('a branch that a run of Muster has is reported with that run and a way out', async () => {
  repository({ 'prd.json': plan('ralph/x', false) });
  const tree = join(path, '..', `${path.split('/').at(-1)}-tree`);
  git('worktree', 'add', '--quiet', '-b', 'ralph/x', tree);
  const runIn = (folder: string) =>
    folder.endsWith('-tree') ? { id: 7, name: 'Loop: ralph/x', finished: false } : null;
  const seen = await previewLoop(
    { git: read, profiles, runIn },
    {
      projectPath: path,
      folder: '.',
      branch: null,
      workspace: 'worktree',
      worker: 'codex',
      ownPrompt: false,
    },
  );
  rmSync(tree, { recursive: true, force: true });
  expect(seen.problems).toMatchObject([
    {
      message: 'run 7 (Loop: ralph/x) works on the branch ralph/x',
      where: { run: 7 },
      mend: expect.stringContaining('muster cancel 7'),
    },
  ]);
});
