import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import type { MergeState } from '@features/team/contract/state';
import type { Call } from '../fixtures/launch';
import { answer, gateAsking, resultsOf, type Started, startTeam, teamIn } from '../fixtures/team';
import { type Bench, expect, test } from '../fixtures/test';

const NAMES = ['ann', 'bob', 'cy'] as const;

/** Each member changes the same line of the same file and ends when it is released. */
const script = (name: string) => `match:
  - when: "Lead is satisfied"
    reply: <task-result status="completed">Final.</task-result>
default:
  do: [{edit: {path: notes.md, find: the middle, replace: the middle of ${name}}}]
  text: <task-result>Changed.</task-result>
`;
const NOTES = 'top\nthe middle\nbottom\n';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@muster.invalid', ...args], {
    cwd,
    encoding: 'utf8',
  });
const notes = (path: string): string => readFileSync(join(path, 'notes.md'), 'utf8');
const lastMerge = (state: RunState, name: string): MergeState | undefined =>
  Object.values(teamIn(state).merges).findLast(({ member }) => member === name);

/** Waits until a member's last merge has the given status, and returns it. */
async function untilMerge(
  bench: Bench,
  muster: { readonly call: Call },
  { runId, name, status }: { runId: number; name: string; status: MergeState['status'] },
): Promise<MergeState> {
  const { state } = await bench.until(muster, runId, (run) => lastMerge(run.state, name)?.status === status);
  const merge = lastMerge(state, name);
  if (merge === undefined) throw new Error('unreachable');
  return merge;
}

/** Waits until a member's merge is shown again because it has changed, and returns it. */
async function untilAgain(
  bench: Bench,
  muster: { readonly call: Call },
  { runId, name }: { runId: number; name: string },
): Promise<MergeState> {
  await bench.until(muster, runId, (run) => lastMerge(run.state, name)?.again === 1);
  return untilMerge(bench, muster, { runId, name, status: 'rehearsed' });
}

async function startThree(bench: Bench, muster: { readonly call: Call }): Promise<Started> {
  const started = await startTeam(bench, muster, {
    scripts: Object.fromEntries(NAMES.map((name) => [name, script(name)])),
    files: { 'notes.md': NOTES },
    config: {
      members: NAMES.map((name) => ({ name, agent: name, prompt: 'Change the middle.', iterative: true })),
    },
  });
  await bench.until(muster, started.runId, ({ state }) =>
    NAMES.every((name) => resultsOf(state, name)[0] === 'Changed.'),
  );
  for (const member of NAMES) await muster.call('team.satisfied', { ...started.place, member });
  for (const name of NAMES)
    await untilMerge(bench, muster, { runId: started.runId, name, status: 'rehearsed' });
  return started;
}

test('three members who changed the same line are merged cleanly, by both, and by hand past uncommitted changes of the operator', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId, path, place } = await startThree(bench, muster);
  expect(notes(path)).toBe(NOTES);
  await answer(bench, muster, { runId, title: 'Merge ann into main', option: 'merge' });
  await untilMerge(bench, muster, { runId, name: 'ann', status: 'merged' });
  expect(notes(path)).toBe('top\nthe middle of ann\nbottom\n');

  // The merge was rehearsed before ann was merged. It differs now, so nothing is changed and it is shown
  // again.
  await answer(bench, muster, { runId, title: 'Merge bob into main', option: 'merge' });
  const tried = await untilAgain(bench, muster, { runId, name: 'bob' });
  expect(tried.rehearsal?.moved).toBe('main has moved on since.');
  expect(notes(path)).toBe('top\nthe middle of ann\nbottom\n');
  expect(tried.rehearsal?.conflicts).toEqual([
    {
      path: 'notes.md',
      base: NOTES,
      ours: 'top\nthe middle of ann\nbottom\n',
      theirs: 'top\nthe middle of bob\nbottom\n',
      shown: 'whole',
    },
  ]);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/team/${runId}/1/bob`);
  const card = page.getByRole('region', { name: 'Merge of bob' });
  await card.getByRole('group', { name: 'Version of notes.md to keep' }).getByText('Both').click();
  await card.getByRole('button', { name: /^Merge 1 file into main/ }).click();
  await untilMerge(bench, muster, { runId, name: 'bob', status: 'merged' });
  expect(notes(path)).toBe('top\nthe middle of ann\nthe middle of bob\nbottom\n');
  expect(git(path, 'status', '--porcelain')).toBe('');

  // The operator's uncommitted changes of the same file are never overwritten.
  writeFileSync(join(path, 'notes.md'), 'mine, not committed\n');
  await answer(bench, muster, { runId, title: 'Merge cy into main', option: 'merge' });
  const third = await untilAgain(bench, muster, { runId, name: 'cy' });
  const choices = { 'notes.md': { take: 'by_hand' as const, text: 'top\nwritten by hand\nbottom\n' } };
  const head = git(path, 'rev-parse', 'HEAD');
  await muster.call('team.mergeConfirm', { ...place, mergeId: third.id, choices });
  const refused = await untilMerge(bench, muster, { runId, name: 'cy', status: 'failed' });
  expect(refused.error?.message).toContain('your checkout is unchanged');
  expect(notes(path)).toBe('mine, not committed\n');
  expect(git(path, 'rev-parse', 'HEAD')).toBe(head);
  expect(git(path, 'status', '--porcelain')).toBe(' M notes.md\n');

  // Once they are discarded, the merge succeeds. The team had waited for this last merge.
  git(path, 'checkout', '--quiet', 'notes.md');
  await answer(bench, muster, { runId, title: 'The work of cy is not merged', option: 'again' });
  const again = await untilMerge(bench, muster, { runId, name: 'cy', status: 'rehearsed' });
  await muster.call('team.mergeConfirm', { ...place, mergeId: again.id, choices });
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(state.outcome).toBe('succeeded');
  expect(gateAsking(state, '')).toBeUndefined();
  expect(notes(path)).toBe('top\nwritten by hand\nbottom\n');
  expect(git(path, 'status', '--porcelain')).toBe('');
  expect(git(path, 'log', '--format=%s')).toBe(
    'Merge the work of cy\nMerge the work of bob\nMerge the work of ann\nfirst\n',
  );
});

test("a member's folder is merged with what the operator took back or wrote there", async ({ bench }) => {
  const muster = await bench.serve();
  const { runId, path, place } = await startTeam(bench, muster, {
    scripts: {
      dee: script('dee').replace('do: [', 'do: [{write: {path: extra.txt, content: "extra\\n"}}, '),
    },
    files: { 'notes.md': NOTES },
    config: { members: [{ name: 'dee', agent: 'dee', prompt: 'Change the middle.', iterative: true }] },
  });
  const { state } = await bench.until(muster, runId, (run) => resultsOf(run.state, 'dee')[0] === 'Changed.');
  const [turn] = Object.values(state.turns);
  const { id: turnId = 0, sessionId = 0 } = turn ?? {};
  const folder = state.sessions[sessionId]?.cwd ?? '';
  const takeBack = async (file: string) => {
    const { files } = await muster.call('workspace.diff', { runId, of: { kind: 'turn', turnId } });
    const hunk = files.find((one) => one.path === file)?.hunks[0]?.id ?? 'file';
    await muster.call('workspace.reject', { runId, sessionId, turnId, path: file, hunk });
  };
  await takeBack('extra.txt');
  writeFileSync(join(folder, 'mine.txt'), 'by hand\n');
  await muster.call('team.satisfied', { ...place, member: 'dee' });
  const tried = await untilMerge(bench, muster, { runId, name: 'dee', status: 'rehearsed' });
  expect(tried.rehearsal?.files).toBe(2);

  // A hunk is taken back after the member stopped and its merge was shown, so the merge is shown again.
  await takeBack('notes.md');
  await answer(bench, muster, { runId, title: 'Merge dee into main', option: 'merge' });
  const again = await untilAgain(bench, muster, { runId, name: 'dee' });
  expect(again.rehearsal).toMatchObject({ moved: 'Its folder has changed since.', files: 1 });
  await answer(bench, muster, { runId, title: 'Merge dee into main', option: 'merge' });
  await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(git(path, 'diff', '--name-only', 'HEAD~1', 'HEAD')).toBe('mine.txt\n');
  expect([notes(path), readFileSync(join(path, 'mine.txt'), 'utf8')]).toEqual([NOTES, 'by hand\n']);
});
