import type { RunState } from '@contract/run/state';
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

test('a lead that falls silent is told of and asked about; sent again, it reads all that members delivered', async ({
  bench,
}) => {
  const muster = await bench.launch();
  // It says nothing at all to the first result before it is let go.
  const lead = `match:
  - when: "Result of S1[\\\\s\\\\S]*A second draft"
    reply: The second is better.
  - when: "Result of S1"
    reply: {do: [{wait_for_file: "${bench.dataDir}/go"}], text: S1 has a draft.}
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
  // What comes meanwhile waits for it.
  await muster.call('team.say', { ...place, to: 'S1', text: 'more' });
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'S1')[1] === 'A second draft.');

  const { page } = muster;
  await page.evaluate((to) => {
    location.hash = to;
  }, `#/team/${runId}/1/all`);
  await expect(
    page.getByText('The lead stalls: nothing was heard of it', { exact: false }).first(),
  ).toBeVisible();
  await page.evaluate(() => {
    location.hash = '#/inbox';
  });
  const gate = page.getByRole('article', { name: 'The lead stalls' });
  await gate.getByRole('button', { name: /^Send again/ }).click();
  await bench.until(
    muster,
    runId,
    ({ state }) =>
      received(state).filter((prompt) => prompt.startsWith('Result of S1 (round 1')).length === 2,
  );
  letGo(bench.dataDir);
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
  const muster = await bench.launch();
  const slow = `default: {do: [{wait_for_file: "${bench.dataDir}/go"}], text: <task-result>At last.</task-result>}
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
  letGo(bench.dataDir);
  const after = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[0] === 'At last.');
  expect(gateAsking(after.state, 'S1 takes long')).toBeUndefined();
});
