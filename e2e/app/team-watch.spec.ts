import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { looksBack } from '../fixtures/replay';
import { gateAsking, memberIn, received, resultsOf, startTeam, teamIn } from '../fixtures/team';
import { expect, letGo, test } from '../fixtures/test';

const worker = `match:
  - when: "says:\\\\nmore"
    reply: <task-result>A second draft.</task-result>
default: <task-result>A draft.</task-result>
`;

const notices = (state: RunState): string[] =>
  Object.values(teamIn(state).messages).flatMap(({ kind, text, deliveries }) =>
    kind === 'notice' && deliveries.operator !== undefined ? [text] : [],
  );

test('a lead that falls silent is reported and asked about, and reads all deliveries when it is sent its prompt again', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  // It does not react to the first result until it is released.
  const lead = `match:
  - when: "Result of S1[\\\\s\\\\S]*A second draft"
    reply: The second is better.
  - when: "Result of S1"
    reply: {do: [{wait_for_file: "${bench.scratch}/go"}], text: S1 has a draft.}
default: Begun.
`;
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { lead, worker },
    config: {
      lead: { agent: 'lead' },
      instruction: 'Lead them.',
      stall_minutes: 0.03,
      members: [{ name: 'S1', agent: 'worker', prompt: 'Write.', iterative: true, worktree: false }],
    },
  });
  const silent = await bench.until(
    muster,
    runId,
    ({ state }) => gateAsking(state, 'The lead stalls') !== undefined,
  );
  expect(teamIn(silent.state).leadStalled?.why).toContain('nothing was heard of it');
  expect(notices(silent.state)).toEqual([expect.stringContaining('The lead stalls')]);
  // Messages that arrive meanwhile wait for it.
  await muster.call('team.say', { ...place, to: 'S1', text: 'more' });
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'S1')[1] === 'A second draft.');

  const { page } = muster;
  await page.evaluate((to) => {
    location.hash = to;
  }, `#/team/${runId}/1/all`);
  await expect(
    page.getByText('The lead stalls: nothing was heard of it', { exact: false }).first(),
  ).toBeVisible();
  await looksBack(page, () => expect(page.getByText('The team is being set up.')).toBeVisible());
  await page.evaluate(() => {
    location.hash = '#/inbox';
  });
  const gate = page.getByRole('article', { name: 'The lead stalls' });
  await gate.getByRole('button', { name: /^Send again/ }).click();
  // If the member finishes before the lead starts, its result is in the lead's first prompt.
  await bench.until(
    muster,
    runId,
    ({ state }) => received(state).filter((prompt) => prompt.includes('Result of S1 (round 1')).length === 2,
  );
  letGo(bench.scratch);
  const { state } = await bench.until(
    muster,
    runId,
    (run) =>
      teamIn(run.state).leadQueue.length === 0 &&
      Object.values(teamIn(run.state).messages).some(({ text }) => text === 'The second is better.'),
  );
  expect(teamIn(state).leadStalled).toBeNull();
  expect(gateAsking(state, 'The lead stalls')).toBeUndefined();
  expect(memberIn(state, 'S1').failed).toBeNull();
  expect(received(state).filter((prompt) => prompt.includes('A second draft'))).toHaveLength(1);
});

test('a round that lasts too long is asked about in the inbox and goes on', async ({ bench }) => {
  const muster = await bench.serve();
  const slow = `default: {do: [{wait_for_file: "${bench.scratch}/go"}], text: <task-result>At last.</task-result>}
`;
  const { runId } = await startTeam(bench, muster, {
    scripts: { slow },
    config: {
      round_minutes: 0.02,
      members: [{ name: 'S1', agent: 'slow', prompt: 'Write.', iterative: true, worktree: false }],
    },
  });
  const { state } = await bench.until(
    muster,
    runId,
    (run) => gateAsking(run.state, 'S1 takes long') !== undefined,
  );
  expect(state.turns[1]?.status).toBe('in_flight');
  expect(notices(state)).toEqual([expect.stringContaining('S1 has worked on round 1')]);
  letGo(bench.scratch);
  const after = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[0] === 'At last.');
  expect(gateAsking(after.state, 'S1 takes long')).toBeUndefined();
});

test('a read-only member that writes all the same is reported, and its changes are taken back with a way back', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const writes = `match:
  - when: "Your task"
    reply:
      do: [{write: {path: sneaked.txt, content: "sneaked\\n", via: direct}}]
      text: "<task-result status=\\"completed\\">- **Read**, and more.</task-result>"
default: <task-result>Read.</task-result>
`;
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { writes },
    config: { members: [{ name: 'S1', agent: 'writes', prompt: 'Read.', iterative: true, read_only: true }] },
  });
  const title = 'S1 only reads, but files changed';
  const { state } = await bench.until(
    muster,
    runId,
    (run) => gateAsking(run.state, title) !== undefined && notices(run.state).length > 0,
  );
  expect(notices(state)).toEqual([
    '1 file changed in the folder of S1 during its turn, though it only reads.',
  ]);
  const show = (hash: string): Promise<void> =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await show('#/inbox');
  await expect(page.getByRole('article', { name: title })).toContainText('can be taken back');
  await show(`#/team/${runId}/1/all`);
  const card = page.getByRole('article', { name: 'Member S1' });
  await expect(card).toContainText('1 file changed, although it is read-only');

  // Its transcript shows its claim as a claim.
  await show(`#/session/${runId}/1`);
  const claimed = page.getByRole('region', { name: 'Result claimed: completed' });
  await expect(claimed.locator('li strong')).toHaveText('Read');
  await expect(page.locator('[data-part="session-transcript"]')).not.toContainText('task-result>-');

  const file = join(state.sessions[1]?.cwd ?? '', 'sneaked.txt');
  expect(existsSync(file)).toBe(true);
  const turn = { runId, sessionId: 1, turnId: 1 };
  const diff = await muster.call('workspace.diff', { runId, of: { kind: 'turn', turnId: 1 } });
  const [changed] = diff.files;
  const hunk = changed?.hunks[0]?.id ?? 'file';
  const { undo } = await muster.call('workspace.reject', { ...turn, path: changed?.path ?? '', hunk });
  expect(existsSync(file)).toBe(false);
  await muster.call('workspace.undo', { runId, sessionId: 1, undo });
  expect(readFileSync(file, 'utf8')).toBe('sneaked\n');

  await muster.call('team.shutdown', { ...place, member: 'S1', force: true });
  const after = await bench.until(muster, runId, (run) => memberIn(run.state, 'S1').stopped !== null);
  // None of its work is offered for a merge.
  expect(memberIn(after.state, 'S1').stopped?.frozen).toBeNull();
});

test('a lead that did the work alone is asked about, and its team ended in the inbox', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { runId } = await startTeam(bench, muster, {
    scripts: { lead: 'default: I did it myself.\n' },
    config: { lead: { agent: 'lead' }, instruction: 'Do it.' },
  });
  const title = 'The team is at rest';
  const { row } = await bench.until(muster, runId, (run) => gateAsking(run.state, title) !== undefined);
  expect(row.status).toBe('waiting');
  await page.evaluate(() => {
    location.hash = '#/inbox';
  });
  const gate = page.getByRole('article', { name: title });
  await expect(gate).toContainText('I did it myself.');
  await gate.getByRole('button', { name: /^End the team/ }).click();
  const { state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(state.outcome).toBe('succeeded');
});
