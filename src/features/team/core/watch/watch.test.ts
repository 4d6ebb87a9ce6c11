import { ok } from '@contract/result';
import type { GateState } from '@contract/run/state';
import { describe, expect, test } from 'vitest';
import { memberStatus } from '../../contract/status';
import { errorOf, member, openTeam, type TeamHarness } from '../testing/team';

const MINUTE = 60_000;
const led = { lead: { agent: 'leader' }, instruction: 'Lead them.', stall_minutes: 5 };
const iterative = (name: string) => member(name, { iterative: true });

const open = (team: TeamHarness): GateState[] =>
  Object.values(team.state().gates).filter((gate) => gate.status === 'open');
const titles = (team: TeamHarness): string[] => open(team).map((gate) => gate.title);
const told = (team: TeamHarness, to: string): string[] =>
  Object.values(team.team.messages).flatMap((message) =>
    message.kind === 'notice' && message.deliveries[to] !== undefined ? [message.text] : [],
  );

async function pass(team: TeamHarness, minutes: number): Promise<void> {
  team.clock.advance(minutes * MINUTE + 1);
  await team.idle();
}

describe('leads that fall silent', () => {
  test('a silent lead is reported to the operator, in the chat and in the inbox, and never ended by itself', async () => {
    const team = await openTeam({ ...led, members: [iterative('S1')] });
    await team.deliver('S1', 'draft');
    await pass(team, 5);
    expect(team.team.leadStalled?.why).toBe('nothing was heard of it for 5 minutes');
    expect(titles(team)).toEqual(['The lead stalls']);
    expect(told(team, 'operator')).toEqual(['The lead stalls: nothing was heard of it for 5 minutes.']);
    expect(told(team, 'lead')).toEqual([]);
    await team.answer('wait');
    await pass(team, 5);
    expect(titles(team)).toEqual([]);
    expect(team.waiting('lead')).toBeDefined();
    await team.deliver('lead', 'Here I am.');
    expect(team.team.leadStalled).toBeNull();
    expect(team.waiting('lead')?.request.prompt).toContain('Result of S1');
  });

  test('a silent lead has its question taken back when it speaks', async () => {
    const team = await openTeam({ ...led, members: [iterative('S1')] });
    await pass(team, 5);
    expect(titles(team)).toContain('The lead stalls');
    await team.deliver('lead', 'Here I am.');
    expect(titles(team)).not.toContain('The lead stalls');
    expect(team.team.leadStalled).toBeNull();
  });

  test('a silent lead is sent its prompt once more where the operator says so, and nothing is delivered twice', async () => {
    const team = await openTeam({ ...led, members: [iterative('S1')] });
    await team.deliver('lead', 'Begun.');
    await team.deliver('S1', 'draft');
    const before = team.waiting('lead')?.request;
    await pass(team, 5);
    await team.answer('resend', { gateId: open(team)[0]?.id ?? 0 });
    const after = team.waiting('lead')?.request;
    expect(after?.turnId).not.toBe(before?.turnId);
    expect(after?.prompt).toBe(before?.prompt);
    expect(after?.prompt).toContain('Result of S1');
    const result = Object.values(team.team.messages).find(({ kind }) => kind === 'result')?.id ?? 0;
    const results = team
      .events()
      .filter((event) => event.type === 'team.delivered' && event.messageIds.includes(result));
    expect(results).toHaveLength(1);
    expect(team.team.leadStalled).toBeNull();
    await team.deliver('lead', 'S1 has a draft.');
    expect(team.word('S1')).toBe('awaiting_operator');
  });

  test('a silent lead is interrupted and given the messages that came meanwhile, as they came', async () => {
    const team = await openTeam({ ...led, members: [iterative('S1'), iterative('S2')] });
    await team.deliver('S1', 'one');
    await pass(team, 5);
    const stalled = open(team).find((gate) => gate.title === 'The lead stalls');
    await team.deliver('S2', 'two');
    await team.answer('interrupt', { gateId: stalled?.id ?? 0 });
    expect(team.waiting('lead')?.request.prompt).toMatch(/Result of S1[\s\S]*Result of S2/);
    expect(team.team.leadQueue).toEqual([]);
  });

  test('a lead is asked about when its turn takes long, though it shows signs of life', async () => {
    const team = await openTeam({ ...led, stall_minutes: 500, round_minutes: 30, members: [] });
    await pass(team, 30);
    expect(open(team)).toMatchObject([
      { title: 'The lead takes long', message: 'The lead has worked on its turn for 30 minutes.' },
    ]);
    expect(told(team, 'operator')).toHaveLength(1);
  });
});

describe('rounds that last long', () => {
  test('a long round is reported to the lead and asked of the operator once, and goes on', async () => {
    const team = await openTeam({ members: [iterative('S1')], stall_minutes: 500, round_minutes: 30 });
    await pass(team, 30);
    expect(titles(team)).toEqual(['S1 takes long']);
    expect(team.word('S1')).toBe('working');
    await team.answer('interrupt');
    await team.say('S1', 'only the first part');
    expect(titles(team)).toEqual([]);
    await team.deliver('S1', 'the first part');
    expect(team.team.members.S1?.rounds).toMatchObject([{ round: 1, turnIds: [1, 2] }]);
  });

  test('a long round has its question taken back when it is delivered', async () => {
    const team = await openTeam({ members: [iterative('S1')], stall_minutes: 500, round_minutes: 30 });
    await pass(team, 30);
    await team.deliver('S1', 'done');
    expect(titles(team)).toEqual([]);
  });

  test('a long round ends with its member where the operator says so', async () => {
    const team = await openTeam({ members: [iterative('S1')], stall_minutes: 500, round_minutes: 30 });
    await pass(team, 30);
    await team.answer('stop');
    expect(team.word('S1')).toBe('stopped');
  });
});

describe('members that wait for their provider', () => {
  const status = (team: TeamHarness, name: string) => {
    const one = team.team.members[name];
    if (one === undefined) throw new Error(`no ${name}`);
    return memberStatus(team.state(), team.team, one);
  };

  test("a member waits for a limit's end, is not called done, and keeps the team from being cleaned up", async () => {
    const team = await openTeam({ members: [member('S1')] });
    const limitResetsAt = team.clock.time + 90 * MINUTE;
    team.waiting('S1')?.end({ outcome: 'limit', stopReason: 'limit', limitResetsAt });
    await team.idle();
    expect(status(team, 'S1')).toMatchObject({
      word: 'working',
      why: "waits for its provider's limit to end",
      provider: { until: limitResetsAt },
    });
    expect(await team.call('operator', 'team_cleanup', {})).toMatchObject({
      error: { message: expect.stringContaining('S1 waits for its provider') },
    });
    const told = await team.call('operator', 'team_status', {});
    expect(told.ok && told.value.text).toContain('limit to end in 90 min');
    await pass(team, 90);
    await team.deliver('S1', 'done');
    expect(team.word('S1')).toBe('idle');
  });

  test('a member keeps the team from being cleaned up too while its agent is not logged in', async () => {
    const team = await openTeam({ members: [member('S1')] });
    team.waiting('S1')?.end({ outcome: 'login', stopReason: 'login' });
    await team.idle();
    expect(status(team, 'S1')).toMatchObject({ word: 'awaiting_operator', provider: { until: null } });
    expect(errorOf(await team.call('operator', 'team_cleanup', {}))).toBe('team.cleanup_refused');
  });

  test('a member has not worked while it waited for its provider: its round counts from where it goes on', async () => {
    const team = await openTeam({ members: [iterative('S1')], stall_minutes: 500, round_minutes: 30 });
    const limitResetsAt = team.clock.time + 90 * MINUTE;
    team.waiting('S1')?.end({ outcome: 'limit', stopReason: 'limit', limitResetsAt });
    await team.idle();
    await pass(team, 60);
    await pass(team, 30);
    expect(team.waiting('S1')).toBeDefined();
    await pass(team, 29);
    expect(told(team, 'operator')).toEqual([]);
    expect(titles(team)).toEqual([]);
    await pass(team, 1);
    expect(told(team, 'operator')).toEqual(['S1 has worked on round 1 for 30 minutes.']);
    expect(titles(team)).toEqual(['S1 takes long']);
  });

  test('a member whose turn was ended by hand has not worked for that time either', async () => {
    const team = await openTeam({ members: [iterative('S1')], stall_minutes: 500, round_minutes: 30 });
    await team.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId: 1, by: 'operator' }]));
    await team.idle();
    await pass(team, 30);
    expect(told(team, 'operator')).toEqual([]);
  });
});

test('an agent that waits for permission is not silent, and has its time again once it was answered', async () => {
  const team = await openTeam({ members: [iterative('S1')], stall_minutes: 5 });
  const request = { tool: 'Bash', title: 'ls', kind: 'execute', diffs: [], hash: 'h' };
  const asked = team.waiting('S1')?.ask(request);
  await team.idle();
  for (let time = 0; time < 3; time += 1) await pass(team, 5);
  expect(titles(team)).toEqual(['ls']);
  await team.answer('allow');
  await asked;
  await pass(team, 3);
  expect(team.team.members.S1?.stalled).toBeNull();
  await pass(team, 8);
  expect(titles(team)).toEqual(['S1 stalls']);
});

test('an interrupted member is no longer flagged as stalled', async () => {
  const team = await openTeam({ members: [iterative('S1')], stall_minutes: 5 });
  await pass(team, 5);
  await team.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId: 1, by: 'operator' }]));
  await team.idle();
  expect(team.team.members.S1?.stalled).toBeNull();
  expect(titles(team)).toEqual([]);
});

describe('read-only members in whose folder files changed', () => {
  const changes = { before: 'a', after: 'b', files: 2, added: 3, removed: 1 };
  const writing = (team: TeamHarness, found: typeof changes): void => {
    team.folders.snapshot = async (_place, name) => ok(name);
    team.folders.changes = async () => found;
  };
  async function wrote(more: Record<string, unknown> = {}): Promise<TeamHarness> {
    const team = await openTeam({ members: [member('S1', { iterative: true, read_only: true })] });
    writing(team, { ...changes, ...more });
    // Its first turn began before there were snapshots.
    await team.deliver('S1', 'ready');
    await team.say('S1', 'read');
    await team.deliver('S1', 'read');
    return team;
  }

  test('a read-only member with changed files is reported and asked about, once for each such turn, and has nothing to merge', async () => {
    const team = await wrote();
    expect(titles(team)).toEqual(['S1 only reads, but files changed']);
    expect(told(team, 'operator')).toEqual([
      '2 files changed in the folder of S1 during its turn, though it only reads.',
    ]);
    await team.answer('keep');
    expect(titles(team)).toEqual([]);
    await team.say('S1', 'again');
    await team.deliver('S1', 'read again');
    expect(titles(team)).toEqual(['S1 only reads, but files changed']);
    await team.answer('stop');
    expect(team.word('S1')).toBe('stopped');
    expect(team.team.members.S1?.stopped?.frozen).toBeNull();
    expect(team.team.merges).toEqual({});
  });

  test('a read-only member is not accused where others worked in the folder at the same time', async () => {
    const team = await wrote({ shared: true });
    expect(told(team, 'operator')[0]).toContain('it may have been them');
  });

  test('changed files are not reported where a member may write', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    writing(team, changes);
    await team.deliver('S1', 'ready');
    await team.say('S1', 'write');
    await team.deliver('S1', 'written');
    expect(team.state().turns[2]?.changes).toEqual(changes);
    expect(titles(team)).toEqual([]);
  });
});

test.each([
  ['the lead', led, 'lead'],
  ['the operator who leads', {}, 'operator'],
])(
  'the operator is reminded by %s once of a round that waits, before its member is parked',
  async (_who, config, reader) => {
    const team = await openTeam({
      ...config,
      members: [member('S1', { iterative: true, idle_minutes: 100 })],
    });
    await team.deliver('S1', 'draft');
    while (team.waiting('lead') !== undefined) await team.deliver('lead', 'I ask the user.');
    await pass(team, 79);
    expect(told(team, reader)).toEqual([]);
    await pass(team, 1);
    const reminder =
      'S1 has waited for 80 minutes for an answer to round 1. After 100 minutes it is parked; a message takes it up again.';
    expect(told(team, reader)).toEqual([reminder]);
    expect(team.word('S1')).not.toBe('parked');
    if (reader === 'lead') expect(team.waiting('lead')?.request.prompt).toContain(reminder);
    await team.restart();
    expect(told(team, reader)).toEqual([reminder]);
  },
);

test('a wait of less than five minutes causes no reminder', async () => {
  const team = await openTeam({ members: [member('S1', { iterative: true, idle_minutes: 4 })] });
  await team.deliver('S1', 'draft');
  await pass(team, 3.5);
  expect(told(team, 'operator')).toEqual([]);
});

test('a member that was answered in time causes no warning', async () => {
  const team = await openTeam({ members: [member('S1', { iterative: true, idle_minutes: 100 })] });
  await team.deliver('S1', 'draft');
  await pass(team, 50);
  await team.say('S1', 'Go on.');
  await pass(team, 35);
  expect(told(team, 'operator').filter((text) => text.includes('parked'))).toEqual([]);
});
