import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { runStatus } from '@contract/run/status';
import { describe, expect, test } from 'vitest';
import { memberStatus } from '../contract/status';
import { member, openTeam, TeamHarness } from './testing/team';

const iterative = (name: string, more: Record<string, unknown> = {}) =>
  member(name, { iterative: true, ...more });
const lead = { lead: { agent: 'leader' }, instruction: 'Run my agents' };
const notThere = appError('agent.start_failed', 'the program is not there');
const loggedOut = appError('agent.auth_required', 'Fake is not logged in', {
  mend: 'Log in with: fake login',
});

const open = (team: TeamHarness) =>
  Object.values(team.state().gates).filter(({ status }) => status === 'open');
const titles = (team: TeamHarness) => open(team).map(({ title }) => title);
const sentTo = (team: TeamHarness, name: string) =>
  Object.values(team.state().turns).filter(({ lane }) => lane === name || lane === `member-${name}`);

/** A team in which agents of one profile fail to start at first. */
async function unstarted(profileId: string, config: Record<string, unknown>, error = notThere) {
  const team = new TeamHarness();
  team.agents.answer = () => null;
  team.agents.refuse = ({ profile }) => (profile.id === profileId ? error : null);
  await team.open(config);
  return team;
}

async function resume(team: TeamHarness): Promise<void> {
  team.clock.advance(1);
  await team.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
  await team.idle();
}

const starts = (team: TeamHarness) => team.agents.opened.length;

describe('leads that did not start', () => {
  test('a lead that did not start is asked about, as often as it is tried again in vain, and begins when it can', async () => {
    const team = await unstarted('leader', { ...lead, members: [] });
    expect(titles(team)).toEqual(['The lead failed']);
    expect(starts(team)).toBe(1);
    await team.answer('restore');
    expect([starts(team), titles(team)]).toEqual([2, ['The lead failed']]);
    await team.answer('restore');
    expect([starts(team), titles(team)]).toEqual([3, ['The lead failed']]);
    team.agents.refuse = () => null;
    await team.answer('restore');
    expect(team.waiting('lead')?.request.prompt).toContain('Run my agents');
  });

  test('a lead that did not start is tried again when the run is taken up again', async () => {
    const team = await unstarted('leader', { ...lead, members: [] });
    await team.answer('leave');
    await team.cancel();
    expect(team.state().outcome).toBe('cancelled');
    await resume(team);
    expect([starts(team), titles(team)]).toEqual([2, ['The lead failed']]);
    await team.cancel();
    team.agents.refuse = () => null;
    await resume(team);
    expect(team.waiting('lead')?.request.prompt).toContain('Run my agents');
  });

  test('a lead is asked about where the operator gave up its login, and its login is asked about again', async () => {
    const team = await unstarted('leader', { ...lead, members: [] }, loggedOut);
    expect(titles(team)).toEqual(['Leader is not logged in']);
    await team.answer('fail');
    expect(titles(team)).toEqual(['The lead failed']);
    await team.answer('restore');
    expect([starts(team), titles(team)]).toEqual([2, ['Leader is not logged in']]);
    await team.cancel();
    await resume(team);
    expect([starts(team), titles(team)]).toEqual([3, ['Leader is not logged in']]);
    team.agents.refuse = () => null;
    await team.answer('resend');
    expect(team.waiting('lead')).toBeDefined();
  });

  test("a lead is brought back where the run's folder could not be made", async () => {
    const team = new TeamHarness();
    team.agents.answer = () => null;
    const { workspace } = team;
    team.workspace = async () => err(appError('workspace.failed', 'the disk is full'));
    await team.open({ ...lead, members: [] });
    expect(titles(team)).toEqual(['The lead failed']);
    team.workspace = workspace;
    await team.answer('restore');
    expect(team.waiting('lead')).toBeDefined();
  });

  test('a lead is asked about again where it had worked before', async () => {
    const team = await openTeam({ ...lead, members: [] });
    team.waiting('lead')?.end({ outcome: 'failed', stopReason: 'crashed' });
    await team.idle();
    await team.restart();
    team.agents.refuse = () => notThere;
    await team.answer('restore');
    expect(titles(team)).toEqual(['The lead failed']);
    await team.answer('restore');
    expect(titles(team)).toEqual(['The lead failed']);
    await team.answer('leave');
    await team.cancel();
    await resume(team);
    expect(titles(team)).toEqual(['The lead failed']);
    team.agents.refuse = () => null;
    await team.answer('restore');
    expect(team.waiting('lead')?.request.prompt).toContain('Run my agents');
  });
});

describe('members that did not start', () => {
  test('a member that did not start is started again as often as the operator wants, and begins when it can', async () => {
    const team = await unstarted('fake', { members: [iterative('S1')] });
    expect(titles(team)).toEqual(['S1 failed']);
    team.clock.advance(1);
    await team.answer('restore');
    expect([starts(team), titles(team)]).toEqual([2, ['S1 failed']]);
    team.agents.refuse = () => null;
    await team.answer('restore');
    expect([starts(team), team.word('S1')]).toEqual([3, 'working']);
  });

  test('a member gets its worktree where that could not be made at first', async () => {
    const team = new TeamHarness();
    team.agents.answer = () => null;
    team.folders.refuse = () => appError('workspace.failed', 'the disk is full');
    await team.open({ members: [iterative('S1', { worktree: true })] });
    expect(titles(team)).toEqual(['S1 failed']);
    team.folders.refuse = () => null;
    await team.answer('restore');
    expect(team.word('S1')).toBe('working');
    expect(team.folders.branched).toHaveLength(2);
  });

  test('a member is asked about again where the step failed with all of them and is taken up again', async () => {
    const team = await unstarted('fake', { members: [iterative('S1'), iterative('S2')] });
    await team.answer('leave');
    await team.answer('leave');
    expect(team.state().outcome).toBe('failed');
    await resume(team);
    expect([team.state().status, titles(team)]).toEqual(['running', ['S1 failed', 'S2 failed']]);
    team.agents.refuse = () => null;
    await team.answer('restore');
    expect(team.word('S1')).toBe('working');
    await team.answer('leave');
    await team.deliver('S1', 'draft');
    await team.call('operator', 'satisfied', { member: 'S1' });
    await team.deliver('S1', 'final');
    expect(team.state().outcome).toBe('succeeded');
  });

  test('a member is asked about again too where the team was cleaned up with all of them', async () => {
    const team = await unstarted('fake', { members: [iterative('S1')] });
    await team.call('operator', 'team_cleanup', {});
    expect(team.state().outcome).toBe('failed');
    team.agents.refuse = () => null;
    await resume(team);
    expect(titles(team)).toEqual(['S1 failed']);
    await team.answer('restore');
    expect(team.word('S1')).toBe('working');
  });

  test('a member stays left where others of the team went on when the run was cancelled', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
    team.waiting('S1')?.end({ outcome: 'failed', stopReason: 'crashed' });
    await team.idle();
    await team.answer('leave');
    await team.cancel();
    await resume(team);
    expect([team.word('S1'), team.word('S2'), titles(team)]).toEqual(['failed', 'working', []]);
  });
});

describe('a last round', () => {
  const satisfied = async (config: Record<string, unknown> = {}) => {
    const team = await openTeam({ members: [iterative('S1', config), iterative('S2')] });
    await team.deliver('S1', 'draft');
    await team.call('operator', 'satisfied', { member: 'S1' });
    expect(team.waiting('S1')?.request.prompt).toContain('send final');
    return team;
  };
  const final = (team: TeamHarness) => team.team.members.S1?.rounds.at(-1);
  /** It has its result, and stopped exactly once afterwards. */
  const ended = (team: TeamHarness) => {
    const told = team.events().flatMap((event) => {
      const { type } = event;
      return (type === 'team.result' && event.final) || type === 'team.stopped' ? [type] : [];
    });
    expect(told).toEqual(['team.result', 'team.stopped']);
    return final(team)?.result?.text;
  };

  test("a last round is waited for over its provider's limit", async () => {
    const team = await satisfied();
    team.waiting('S1')?.end({ outcome: 'limit', limitResetsAt: team.clock.time + 3_600_000 });
    await team.idle();
    expect(team.word('S1')).toBe('stopping');
    team.clock.advance(3_600_000);
    await team.idle();
    await team.deliver('S1', 'final');
    expect(ended(team)).toBe('final');
  });

  test('a last round is waited for over a login that has expired', async () => {
    const team = await satisfied();
    team.waiting('S1')?.end({ outcome: 'failed', stopReason: 'error', error: loggedOut });
    await team.idle();
    expect(titles(team)).toEqual(['Fake is not logged in']);
    await team.answer('resend');
    await team.deliver('S1', 'final');
    expect(ended(team)).toBe('final');
  });

  test('a last round is waited for over a crash', async () => {
    const team = await satisfied();
    await team.restart();
    const asked = open(team).find(({ turnId }) => team.state().turns[turnId ?? 0]?.lane === 'member-S1');
    expect(team.team.members.S1?.stopped).toBeNull();
    await team.answer('continue', { gateId: asked?.id ?? 0 });
    await team.deliver('S1', 'final');
    expect(ended(team)).toBe('partial\n\nfinal');
  });

  test('a last round is sent again when the run is taken up again in the middle of it', async () => {
    const team = await satisfied();
    await team.cancel();
    await resume(team);
    expect(team.waiting('S1')?.request.prompt).toContain('send final');
    await team.deliver('S1', 'final');
    expect(ended(team)).toBe('final');
  });

  test('a last round is sent again where it failed and the operator wants it', async () => {
    const team = await satisfied();
    team.waiting('S1')?.end({ outcome: 'failed', stopReason: 'crashed' });
    await team.idle();
    expect(titles(team)).toEqual(['S1 failed']);
    await team.engine.command(1, () => ok([{ type: 'session.lost', sessionId: 1, reason: 'x' }]));
    await team.answer('restore');
    await team.deliver('S1', 'final');
    expect(ended(team)).toBe('final');
  });

  test('a last round of a one-shot member is waited for too', async () => {
    const team = await openTeam({ members: [member('S1'), member('S2')] });
    await team.call('operator', 'team_shutdown', { member: 'S1' });
    team.waiting('S1')?.end({ outcome: 'limit', limitResetsAt: team.clock.time + 3_600_000 });
    await team.idle();
    expect(team.word('S1')).toBe('stopping');
    team.clock.advance(3_600_000);
    await team.idle();
    await team.deliver('S1', 'all');
    expect([team.word('S1'), final(team)?.result?.text]).toEqual(['stopped', 'all']);
  });

  test('a last round ends without its result where the operator interrupts it', async () => {
    const team = await satisfied();
    const turnId = team.waiting('S1')?.request.turnId ?? 0;
    await team.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId, by: 'operator' }]));
    await team.idle();
    expect([team.word('S1'), final(team)?.result]).toEqual(['stopped', null]);
  });
});

describe('members that are stopped', () => {
  const stopped = async (team: TeamHarness) => {
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(team.word('S1')).toBe('stopped');
  };
  const alone = () => openTeam({ members: [iterative('S1')] });
  const withLead = () => openTeam({ ...lead, members: [iterative('S1')] });

  test("a stopped member does not wait for its provider's limit, and is not sent its prompt when that ends", async () => {
    const team = await withLead();
    team.waiting('S1')?.end({ outcome: 'limit', limitResetsAt: team.clock.time + 3_600_000 });
    await team.idle();
    await stopped(team);
    await team.deliver('lead', 'Done.');
    await team.deliver('lead', 'And done.');
    expect(team.state().outcome).toBe('succeeded');
    team.clock.advance(3_600_000);
    await team.idle();
    expect(sentTo(team, 'S1')).toHaveLength(1);
  });

  test('a stopped member does no work in a team that goes on', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
    team.waiting('S1')?.end({ outcome: 'limit', limitResetsAt: team.clock.time + 3_600_000 });
    await team.deliver('S2', 'draft');
    await team.say('S2', 'plan?');
    await stopped(team);
    await team.restart();
    expect(runStatus(team.state())).toBe('waiting');
    team.clock.advance(3_600_000);
    await team.idle();
    expect(sentTo(team, 'S1')).toHaveLength(1);
  });

  test.each(['interrupted_turn', 'provider_limit', 'login', 'permission'])(
    'a stopped member is no longer asked about for: %s',
    async (kind) => {
      const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
      await team.deliver('S2', 'draft');
      if (kind === 'provider_limit') team.waiting('S1')?.end({ outcome: 'limit' });
      if (kind === 'login') team.waiting('S1')?.end({ outcome: 'failed', error: loggedOut });
      if (kind === 'permission') {
        const about = { tool: 'edit', title: 'Edit x.md', kind: 'edit', diffs: [], hash: 'h1' };
        void team.waiting('S1')?.ask({ ...about, paths: ['/work/x.md'] });
        await team.idle();
      }
      if (kind === 'permission' || kind === 'interrupted_turn') await team.restart();
      await team.idle();
      expect(open(team).map((gate) => gate.kind)).toContain(kind);
      await stopped(team);
      expect(open(team)).toEqual([]);
      expect(sentTo(team, 'S1')).toHaveLength(1);
    },
  );

  test('a stopped member that never began is no longer asked about', async () => {
    const team = await unstarted('fake', { ...lead, members: [iterative('S1')] }, loggedOut);
    await stopped(team);
    expect(open(team)).toEqual([]);
  });

  test('a stopped member is not sent its old prompt when the run is taken up again', async () => {
    const team = await alone();
    await team.call('operator', 'team_spawn', { ...member('S3'), iterative: true });
    await stopped(team);
    await team.cancel();
    await resume(team);
    expect([sentTo(team, 'S1').length, sentTo(team, 'S3').length]).toEqual([1, 2]);
  });

  test('a stopped member is not sent its prompt once more where Muster ended before its turn did', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
    team.agents.heeds = false;
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(team.word('S1')).toBe('stopping');
    await team.restart();
    expect(team.word('S1')).toBe('stopped');
    const asked = Object.values(team.state().gates).map(
      ({ turnId }) => team.state().turns[turnId ?? 0]?.lane,
    );
    expect([sentTo(team, 'S1').length, asked]).toEqual([1, ['member-S2']]);
  });
});

test('a turn that the operator ended stays ended when the run is taken up again', async () => {
  const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
  const turnId = team.waiting('S1')?.request.turnId ?? 0;
  await team.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId, by: 'operator' }]));
  await team.idle();
  await team.cancel();
  await resume(team);
  expect([sentTo(team, 'S1').length, sentTo(team, 'S2').length]).toEqual([1, 2]);
  await team.say('S1', 'rather blue');
  await team.deliver('S1', 'blue');
  expect(team.team.members.S1?.rounds).toMatchObject([{ round: 1, result: { text: 'blue' } }]);
});

const EDIT = { tool: 'edit', title: 'Edit x.md', kind: 'edit', diffs: [], hash: 'h1', paths: ['/work/x.md'] };

test('a graceful shutdown says that it waits for a permission, and force withdraws the question', async () => {
  const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
  void team.waiting('S1')?.ask(EDIT);
  await team.idle();
  const asked = await team.call('operator', 'team_shutdown', { member: 'S1' });
  const waits =
    'It waits for your answer to "Edit x.md". By force it stops at once, and the question is withdrawn.';
  expect(asked.ok && asked.value.text).toBe(`S1 is asked to stop. ${waits}`);
  const again = await team.call('operator', 'team_shutdown', { member: 'S1' });
  expect(again.ok && again.value.text).toBe(`S1 is stopping already. ${waits}`);
  const stopping = team.team.members.S1;
  expect(stopping && memberStatus(team.state(), team.team, stopping)).toMatchObject({
    word: 'awaiting_permission',
    why: 'stops after your answer: Edit x.md',
  });
  await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
  expect([team.word('S1'), open(team)]).toEqual(['stopped', []]);
});

test('a permission request of a member that stops says so', async () => {
  const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
  await team.call('operator', 'team_shutdown', { member: 'S1' });
  void team.waiting('S1')?.ask(EDIT);
  void team.waiting('S2')?.ask({ ...EDIT, hash: 'h2' });
  await team.idle();
  expect(open(team).map(({ why }) => why)).toEqual([
    'S1 is to stop, and does so when this turn has ended. Force in its team ends the turn at once and withdraws this question.',
    null,
  ]);
});
