import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { PermissionRule } from '@areas/permissions/contract/rule';
import { matchRules } from '@areas/permissions/core/match';
import { ok } from '@contract/result';
import { runStatus } from '@contract/run/status';
import { describe, expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';
import { answerOf } from './permission';
import { MOST_ASKED_PER_TURN, MOST_REQUESTS_PER_TURN } from './permission-flood';

const request: PermissionRequest = {
  tool: 'edit',
  title: 'Edit notes.md',
  kind: 'edit',
  diffs: [],
  paths: ['/work/notes.md'],
  hash: 'h1',
};
const rule = (more: Partial<PermissionRule> = {}): PermissionRule => ({
  id: 'R1',
  agent: 'fake',
  tool: 'edit',
  path: '*.md',
  command: null,
  effect: 'allow',
  reason: '',
  expires_at: null,
  scope: 'everywhere',
  run_id: null,
  project_id: null,
  created_at: 1,
  created_by: 'operator',
  removed_at: null,
  uses: 0,
  last_used_at: null,
  ...more,
});

async function asking(rules: readonly PermissionRule[], workspace = 'worktree' as 'worktree' | 'project') {
  const harness = new Harness();
  harness.rules = {
    match: (asked, context) => matchRules(rules, asked, { ...context, now: harness.clock.now() }),
  };
  harness.agents.answer = () => null;
  if (workspace === 'project')
    harness.workspace = async () => ok({ path: '/project', branch: null, baseCommit: null });
  const steps = [task('a', {}, { on_interrupt: 'retry' })];
  await harness.run({ workspace, steps });
  return harness;
}
const ask = async (harness: Harness, asked: PermissionRequest = request) => {
  const answer = harness.agents.sent.at(-1)?.ask(asked);
  await harness.idle();
  return answer;
};
const gates = (harness: Harness) => harness.events().filter((event) => event.type.startsWith('gate.'));

describe('a request that a rule answers', () => {
  test('a request that a rule answers is answered at once, and recorded as a gate in one commit', async () => {
    const harness = await asking([rule()]);
    const before = harness.log.commits;
    expect(await ask(harness)).toEqual({ allow: true, always: false, reason: null });
    expect(harness.log.commits).toBe(before + 1);
    expect(gates(harness)).toMatchObject([
      { type: 'gate.opened', gateId: 1, kind: 'permission', rule: 'R1', turnId: 1 },
      { type: 'gate.resolved', gateId: 1, answer: { option: 'allow' }, by: 'rule R1' },
      { type: 'gate.delivered', gateId: 1, turnId: 1 },
    ]);
    expect(runStatus(harness.state())).toBe('running');
    expect(harness.engine.live(1)?.pendingPermissions.size).toBe(0);
  });

  test('a request is denied where one rule denies, whatever else allows, and the reason goes to the agent', async () => {
    const deny = rule({ id: 'R2', effect: 'deny', path: null, reason: 'not the notes' });
    const harness = await asking([rule(), deny]);
    expect(await ask(harness)).toEqual({ allow: false, always: false, reason: 'not the notes' });
    expect(harness.state().gates[1]).toMatchObject({
      by: 'rule R2',
      answer: { option: 'deny' },
      delivered: true,
    });
  });

  test('a request waits for the operator once its rule has expired, and offers a rule again', async () => {
    const harness = await asking([rule({ expires_at: 2_000 })]);
    expect(await ask(harness)).toMatchObject({ allow: true });
    harness.clock.advance(1_000);
    const answer = harness.agents.sent[0]?.ask({ ...request, hash: 'h2' });
    await harness.idle();
    expect(harness.state().gates[2]).toMatchObject({ status: 'open' });
    expect(harness.state().gates[2]?.options.map(({ id }) => id)).toEqual(['allow', 'allow_rule', 'deny']);
    await harness.answer('allow_rule', { gateId: 2 });
    expect(await answer).toEqual({ allow: true, always: false, reason: null });
  });

  test('a request that a rule answers takes up the gate of a turn that was cut off, if it is the same question', async () => {
    const rules: PermissionRule[] = [];
    const harness = await asking(rules);
    void harness.agents.sent[0]?.ask(request);
    await harness.idle();
    expect(harness.state().gates[1]?.status).toBe('open');
    await harness.restart();
    rules.push(rule());
    expect(await ask(harness)).toMatchObject({ allow: true });
    expect(Object.keys(harness.state().gates)).toEqual(['1']);
    expect(harness.state().gates[1]).toMatchObject({ by: 'rule R1', delivered: true });
  });

  test("a request in the operator's own checkout is answered only by a rule that names its project", async () => {
    const everywhere = await asking([rule()], 'project');
    const asked = { ...request, paths: ['/project/notes.md'] };
    void everywhere.agents.sent[0]?.ask(asked);
    await everywhere.idle();
    expect(everywhere.state().gates[1]).toMatchObject({ status: 'open', request: { own_checkout: true } });
    const named = await asking([rule({ scope: 'project', project_id: 1 })], 'project');
    expect(await ask(named, asked)).toMatchObject({ allow: true });
  });

  test('a request is told that the turn has ended where it did while the store did not take the answer', async () => {
    const harness = await asking([rule()]);
    harness.log.failing = 1;
    const answer = harness.agents.sent[0]?.ask(request);
    await harness.idle();
    harness.agents.sent[0]?.end({ response: 'over' });
    await harness.idle();
    harness.clock.advance(300);
    expect(await answer).toEqual({ allow: false, always: false, reason: 'The turn has ended.' });
    expect(gates(harness)).toEqual([]);
  });
});

test('a tool that is called as one of Muster’s own is asked about outside of a team', async () => {
  const harness = await asking([]);
  const tool = 'mcp__muster__team_status';
  void harness.agents.sent[0]?.ask({ tool, title: tool, kind: 'other', input: {}, diffs: [], hash: 'h' });
  await harness.idle();
  expect(harness.state().gates[1]).toMatchObject({ status: 'open', title: tool });
});

test('a request offers no rule where none could allow it', async () => {
  const harness = await asking([rule()]);
  void harness.agents.sent[0]?.ask({ ...request, kind: 'execute', command: 'a && b', paths: [] });
  await harness.idle();
  expect(harness.state().gates[1]?.options.map(({ id }) => id)).toEqual(['allow', 'deny']);
});

test('a gate from before rules can still be answered with the agent’s own rule', () => {
  expect(answerOf({ option: 'allow_always' })).toEqual({ allow: true, always: true, reason: null });
  expect(answerOf({ option: 'allow_rule' })).toEqual({ allow: true, always: false, reason: null });
  expect(answerOf({ option: 'deny', reason: 'no' })).toEqual({ allow: false, always: false, reason: 'no' });
});

describe('a turn that floods the operator with requests', () => {
  const flood = async (harness: Harness, count: number) => {
    const answers = Array.from({ length: count }, (_, index) =>
      harness.agents.sent.at(-1)?.ask({ ...request, hash: `flood ${index}` }),
    );
    await harness.idle();
    return answers;
  };
  const openOf = (harness: Harness, kind: string) =>
    Object.values(harness.state().gates).filter((gate) => gate.kind === kind && gate.status === 'open');

  test('a turn that floods the operator has its further requests denied with the reason, and the operator is told once', async () => {
    const harness = await asking([]);
    const answers = await flood(harness, MOST_ASKED_PER_TURN + 30);
    expect(openOf(harness, 'permission')).toHaveLength(MOST_ASKED_PER_TURN);
    expect(openOf(harness, 'permission_flood')).toHaveLength(1);
    expect(await answers.at(-1)).toMatchObject({
      allow: false,
      reason: expect.stringContaining('has asked for permission 100 times'),
    });
    await harness.answer('end_turn', { gateId: openOf(harness, 'permission_flood')[0]?.id ?? 0 });
    expect(harness.state().turns[1]?.status).toBe('cancelled');
    expect(openOf(harness, 'permission')).toHaveLength(0);
  });

  test('a turn that floods is answered by a rule at most 2,000 times', async () => {
    const harness = await asking([rule()]);
    const answers = await flood(harness, MOST_REQUESTS_PER_TURN + 2);
    expect(await answers.at(-3)).toMatchObject({ allow: true });
    expect(await answers.at(-1)).toMatchObject({ allow: false });
    expect(openOf(harness, 'permission_flood')).toHaveLength(1);
  });
});

test('a request is shown as what the agent wants to do, with the folder for its relative paths', async () => {
  const said = async (asked: Partial<PermissionRequest>) => {
    const harness = await asking([]);
    void ask(harness, { ...request, ...asked });
    await harness.idle();
    const gate = harness.state().gates[1];
    return [gate?.title, gate?.message, gate?.request?.folder === harness.state().sessions[1]?.cwd];
  };
  expect(await said({})).toEqual(['Edit notes.md', 'Fake wants to change a file.', true]);
  expect(await said({ title: '`ls -l`', kind: 'execute', command: 'ls -l', paths: [] })).toEqual([
    'ls -l',
    'Fake wants to run a command.',
    true,
  ]);
  expect(await said({ kind: 'read', paths: ['/work/a', '/work/b'] })).toMatchObject([
    'Edit notes.md',
    'Fake wants to read 2 files.',
    true,
  ]);
  expect(await said({ tool: 'search', kind: 'other', paths: [] })).toMatchObject([
    'Edit notes.md',
    'Fake wants to use search.',
    true,
  ]);
});
