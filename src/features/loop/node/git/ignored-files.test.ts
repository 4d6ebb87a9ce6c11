import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitAll, git, Kit, movesOfFile, write } from '@main/adapters/git/testing/kit';
import { expect, test } from 'vitest';
import { GitLoops } from './';

const loops = new GitLoops(movesOfFile(), () => new Date(2026, 10, 22, 5, 6, 7));
const FOLDER = 'scripts/ralph';
const branchOf = (text: string | null): string | null =>
  text === null ? null : ((JSON.parse(text) as { branchName?: string }).branchName ?? null);
const plan = (passes: boolean, note = '') =>
  `${JSON.stringify({ branchName: 'ralph/x', note, pad: [1, 2, 3, 4, 5], userStories: [{ id: 'US-001', passes }] }, null, 2)}\n`;

/** The layout of snarktank/ralph: the plan is ignored, the instructions are committed. */
function original() {
  const kit = new Kit();
  kit.init('a.txt');
  write(kit.project, '.gitignore', 'prd.json\nprogress.txt\n');
  write(kit.project, `${FOLDER}/prompt.md`, 'Do the next story.\n');
  commitAll(kit.project, 'ralph');
  write(kit.project, `${FOLDER}/prd.json`, plan(false));
  const cwd = join(kit.root, 'tree');
  git(kit.project, 'worktree', 'add', '-q', '-b', 'muster/loop', cwd);
  const file = (name: string) => join(kit.project, FOLDER, name);
  return {
    kit,
    cwd,
    file,
    place: { cwd, folder: FOLDER, project: kit.project },
    inTree: (name: string) => join(cwd, FOLDER, name),
    read: (name: string) => readFileSync(file(name), 'utf8'),
  };
}

const prepared = async (place: { cwd: string; folder: string; project: string }) => {
  const before = await loops.prepare(place, { iteration: 1, retry: 0, branch: 'ralph/x' });
  if (!before.ok) throw new Error(before.error.message);
  return before.value;
};
const examined = async (
  place: { cwd: string; folder: string; project: string },
  before: Awaited<ReturnType<typeof prepared>>,
) => {
  const after = await loops.examine(
    place,
    { iteration: 1, before, mark: null, branch: 'ralph/x' },
    { logs: { jsonl: () => '{}\n', message: 'said' }, reader: { line: () => undefined } },
  );
  if (!after.ok) throw new Error(after.error.message);
  return after.value;
};

test('an ignored plan is copied into the worktree, and what the worker changed is brought back', async () => {
  const { place, inTree, file, read } = original();
  expect(await loops.open(place, { branchOf })).toMatchObject({
    value: { text: plan(false), branch: 'ralph/x' },
  });
  const before = await prepared(place);
  writeFileSync(inTree('prd.json'), plan(true));
  writeFileSync(inTree('progress.txt'), `${readFileSync(inTree('progress.txt'), 'utf8')}US-001 is done\n`);
  const after = await examined(place, before);
  expect(after).toMatchObject({ text: plan(true), progress: 'US-001 is done\n' });
  expect(after.conflicts).toBeUndefined();
  expect([read('prd.json'), read('progress.txt')]).toEqual([
    plan(true),
    readFileSync(inTree('progress.txt'), 'utf8'),
  ]);
  expect(existsSync(file('prd.json.from-loop'))).toBe(false);
});

test('what the operator changes in the project reaches the next attempt, also beside a change of the worker', async () => {
  const { place, inTree, file, read } = original();
  await loops.open(place, { branchOf });
  const before = await prepared(place);
  writeFileSync(inTree('prd.json'), plan(true));
  writeFileSync(file('prd.json'), plan(false, 'mind the tests'));
  const after = await examined(place, before);
  expect(after.text).toBe(plan(true));
  expect(read('prd.json')).toBe(plan(true, 'mind the tests'));
  expect((await prepared(place)).text).toBe(plan(true, 'mind the tests'));
});

test('conflicting changes leave the operator the file and put the one of the loop beside it', async () => {
  const { place, inTree, file, read } = original();
  await loops.open(place, { branchOf });
  const before = await prepared(place);
  writeFileSync(inTree('prd.json'), plan(true, 'by the worker'));
  writeFileSync(file('prd.json'), plan(false, 'by the operator'));
  expect((await examined(place, before)).conflicts).toEqual(['prd.json']);
  expect(read('prd.json')).toBe(plan(false, 'by the operator'));
  expect(read('prd.json.from-loop')).toBe(plan(true, 'by the worker'));
  // The operator resolves it.
  writeFileSync(file('prd.json'), plan(true, 'by the worker'));
  expect((await examined(place, before)).conflicts).toBeUndefined();
});

test('a plan that the branch has is the one of the branch and stays out of the project', async () => {
  const { kit, place, inTree, file } = original();
  git(kit.project, 'add', '--force', `${FOLDER}/prd.json`);
  git(kit.project, 'commit', '-qm', 'plan');
  git(place.cwd, 'reset', '-q', '--hard', 'main');
  await loops.open(place, { branchOf });
  const before = await prepared(place);
  writeFileSync(inTree('prd.json'), plan(true));
  await examined(place, before);
  expect(readFileSync(file('prd.json'), 'utf8')).toBe(plan(false));
  expect(existsSync(file('.last-branch'))).toBe(false);
});

test('a link in the place of the plan is not followed and not replaced', async () => {
  const { kit, place, inTree, file } = original();
  await loops.open(place, { branchOf });
  const before = await prepared(place);
  const secret = join(kit.root, 'secret');
  writeFileSync(secret, 'secret');
  rmSync(inTree('prd.json'));
  symlinkSync(secret, inTree('prd.json'));
  const looked = await loops.examine(
    place,
    { iteration: 1, before, mark: null, branch: 'ralph/x' },
    { logs: null, reader: { line: () => undefined } },
  );
  expect(looked.ok).toBe(false);
  expect(readFileSync(file('prd.json'), 'utf8')).toBe(plan(false));
  expect(lstatSync(file('prd.json')).isFile()).toBe(true);
});

test("a worker's `git add --all` commits neither the logs nor the note of the last branch", async () => {
  const { place, inTree } = original();
  await loops.open(place, { branchOf });
  await examined(place, await prepared(place));
  expect(existsSync(inTree('logs/codex-iteration-1.jsonl'))).toBe(true);
  expect(existsSync(inTree('.last-branch'))).toBe(true);
  writeFileSync(join(place.cwd, 'b.txt'), 'b');
  git(place.cwd, 'add', '--all');
  expect(git(place.cwd, 'diff', '--cached', '--name-only')).toBe('b.txt');
  await loops.open(place, { branchOf });
  const exclude = git(place.cwd, 'rev-parse', '--path-format=absolute', '--git-path', 'info/exclude');
  const lines = readFileSync(exclude, 'utf8').split('\n');
  expect(lines.filter((line) => line.includes('.last-branch'))).toEqual(['/scripts/ralph/.last-branch']);
});
