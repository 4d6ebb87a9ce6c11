import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { memberStatus } from '@features/team/contract/status';
import type { Muster } from '../fixtures/launch';
import { answer, gateAsking, memberIn, received, resultsOf, startTeam, teamIn } from '../fixtures/team';
import { expect, letGo, test } from '../fixtures/test';

/** Accepts every message, round after round. */
const worker = `match:
  - when: "Lead is satisfied\\\\. Mark complete and send final"
    reply: <task-result status="completed">The final one.</task-result>
  - when: "(?:operator|lead) says:\\\\n([\\\\s\\\\S]+?)\\\\s*$"
    flags: i
    reply: "<task-result>Taken up: {{1}}</task-result>"
default: <task-result>The first draft.</task-result>
`;

const show = (muster: Muster, hash: string): Promise<void> =>
  muster.page.evaluate((to) => {
    location.hash = to;
  }, hash);

const wordOf = (state: RunState, name: string) => memberStatus(state, teamIn(state), memberIn(state, name));

const lead = `match:
  - when: "^Run them\\\\."
    reply:
      do:
        - tool: {name: team_spawn, input: {name: painter, agent: worker, prompt: Paint., iterative: true, worktree: false}}
        - tool: {name: team_spawn, input: {name: reader, agent: worker, prompt: Read., worktree: false}}
        - tool: {name: team_shutdown, input: {member: painter}}
        - tool: {name: team_merge, input: {member: painter}}
        - tool: {name: team_cleanup}
      text: Both are at work.
  - when: "user says:\\\\nTell painter: (.+)"
    reply:
      do: [{tool: {name: team_message, input: {to: painter, text: "{{1}}"}}}]
      text: Told.
  - when: "Result of painter[\\\\s\\\\S]*The final one\\\\."
    reply:
      do: [{tool: {name: team_cleanup}}]
      text: All are done.
  - when: "user says:\\\\nClean up\\\\."
    reply:
      do: [{tool: {name: team_cleanup}}]
      text: I have tried.
default: Noted.
`;

test('a mixed team has a lead that spawns and talks over MCP, and whose early calls are refused with the reason', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { lead, worker },
    config: { lead: { agent: 'lead' }, instruction: 'Run them.' },
  });
  const first = await bench.until(
    muster,
    runId,
    ({ state }) =>
      state.turns[1]?.status === 'completed' &&
      ['painter', 'reader'].every((name) => teamIn(state).members[name]?.rounds[0]?.result != null),
  );
  // The lead's own transcript, as shown in the window.
  const { items } = await muster.call('run.transcript', { runId, turnId: 1 });
  const told = JSON.stringify(items);
  expect(told).toMatch(/team_shutdown[\s\S]*team\.not_released: painter is iterative/);
  expect(told).toMatch(/cannot be merged/);
  expect(told).toMatch(/team\.cleanup_refused: [^"]*painter is iterative/);
  expect(told).toContain('ITERATIVE MODE:');
  expect(memberIn(first.state, 'painter').stopping).toBeNull();

  await muster.call('team.say', { ...place, to: null, text: 'Tell painter: more red' });
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'painter')[1] === 'Taken up: more red');
  await muster.call('team.say', { ...place, to: null, text: 'Clean up.' });
  await bench.until(
    muster,
    runId,
    ({ state }) =>
      teamIn(state).leadQueue.length === 0 &&
      !Object.values(state.turns).some(({ status }) => status === 'in_flight'),
  );
  const refused = await muster.call('run.get', { runId });
  expect(teamIn(refused.state).cleanedUp).toBeNull();
  expect(wordOf(refused.state, 'reader').word).toBe('idle');
  // The one-shot member had one round and was not woken again.
  expect(resultsOf(refused.state, 'reader')).toEqual(['The first draft.']);

  await muster.call('team.say', { ...place, to: null, text: "I'm satisfied with painter" });
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(state.outcome).toBe('succeeded');
  expect(teamIn(state).cleanedUp).toMatchObject({ by: 'lead' });
  expect(resultsOf(state, 'painter')).toEqual(['The first draft.', 'Taken up: more red', 'The final one.']);
});

test('two queued messages arrive once and in order after a kill -9 of the core in mid-round', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const writer = `match:
  - when: "Your task"
    reply: {do: [{say: "I begin. "}, {wait_for_file: "${bench.scratch}/go"}], text: <task-result>Round one.</task-result>}
default: <task-result>Both read.</task-result>
`;
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { writer },
    config: { members: [{ name: 'S1', agent: 'writer', prompt: 'Write.', iterative: true }] },
  });
  await bench.until(muster, runId, ({ state }) => received(state).length === 1);
  await muster.call('team.say', { ...place, to: 'S1', text: 'alpha first' });
  await muster.call('team.say', { ...place, to: 'S1', text: 'omega second' });
  process.kill(await muster.corePid(), 'SIGKILL');
  const cut = await bench.until(
    muster,
    runId,
    ({ state }) => state.turns[1]?.status === 'interrupted' && gateAsking(state, '') !== undefined,
  );
  expect(memberIn(cut.state, 'S1').queue).toHaveLength(2);
  expect(wordOf(cut.state, 'S1').word).toBe('awaiting_operator');
  letGo(bench.scratch);
  await answer(bench, muster, { runId, title: '', option: 'resend' });
  const { state } = await bench.until(
    muster,
    runId,
    (run) => resultsOf(run.state, 'S1').length === 2 && resultsOf(run.state, 'S1')[1] !== null,
  );
  expect(resultsOf(state, 'S1')).toEqual(['Round one.', 'Both read.']);
  const prompts = received(state);
  expect(prompts).toHaveLength(3);
  expect(prompts.filter((prompt) => prompt.includes('alpha first'))).toHaveLength(1);
  expect(prompts[2]).toMatch(/^[\s\S]*says:\nalpha first\n\n[\s\S]*says:\nomega second$/);
  expect(prompts[2]?.split('omega second')).toHaveLength(2);
});

test('a member that hangs is reported and asked about, and the operator ends its turn', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const hangs = `match:
  - when: "Your task"
    reply: {do: [{say: "One moment. "}, {hang: {}}]}
${worker.replace('match:\n', '')}`;
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { hangs },
    config: {
      stall_minutes: 0.02,
      members: [{ name: 'S1', agent: 'hangs', prompt: 'Write.', iterative: true }],
    },
  });
  const { state } = await bench.until(
    muster,
    runId,
    (run) => gateAsking(run.state, 'S1 stalls') !== undefined,
  );
  expect(memberIn(state, 'S1').stalled?.why).toContain('nothing was heard of it');
  expect(wordOf(state, 'S1').word).not.toBe('failed');
  expect(Object.values(teamIn(state).messages)).toContainEqual(
    expect.objectContaining({ kind: 'notice', text: expect.stringContaining('S1 stalls') }),
  );
  await show(muster, `#/team/${runId}/1/S1`);
  // A member that says its first word late stalled once before; that question was withdrawn.
  const open = { has: muster.page.getByRole('button', { name: /^Interrupt/ }) };
  await expect(muster.page.getByRole('region', { name: /^Gate: S1 stalls/ }).filter(open)).toBeVisible();
  await show(muster, '#/inbox');
  const gate = muster.page.getByRole('article', { name: 'S1 stalls' }).filter(open);
  await gate.getByRole('button', { name: /^Interrupt/ }).click();
  const ended = await bench.until(muster, runId, (run) => run.state.turns[1]?.status === 'cancelled');
  expect(wordOf(ended.state, 'S1').word).toBe('awaiting_operator');
  await muster.call('team.say', { ...place, to: 'S1', text: 'shorter' });
  const after = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[0] != null);
  expect(resultsOf(after.state, 'S1')).toEqual(['Taken up: shorter']);
  expect(memberIn(after.state, 'S1').stalled).toBeNull();
  expect(gateAsking(after.state, 'S1 stalls')).toBeUndefined();
});

test('a wait that no one ends parks the member without a process, and a message takes it up with its role', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { worker },
    config: {
      members: [{ name: 'S1', agent: 'worker', prompt: 'Write.', iterative: true, idle_minutes: 0.03 }],
    },
  });
  const { state } = await bench.until(
    muster,
    runId,
    (run) =>
      gateAsking(run.state, 'S1 waits for an answer') !== undefined &&
      wordOf(run.state, 'S1').word === 'parked',
  );
  expect(Object.values(teamIn(state).messages)).toContainEqual(
    expect.objectContaining({
      kind: 'notice',
      text: expect.stringContaining('is parked. Its branch is kept'),
    }),
  );
  await expect
    .poll(async () => (await muster.call('system.status', {})).live.sessions, { timeout: 120_000 })
    .toBe(0);
  await muster.call('team.say', { ...place, to: 'S1', text: 'still there?' });
  const after = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[1] != null);
  expect(resultsOf(after.state, 'S1')).toEqual(['The first draft.', 'Taken up: still there?']);
  const prompts = received(after.state);
  expect(prompts[1]).toContain('Your session was taken up again.');
  expect(prompts[1]).toContain('IMPORTANT: You are in ITERATIVE MODE.');
  // The gate of its first wait is closed; only a new wait would ask again.
  expect(gateAsking(after.state, 'S1 waits for an answer')).toBeUndefined();
});

test('a plan is sent back with a reason, then approved, and only then does the member begin', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const planner = `match:
  - when: "plan is not approved\\\\. (.+?) Send another"
    reply: "Plan B, {{1}}"
  - when: "Your plan is approved"
    reply:
      do: [{write: {path: made.txt, content: "made\\n"}}]
      text: <task-result>Built.</task-result>
default: "Plan A"
`;
  const { runId } = await startTeam(bench, muster, {
    scripts: { planner },
    config: {
      members: [{ name: 'S1', agent: 'planner', prompt: 'Build.', iterative: true, plan_approval: true }],
    },
  });
  await bench.until(muster, runId, ({ state }) => gateAsking(state, 'Plan of S1')?.evidence === 'Plan A');
  await show(muster, '#/inbox');
  await expect(muster.page.getByRole('article', { name: 'Plan of S1' })).toContainText('Plan A');
  await answer(bench, muster, { runId, title: 'Plan of S1', option: 'reject', reason: 'and smaller' });
  const second = await bench.until(
    muster,
    runId,
    ({ state }) => gateAsking(state, 'Plan of S1')?.evidence === 'Plan B, and smaller',
  );
  expect(memberIn(second.state, 'S1').rounds).toEqual([]);
  await answer(bench, muster, { runId, title: 'Plan of S1', option: 'approve' });
  const { state } = await bench.until(
    muster,
    runId,
    (run) => memberIn(run.state, 'S1').rounds[0]?.result != null,
  );
  expect(resultsOf(state, 'S1')).toEqual(['Built.']);
  expect(memberIn(state, 'S1').rounds[0]?.result?.changes?.files).toBe(1);
});

test('a read-only member works in rounds and cannot write', async ({ bench }) => {
  const muster = await bench.serve();
  const tries = `match:
  - when: "Your task"
    reply:
      do:
        - read: {path: README.md}
        - write: {path: asked.txt, content: x, ask: true}
        - run: {command: 'touch by-command.txt', via: terminal, ask: true}
      text: <task-result>I have tried.</task-result>
${worker.replace('match:\n', '')}`;
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { tries },
    config: { members: [{ name: 'S1', agent: 'tries', prompt: 'Read.', iterative: true, read_only: true }] },
  });
  const { state } = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[0] != null);
  expect(Object.keys(state.gates)).toEqual([]);
  const folder = state.sessions[1]?.cwd ?? '';
  expect(existsSync(join(folder, 'README.md'))).toBe(true);
  const made = ['asked.txt', 'by-command.txt'].filter((name) => existsSync(join(folder, name)));
  expect(made).toEqual([]);
  await muster.call('team.say', { ...place, to: 'S1', text: 'more' });
  await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[1] === 'Taken up: more');
});

test('a member that fails is out, and is taken up again from the inbox', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const breaks = `match:
  - when: "Your task"
    reply: {text: <task-result>Now it works.</task-result>, error: {message: The model has gone away., times: 1}}
`;
  const { runId } = await startTeam(bench, muster, {
    scripts: { breaks, worker },
    config: {
      members: [
        { name: 'S1', agent: 'breaks', prompt: 'Write.', iterative: true },
        { name: 'S2', agent: 'worker', prompt: 'Write.', iterative: true },
      ],
    },
  });
  const { state } = await bench.until(
    muster,
    runId,
    (run) => gateAsking(run.state, 'S1 failed') !== undefined && resultsOf(run.state, 'S2')[0] != null,
  );
  expect(wordOf(state, 'S1')).toMatchObject({ word: 'failed', why: expect.stringContaining('gone away') });
  // The answer of S2 may stand before it in the list.
  await show(muster, `#/gate/${runId}/${gateAsking(state, 'S1 failed')?.id}`);
  const gate = muster.page.getByRole('article', { name: 'S1 failed' });
  await gate.getByRole('button', { name: /^Send again/ }).click();
  const after = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[0] != null);
  expect(resultsOf(after.state, 'S1')).toEqual(['Now it works.']);
  expect(wordOf(after.state, 'S1').word).toBe('awaiting_operator');
});

test('a failed member goes on with another agent, chosen on its card, in its own folder', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { runId, place } = await startTeam(bench, muster, {
    scripts: {
      breaks:
        'match:\n  - when: shorter\n    reply: { text: x, error: { message: The model has gone away., times: 1 } }\ndefault: <task-result>A first draft.</task-result>\n',
      steady:
        'match:\n  - when: "A first draft[\\\\s\\\\S]*shorter"\n    reply: <task-result>A short one.</task-result>\ndefault: <task-result>Told nothing.</task-result>\n',
    },
    config: { members: [{ name: 'S1', agent: 'breaks', prompt: 'Write.', iterative: true }] },
  });
  await bench.until(muster, runId, ({ state }) => resultsOf(state, 'S1')[0] != null);
  await muster.call('team.say', { ...place, to: 'S1', text: 'Make it shorter.' });
  const before = await bench.until(
    muster,
    runId,
    ({ state }) => gateAsking(state, 'S1 failed') !== undefined,
  );
  const folder = Object.values(before.state.workspaces)[0]?.path;
  await show(muster, `#/team/${runId}/1`);
  const card = muster.page.getByRole('article', { name: 'Member S1' });
  await card.getByLabel('Retry S1 with another agent').selectOption('steady');
  const { state } = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[1] != null);
  expect(resultsOf(state, 'S1')).toEqual(['A first draft.', 'A short one.']);
  expect(memberIn(state, 'S1').profileId).toBe('steady');
  expect(Object.values(state.workspaces).map(({ path }) => path)).toEqual([folder]);
  expect(gateAsking(state, 'S1 failed')).toBeUndefined();
});

test('a member whose worktree was deleted by hand is sent its prompt again in a folder made of its last snapshot', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const writes = `match:
  - when: more
    reply: {do: [{run: {command: "cat draft.md; git log --oneline | wc -l"}}], text: <task-result>Went on.</task-result>}
default:
  do: [{write: {path: draft.md, content: "draft\\n"}}]
  text: <task-result>A draft.</task-result>
`;
  const { runId, place } = await startTeam(bench, muster, {
    scripts: { writes },
    config: { members: [{ name: 'S1', agent: 'writes', prompt: 'Write.', iterative: true }] },
  });
  const { state } = await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[0] != null);
  const folder = Object.values(state.workspaces)[0]?.path ?? '';
  expect(readFileSync(join(folder, 'draft.md'), 'utf8')).toBe('draft\n');
  rmSync(folder, { recursive: true });
  await muster.call('team.say', { ...place, to: 'S1', text: 'more' });
  const failed = await bench.until(muster, runId, (run) => gateAsking(run.state, 'S1 failed') !== undefined);
  expect(memberIn(failed.state, 'S1').failed?.error).toMatchObject({
    message: expect.stringContaining('is gone'),
    mend: expect.stringContaining('recreates the folder from its branch'),
  });
  await show(muster, '#/inbox');
  const gate = muster.page.getByRole('article', { name: 'S1 failed' });
  await gate.getByRole('button', { name: /^Send again/ }).click();
  await bench.until(muster, runId, (run) => resultsOf(run.state, 'S1')[1] === 'Went on.');
  expect(readFileSync(join(folder, 'draft.md'), 'utf8')).toBe('draft\n');
});
