import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { describe, expect, test } from 'vitest';
import { errorOf, member, openTeam, profiles, prompts, TeamHarness } from './testing/team';

const iterative = (name: string, more: Record<string, unknown> = {}) =>
  member(name, { iterative: true, ...more });
const lead = { lead: { agent: 'leader' }, instruction: 'Run my agents in iterative mode' };

describe('iterative members (seed 003)', () => {
  test('iterative members are told the words of the seed, deliver, and wait, and only an instruction starts the next round', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    const first = team.waiting('S1')?.request.prompt ?? '';
    expect(first).toContain('IMPORTANT: You are in ITERATIVE MODE.');
    expect(first).toContain('2. Then WAIT. Do NOT stop. Do NOT mark your task complete.');
    expect(first).toContain('## Your task\nwork of S1');
    expect(team.word('S1')).toBe('working');
    await team.deliver('S1', '<task-result>first draft</task-result>');
    expect(team.word('S1')).toBe('awaiting_operator');
    expect(team.waiting('S1')).toBeUndefined();
    await team.say('S1', 'Add more terminology');
    expect(team.waiting('S1')?.request.prompt).toBe('The operator says:\nAdd more terminology');
    await team.deliver('S1', 'updated draft');
    expect(team.team.members.S1?.rounds.map((round) => round.result?.text)).toEqual([
      'first draft',
      'updated draft',
    ]);
    expect(team.state().status).toBe('running');
    const updates = team.events().flatMap((event) => (event.type === 'update.posted' ? [event.text] : []));
    expect(updates).toEqual([
      'Iteration 1/50\nStory: S1 - team\nResult: completed\nCommit: none\nSummary: first draft',
      'Iteration 2/50\nStory: S1 - team\nResult: completed\nCommit: none\nSummary: updated draft',
    ]);
  });

  test('iterative members end by the operator alone: one last round, then they stop and the step outputs their results', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
    await team.deliver('S1', 'one');
    await team.deliver('S2', 'two');
    await team.call('operator', 'satisfied', { member: 'S1' });
    expect(team.waiting('S1')?.request.prompt).toContain('Lead is satisfied. Mark complete and send final.');
    expect(team.word('S1')).toBe('stopping');
    await team.deliver('S1', '<task-result status="completed">final one</task-result>');
    expect(team.word('S1')).toBe('stopped');
    expect(team.team.members.S1?.rounds.at(-1)).toMatchObject({
      final: true,
      result: { claim: 'completed' },
    });
    expect(team.state().status).toBe('running');
    await team.call('operator', 'satisfied', { member: 'S2' });
    await team.deliver('S2', 'final two');
    const state = team.state();
    expect(state.outcome).toBe('succeeded');
    expect(state.activations[1]?.outputs.data_out?.content).toMatchObject({
      members: { S1: { result: 'final one', rounds: 2 }, S2: { result: 'final two' } },
    });
  });

  test('iterative members cannot be shut down, merged or cleaned up by their lead before the operator released them', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1')] });
    await team.deliver('S1', 'draft');
    expect(errorOf(await team.call('lead', 'team_shutdown', { member: 'S1' }))).toBe('team.not_released');
    expect(errorOf(await team.call('lead', 'team_merge', { member: 'S1' }))).toBe('team.not_released');
    const cleanup = await team.call('lead', 'team_cleanup', {});
    expect(cleanup).toMatchObject({
      error: { code: 'team.cleanup_refused', message: expect.stringContaining('S1 is iterative') },
    });
    const me = { role: 'member', name: 'S1', turnId: null } as const;
    await team.call(me, 'team_tasks_add', { tasks: [{ content: 'mine' }] });
    expect(errorOf(await team.call(me, 'team_tasks_complete', { task_id: 1 }))).toBe('team.not_released');
    await team.call('operator', 'satisfied', { member: 'S1' });
    expect(errorOf(await team.call(me, 'team_tasks_complete', { task_id: 1 }))).toBeNull();
  });

  test('iterative members are not woken by broadcasts and peers, which they read with the next instruction', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
    await team.deliver('S1', 'a');
    await team.call({ role: 'member', name: 'S2', turnId: 2 }, 'team_message', { to: 'S1', text: 'hello' });
    await team.call('operator', 'team_broadcast', { text: 'lunch at one' });
    expect(team.waiting('S1')).toBeUndefined();
    await team.say('S1', 'go on');
    expect(team.waiting('S1')?.request.prompt).toBe(
      'Note from S2:\nhello\n\nNote from The operator:\nlunch at one\n\nThe operator says:\ngo on',
    );
  });
});

describe('a lead that is an agent', () => {
  test('a lead that is an agent plays the story of the seed: spawns, relays, waits, and cleans up at the end', async () => {
    const team = await openTeam(lead);
    expect(team.waiting('lead')?.request.prompt).toContain('Run my agents in iterative mode');
    const turn = team.waiting('lead')?.request.turnId ?? 0;
    const me = { role: 'lead', name: 'lead', turnId: turn } as const;
    const spawned = await team.call(me, 'team_spawn', {
      name: 'S1',
      agent: 'fake',
      prompt: 'Refine this prompt',
      iterative: true,
      worktree: false,
    });
    expect(spawned.ok && spawned.value.text).toContain('ITERATIVE MODE:');
    expect(team.waiting('S1')).toBeDefined();
    await team.deliver('lead', "I've spawned 1 agent.");
    await team.deliver('S1', "<task-result>Here's my first prompt draft</task-result>");
    expect(team.word('S1')).toBe('awaiting_lead');
    expect(team.waiting('lead')?.request.prompt).toContain("<task-result>\nHere's my first prompt draft");
    await team.deliver('lead', 'S1 has a first draft. What do you think?');
    expect(team.word('S1')).toBe('awaiting_operator');
    await team.say('lead', 'S1: add more design system terminology');
    await team.call(me, 'team_message', { to: 'S1', text: 'Lead says: add more design system terminology' });
    await team.deliver('lead', 'Told.');
    expect(team.waiting('S1')?.request.prompt).toContain('Lead says:\nLead says: add more');
    await team.deliver('S1', '<task-result>Updated</task-result>');
    await team.deliver('lead', 'Here it is.');
    await team.call('operator', 'satisfied', { member: 'S1' });
    expect(team.waiting('lead')?.request.prompt).toContain('The user is satisfied with S1.');
    await team.deliver('S1', '<task-result status="completed">Final draft</task-result>');
    await team.deliver('lead', 'Done with S1.');
    await team.deliver('lead', 'Final noted.');
    expect(team.state().outcome).toBe('succeeded');
    expect(team.team.messages[1]).toMatchObject({
      from: 'operator',
      deliveries: { lead: { state: 'delivered' } },
    });
  });

  test('a lead that is an agent is refused an unknown name, with a hint', async () => {
    const team = await openTeam({ ...lead, members: [iterative('painter')] });
    const typo = await team.call('lead', 'team_message', { to: 'paintr', text: 'x' });
    expect(typo).toMatchObject({ error: { code: 'team.unknown_member', mend: 'did you mean: painter?' } });
    const again = { name: 'Painter', agent: 'fake', prompt: 'x' };
    expect(errorOf(await team.call('lead', 'team_spawn', again))).toBe('team.name_taken');
    expect(errorOf(await team.call('lead', 'team_spawn', { ...again, name: 'lead' }))).toBe(
      'validation.config',
    );
    expect(errorOf(await team.call('lead', 'team_spawn', { ...again, name: 'b', agent: 'nobody' }))).toBe(
      'validation.profile_unknown',
    );
    expect(errorOf(await team.call({ role: 'member', name: 'painter', turnId: 1 }, 'team_cleanup', {}))).toBe(
      'team.not_allowed',
    );
  });

  test('a lead that is an agent gets a result that was sent by the tool once, not again at the end of the turn', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1')] });
    const turnId = team.waiting('S1')?.request.turnId ?? 0;
    const me = { role: 'member', name: 'S1', turnId } as const;
    const sent = { to: 'lead', text: '<task-result>the draft</task-result>' };
    await team.call(me, 'team_message', sent);
    await team.call(me, 'team_message', sent);
    await team.deliver('S1', 'I have sent it and wait.');
    const results = Object.values(team.team.messages).filter((message) => message.kind === 'result');
    expect(results).toHaveLength(1);
    expect(team.team.members.S1?.rounds[0]?.result?.text).toBe('the draft');
  });
});

describe('one-shot members', () => {
  test('one-shot members report once, stand idle, and are cleaned up', async () => {
    const team = await openTeam({ members: [member('one'), member('two')] });
    expect(team.waiting('one')?.request.prompt).toContain('Then stop.');
    await team.deliver('one', 'done');
    expect(team.word('one')).toBe('idle');
    expect(errorOf(await team.call('operator', 'team_cleanup', {}))).toBe('team.cleanup_refused');
    await team.deliver('two', 'done too');
    expect(errorOf(await team.call('operator', 'team_cleanup', {}))).toBeNull();
    expect(team.state().outcome).toBe('succeeded');
  });
});

describe('failures in a team', () => {
  test('a member that fails is out, the lead and the inbox know, and it can be taken up again', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
    team.waiting('S1')?.end({ outcome: 'failed', stopReason: 'crashed' });
    await team.idle();
    expect(team.word('S1')).toBe('failed');
    expect(team.word('S2')).toBe('working');
    const notices = Object.values(team.team.messages).filter((message) => message.kind === 'notice');
    expect(notices.map((message) => message.text)).toEqual([expect.stringContaining('S1 failed')]);
    await team.answer('restore');
    expect(team.waiting('S1')?.request.prompt).toContain('## Your task\nwork of S1');
    await team.deliver('S1', 'now it works');
    expect(team.team.members.S1?.rounds).toHaveLength(1);
    expect(team.word('S1')).toBe('awaiting_operator');
  });

  test('a lead that fails is asked about, and brought back with its unread messages', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1')] });
    team.waiting('lead')?.end({ outcome: 'failed', stopReason: 'crashed' });
    await team.idle();
    await team.deliver('S1', 'draft');
    expect(team.word('S1')).toBe('awaiting_operator');
    expect(Object.values(team.state().gates)).toMatchObject([{ title: 'The lead failed', status: 'open' }]);
    await team.answer('restore');
    expect(team.waiting('lead')?.request.prompt).toContain('Run my agents in iterative mode');
    await team.deliver('lead', 'Here I am.');
    expect(team.waiting('lead')?.request.prompt).toContain('Result of S1');
  });

  test('a turn without a sign of life is reported, and never ended by itself', async () => {
    const team = await openTeam({ members: [iterative('S1')], stall_minutes: 5 });
    team.clock.advance(5 * 60_000 + 1);
    await team.idle();
    expect(team.team.members.S1?.stalled?.why).toContain('nothing was heard');
    expect(team.word('S1')).toBe('working');
    const open = Object.values(team.state().gates).filter((gate) => gate.status === 'open');
    expect(open.map((gate) => gate.title)).toEqual(['S1 stalls']);
    await team.deliver('S1', 'here I am');
    expect(team.team.members.S1?.stalled).toBeNull();
    expect(Object.values(team.state().gates).map((gate) => gate.status)).toEqual(['withdrawn']);
  });

  test('a wait that no one ends parks the member, and a message takes it up again with its role', async () => {
    const team = await openTeam({ members: [iterative('S1')], idle_minutes: 60 });
    await team.deliver('S1', 'draft');
    team.clock.advance(60 * 60_000 + 1);
    await team.idle();
    expect(team.word('S1')).toBe('parked');
    expect(team.agents.ended).toEqual([expect.stringContaining('park')]);
    team.clock.advance(1);
    await team.say('S1', 'still there?');
    const prompt = team.waiting('S1')?.request.prompt ?? '';
    expect(prompt).toContain('IMPORTANT: You are in ITERATIVE MODE.');
    expect(prompt).toContain('The operator says:\nstill there?');
    // The question whether to keep it has become obsolete.
    expect(Object.values(team.state().gates).map((gate) => gate.status)).toEqual(['withdrawn']);
  });

  test('the words of their roles are said again after a compaction, once', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1')] });
    team.waiting('lead')?.end({ response: 'Begun.', compacted: true });
    await team.idle();
    team.waiting('S1')?.end({ response: 'draft', compacted: true });
    await team.idle();
    expect(team.waiting('lead')?.request.prompt).toMatch(/shortened to make room[\s\S]*ITERATIVE MODE:/);
    await team.deliver('lead', 'S1 has a draft.');
    await team.say('S1', 'more');
    const prompt = team.waiting('S1')?.request.prompt ?? '';
    expect(prompt).toContain('Your conversation was shortened to make room.');
    expect(prompt).toContain('IMPORTANT: You are in ITERATIVE MODE.');
    expect(prompt).toContain('The operator says:\nmore');
    await team.deliver('S1', 'another');
    await team.say('S1', 'and more');
    expect(team.waiting('S1')?.request.prompt).not.toContain('ITERATIVE MODE');
  });

  test('a merge that was not made is asked about, and keeps the team open until it is made or left', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    const refused = err(
      appError('conflict', 'Your changes would be overwritten.', { mend: 'Put them away.' }),
    );
    const { merge } = team.merges;
    Object.assign(team.merges, { merge: async () => refused });
    await team.deliver('S1', 'draft');
    const stopped = {
      type: 'team.stopped',
      activationId: 1,
      member: 'S1',
      reason: 'x',
      frozen: 'abc',
    } as const;
    await team.engine.command(1, () => ok([stopped]));
    await team.idle();
    await team.answer('merge');
    expect(team.state().status).toBe('running');
    expect(team.team.merges[1]?.status).toBe('failed');
    const open = () => Object.values(team.state().gates).filter((gate) => gate.status === 'open');
    expect(open()).toMatchObject([
      {
        title: 'The work of S1 is not merged',
        message: 'Your changes would be overwritten. Put them away.',
      },
    ]);
    await team.answer('again');
    expect(open().map((gate) => gate.title)).toEqual(['Merge S1 into main?']);
    Object.assign(team.merges, { merge });
    await team.answer('merge');
    expect(team.word('S1')).toBe('merged');
    expect(team.state().outcome).toBe('succeeded');
  });

  test('a note to all does not keep a member that waits from being parked', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')], idle_minutes: 60 });
    await team.deliver('S1', 'draft');
    await team.call('operator', 'team_broadcast', { text: 'lunch at one' });
    team.clock.advance(60 * 60_000 + 1);
    await team.idle();
    expect(team.word('S1')).toBe('parked');
    expect(team.agents.ended).toEqual([expect.stringContaining('park')]);
  });

  test('waiting messages are delivered in order and once after a crash', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    await team.say('S1', 'first');
    await team.say('S1', 'second');
    expect(team.agents.sent).toHaveLength(1);
    await team.restart();
    expect(team.word('S1')).toBe('awaiting_operator');
    await team.answer('resend');
    await team.deliver('S1', 'round one');
    expect(team.waiting('S1')?.request.prompt).toContain(
      'The operator says:\nfirst\n\nThe operator says:\nsecond',
    );
    await team.restart();
    await team.answer('continue');
    await team.deliver('S1', 'round two');
    expect(team.waiting('S1')).toBeUndefined();
    expect(team.team.members.S1?.rounds.map((round) => round.result?.text)).toEqual([
      'round one',
      'partial\n\nround two',
    ]);
  });

  test('the rounds have a cap, which the operator can raise', async () => {
    const team = await openTeam({ members: [iterative('S1')], max_rounds: 1 });
    await team.deliver('S1', 'one');
    await team.say('S1', 'more');
    expect(team.waiting('S1')).toBeUndefined();
    await team.answer('more');
    expect(team.waiting('S1')?.request.prompt).toContain('more');
  });

  test('the budget has a cap, and waiting prompts are sent when the operator has allowed more', async () => {
    const team = new TeamHarness();
    team.agents.answer = () => null;
    const config = { members: [iterative('S1')] };
    await team.run(
      { budget: { tokens: 100 }, steps: [{ id: 'team', type: 'step.team', config }] },
      { profiles, prompts },
    );
    team.config = config;
    const usage = { input_tokens: 90, output_tokens: 20, total_tokens: 110, cost_usd: null };
    team.waiting('S1')?.end({ response: 'one', usage });
    await team.idle();
    await team.say('S1', 'more');
    expect(team.waiting('S1')).toBeUndefined();
    expect(Object.values(team.state().gates)).toMatchObject([{ kind: 'budget', status: 'open' }]);
    await team.answer('raise');
    expect(team.waiting('S1')?.request.prompt).toBe('The operator says:\nmore');
  });

  test('a plan is approved by the operator alone, and a lead may only send it back', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1', { plan_approval: true })] });
    await team.deliver('S1', 'plan A');
    const approved = await team.call('lead', 'team_message', { to: 'S1', text: '', approve: true });
    expect(approved).toMatchObject({ error: { code: 'team.not_allowed' } });
    expect(team.team.members.S1?.plan.status).toBe('pending');
    await team.call('lead', 'team_message', { to: 'S1', text: 'smaller', reject: true });
    expect(Object.values(team.state().gates).map((gate) => gate.status)).toEqual(['withdrawn']);
    await team.deliver('S1', 'plan B');
    await team.call('operator', 'team_message', { to: 'S1', text: '', approve: true });
    expect(team.waiting('S1')?.request.prompt).toContain('Your plan is approved.');
  });

  test('a plan is sent back as often as needed, before the first round', async () => {
    const team = await openTeam({ members: [iterative('S1', { plan_approval: true })] });
    expect(team.waiting('S1')?.request.prompt).toContain('answer with a plan');
    await team.deliver('S1', 'plan A');
    await team.answer('reject', { reason: 'smaller' });
    expect(team.waiting('S1')?.request.prompt).toContain('Your plan is not approved. smaller');
    await team.deliver('S1', 'plan B');
    expect(team.team.members.S1?.rounds).toEqual([]);
    await team.answer('approve');
    expect(team.waiting('S1')?.request.prompt).toContain('Your plan is approved.');
    await team.deliver('S1', 'built');
    expect(team.team.members.S1?.rounds.map((round) => round.round)).toEqual([1]);
  });

  test('a turn that the operator interrupts goes on with what they say next, in the same round', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    await team.engine.command(1, () => ({
      ok: true,
      value: [{ type: 'turn.cancel-requested', turnId: 1, by: 'operator' }],
    }));
    await team.idle();
    expect(team.word('S1')).toBe('awaiting_operator');
    await team.say('S1', 'rather blue');
    await team.deliver('S1', 'blue');
    expect(team.team.members.S1?.rounds).toMatchObject([
      { round: 1, turnIds: [1, 2], result: { text: 'blue' } },
    ]);
  });

  test('nothing is watched over any more when the team has ended', async () => {
    const team = await openTeam({ members: [iterative('S1')], stall_minutes: 1, round_minutes: 1 });
    await team.deliver('S1', 'draft');
    await team.call('operator', 'satisfied', { member: 'S1' });
    await team.deliver('S1', 'final');
    expect(team.state().outcome).toBe('succeeded');
    const before = team.events().length;
    team.clock.advance(48 * 3_600_000);
    await team.idle();
    expect(team.events()).toHaveLength(before);
  });
});
