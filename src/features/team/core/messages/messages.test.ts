import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { describe, expect, test } from 'vitest';
import { earlierTexts, textFor } from '../../contract/messages/thread';
import { errorOf, member, openTeam, type TeamHarness } from '../testing/team';

const iterative = (name: string, more: Record<string, unknown> = {}) =>
  member(name, { iterative: true, ...more });
const lead = { lead: { agent: 'leader' }, instruction: 'Begin' };

const me = (team: TeamHarness, name: string) =>
  ({ role: 'member', name, turnId: team.waiting(name)?.request.turnId ?? null }) as const;
const texts = (team: TeamHarness, kind: string) =>
  Object.values(team.team.messages).flatMap((message) => (message.kind === kind ? [message.text] : []));
const said = (result: Awaited<ReturnType<TeamHarness['call']>>): string =>
  result.ok ? result.value.text : `refused: ${result.error.message}`;

test('a message is never longer than anyone could read, whatever way it takes', async () => {
  const team = await openTeam({ members: [member('S1'), member('S2')] });
  const text = 'x'.repeat(200_001);
  const refused = [
    await team.call('operator', 'team_message', { to: 'S1', text }),
    await team.call({ role: 'member', name: 'S1', turnId: null }, 'team_broadcast', { text }),
  ];
  expect(refused.map(errorOf)).toEqual(Array(2).fill('validation.config'));
});

describe('a result', () => {
  test('a result that was sent before a crash is the one of its round, and is not said twice', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    const text = '<task-result>the draft</task-result>';
    await team.call(me(team, 'S1'), 'team_message', { to: 'lead', text });
    await team.restart();
    await team.answer('continue');
    const again = await team.call(me(team, 'S1'), 'team_message', { to: 'lead', text });
    expect(said(again)).toContain('stored already');
    await team.deliver('S1', 'I had already sent it.');
    expect(texts(team, 'result')).toEqual([text]);
    expect(team.team.members.S1?.rounds.at(0)?.result?.text).toBe('the draft');
  });

  test('a result that is said again after a crash replaces the one before', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    await team.call(me(team, 'S1'), 'team_message', { to: 'lead', text: '<task-result>half</task-result>' });
    await team.restart();
    await team.answer('continue');
    await team.deliver('S1', '<task-result>whole</task-result>');
    expect(team.team.members.S1?.rounds.at(0)?.result?.text).toBe('whole');
    expect(texts(team, 'result')).toHaveLength(2);
  });

  test('a result is told with the text around it, and a tag in code is none', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1')] });
    await team.deliver('lead', 'Begun.');
    const response =
      '<task-result status="blocked">the draft</task-result>\nIs `<task-result>` right? Which audience?';
    await team.deliver('S1', response);
    expect(team.team.members.S1?.rounds.at(0)?.result).toMatchObject({ claim: 'blocked', text: 'the draft' });
    const prompt = team.waiting('lead')?.request.prompt ?? '';
    expect(prompt).toContain(`(round 1, iterative: it waits for the user’s feedback):\n${response}`);
  });

  test('a result is given to the lead with the round that it belongs to', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1')] });
    await team.deliver('S1', 'one');
    await team.say('S1', 'go on');
    await team.deliver('lead', 'Begun.');
    expect(team.waiting('lead')?.request.prompt).toContain('Result of S1 (round 1):\n<task-result>\none\n');
    await team.deliver('lead', 'Seen.');
    await team.deliver('S1', 'two');
    expect(team.waiting('lead')?.request.prompt).toContain('Result of S1 (round 2, iterative: it waits');
  });
});

describe('messages to a member that stops', () => {
  test('a message to a stopping member is refused while its last round is under way, and read with it where that is still to come', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    await team.deliver('S1', 'one');
    await team.call('operator', 'satisfied', { member: 'S1' });
    expect(errorOf(await team.say('S1', 'one thing more'))).toBe('team.member_ended');
    const busy = await openTeam({ members: [iterative('S1')] });
    await busy.call('operator', 'satisfied', { member: 'S1' });
    expect(errorOf(await busy.say('S1', 'one thing more'))).toBeNull();
    await busy.deliver('S1', 'one');
    expect(busy.waiting('S1')?.request.prompt).toContain('one thing more');
  });

  test('a message to a stopping member is said to have been left unread', async () => {
    const team = await openTeam({ members: [member('S1'), member('S2')] });
    await team.say('S1', 'and the tests');
    await team.call('operator', 'team_shutdown', { member: 'S1' });
    await team.deliver('S1', 'done');
    expect(team.word('S1')).toBe('stopped');
    expect(texts(team, 'notice')).toEqual(['S1 has stopped and did not read: and the tests']);
  });
});

test('a message that is withdrawn stays delivered to a member that already has it', async () => {
  const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
  await team.call('operator', 'team_broadcast', { text: 'use tabs' });
  await team.deliver('S2', 'one');
  await team.say('S2', 'go on');
  const { id } = Object.values(team.team.messages).find(({ text }) => text === 'use tabs') ?? { id: 0 };
  const withdrawn = {
    type: 'team.message-withdrawn' as const,
    activationId: 1,
    messageId: id,
    by: 'operator',
  };
  await team.engine.command(1, () => ok([withdrawn]));
  const { deliveries } = team.team.messages[id] ?? {};
  expect([deliveries?.S1?.state, deliveries?.S2?.state]).toEqual(['withdrawn', 'delivered']);
});

test('an edit of a broadcast leaves each member that has it the text that it got', async () => {
  const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
  await team.call('operator', 'team_broadcast', { text: 'use tabs' });
  await team.deliver('S2', 'one');
  await team.say('S2', 'go on');
  const { id } = Object.values(team.team.messages).find(({ text }) => text === 'use tabs') ?? { id: 0 };
  const edit = (text: string) =>
    team.engine.command(1, () =>
      ok([{ type: 'team.message-edited' as const, activationId: 1, messageId: id, text }]),
    );
  await edit('use spaces');
  await edit('use two spaces');
  const message = team.team.messages[id] ?? { text: '', deliveries: {} };
  const shown = [null, 'S1', 'S2'].map((who) => textFor(message, who));
  expect(shown).toEqual(['use two spaces', 'use two spaces', 'use tabs']);
  expect(earlierTexts(message)).toEqual([{ text: 'use tabs', names: ['S2'] }]);
});

test('a lead that says in the words of the operator that it is satisfied is told that this releases no one', async () => {
  const team = await openTeam({ ...lead, members: [iterative('S1')] });
  await team.deliver('lead', 'Begun.');
  await team.deliver('S1', 'one');
  const say = (text: string) => team.call('lead', 'team_message', { to: 'S1', text });
  for (const text of ["I'm satisfied with S1.", "Great, you're done."])
    expect(said(await say(text))).toContain('only the user can be satisfied with S1');
  expect(team.team.members.S1?.rounds).toHaveLength(1);
  expect(errorOf(await say("I'm satisfied with the first part. Now shorten the second."))).toBeNull();
  expect(team.waiting('S1')?.request.prompt).toContain('Now shorten the second.');
});

test('a final text with an unknown status counts as a result, and its reader is told of the status', async () => {
  const team = await openTeam({ members: [iterative('S1')] });
  await team.deliver('S1', '<task-result status="splendid">one</task-result>');
  expect(team.team.members.S1?.rounds[0]?.result).toMatchObject({ claim: 'none', text: 'one' });
  expect(texts(team, 'notice')).toEqual([
    'The result of S1 has the unknown status "splendid". It counts as a result without a status.',
  ]);
});

test('a team ends though a note waits for a lead that nothing wakes any more', async () => {
  const team = await openTeam({ ...lead, members: [member('S1'), member('S2')] });
  await team.deliver('lead', 'Begun.');
  await team.call(me(team, 'S2'), 'team_broadcast', { text: 'nearly there' });
  await team.call('lead', 'team_shutdown', { member: 'S1', force: true });
  await team.call('lead', 'team_shutdown', { member: 'S2', force: true });
  expect(team.team.leadQueue).toHaveLength(1);
  expect(team.state().outcome).toBe('succeeded');
});

describe('the tool team_results', () => {
  test('the tool team_results takes no instruction from a member: its round begins with it', async () => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')] });
    await team.call(me(team, 'S2'), 'team_message', { to: 'S1', text: 'a hint' });
    await team.say('S1', 'make it blue');
    const read = said(await team.call(me(team, 'S1'), 'team_results', {}));
    expect(read).toBe(
      'From S2 (note):\na hint\n\nThere are new instructions for you: they come when your turn ends.',
    );
    await team.deliver('S1', 'one');
    expect(team.waiting('S1')?.request.prompt).toBe('The operator says:\nmake it blue');
  });

  test('the tool team_results refuses an unknown name, finds one in any case, and says which round it is', async () => {
    const team = await openTeam({ ...lead, members: [iterative('S1')] });
    const caller = { role: 'lead', name: 'lead', turnId: 1 } as const;
    expect(said(await team.call(caller, 'team_results', { from: 'S9' }))).toContain('no member "S9"');
    await team.deliver('S1', 'one');
    expect(said(await team.call(caller, 'team_results', { from: 's1' }))).toContain(
      'From S1 (result, round 1):\none',
    );
  });
});

describe('leads that are agents', () => {
  test('a lead that is an agent is told of iterative members as they are, with the one that has just joined', async () => {
    const team = await openTeam(lead);
    const input = { agent: 'fake', prompt: 'p', iterative: true, worktree: false };
    const caller = { role: 'lead', name: 'lead', turnId: 1 } as const;
    const spawned = said(await team.call(caller, 'team_spawn', { ...input, name: 'S1' }));
    expect(spawned).toContain('In ITERATIVE MODE now:\n- S1 (fake, iterative): its first round is to come');
    expect(said(await team.call(caller, 'team_spawn', { ...input, name: 'S2' }))).not.toContain('ITERATIVE');
  });

  test('a lead that is an agent hears of a member that the operator adds, and of one that they shut down', async () => {
    const team = await openTeam(lead);
    await team.deliver('lead', 'I wait.');
    const input = { name: 'S1', agent: 'fake', prompt: 'p', iterative: true, worktree: false };
    await team.call('operator', 'team_spawn', input);
    const prompt = team.waiting('lead')?.request.prompt ?? '';
    expect(prompt).toContain('The user has added S1 (fake, iterative) to the team');
    expect(prompt).toContain('ITERATIVE MODE:');
    await team.deliver('lead', 'Welcome.');
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(team.waiting('lead')?.request.prompt).toContain('The user has shut down S1 at once.');
  });
});

describe('the number of a round', () => {
  test('the number of a round is that of the begun round, in its prompt after a restart and in the last one', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    await team.deliver('S1', 'one');
    team.clock.advance(24 * 3_600_000);
    await team.idle();
    expect(team.word('S1')).toBe('parked');
    await team.say('S1', 'again');
    expect(team.waiting('S1')?.request.prompt).toContain('This is round 2.');
    await team.restart();
    await team.call('operator', 'satisfied', { member: 'S1' });
    await team.answer('resend');
    await team.deliver('S1', 'two');
    expect(team.waiting('S1')?.request.prompt).toContain('S1, round 3 is your last one');
    expect(team.team.members.S1?.rounds.at(-1)).toMatchObject({ round: 3, final: true });
  });

  test('the number of a round is not moved by a plan that came before', async () => {
    const team = await openTeam({ members: [iterative('S1', { plan_approval: true })] });
    await team.deliver('S1', 'plan');
    await team.answer('approve');
    const error = appError('agent.failed', 'it broke');
    team.waiting('S1')?.end({ outcome: 'failed', stopReason: 'error', error });
    await team.idle();
    const [posted] = team.events().flatMap((event) => (event.type === 'update.posted' ? [event.text] : []));
    expect(posted).toContain('Iteration 1/50');
  });

  test('a plan that was sent by the tool is the plan', async () => {
    const team = await openTeam({ members: [iterative('S1', { plan_approval: true })] });
    const text = '<task-result>first this, then that</task-result>';
    await team.call(me(team, 'S1'), 'team_message', { to: 'lead', text });
    await team.deliver('S1', 'I have sent my plan.');
    expect(team.team.members.S1?.plan.text).toBe('first this, then that');
  });
});
