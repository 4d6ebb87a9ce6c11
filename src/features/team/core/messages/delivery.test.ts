import { describe, expect, test } from 'vitest';
import { errorOf, member, openTeam, type TeamHarness } from '../testing/team';
import { isQuestion } from './question';

const iterative = (name: string, more: Record<string, unknown> = {}) =>
  member(name, { iterative: true, ...more });
const led = { lead: { agent: 'leader' }, instruction: 'Lead them.' };
const me = (team: TeamHarness, name: string) =>
  ({ role: 'member', name, turnId: team.waiting(name)?.request.turnId ?? null }) as const;
const gates = (team: TeamHarness): string[] =>
  Object.values(team.state().gates).flatMap(({ status, title }) => (status === 'open' ? [title] : []));
const textOf = async (answer: ReturnType<TeamHarness['call']>): Promise<string> => {
  const result = await answer;
  return result.ok ? result.value.text : `${result.error.code}: ${result.error.message}`;
};

describe('one-shot members that have reported', () => {
  test('a one-shot member is not woken by fifty thanks of its lead, whose answer names iterative', async () => {
    const team = await openTeam({ ...led, members: [member('ada')], messages_per_minute: 600 });
    await team.deliver('lead', 'Begun.');
    await team.deliver('ada', '<task-result status="completed">done</task-result>');
    for (let index = 0; index < 50; index += 1) {
      const told = await textOf(team.call('lead', 'team_message', { to: 'ada', text: 'thanks' }));
      expect(told).toContain('iterative: true');
      expect(team.waiting('ada')).toBeUndefined();
    }
    expect(team.team.members.ada?.rounds).toHaveLength(1);
    expect(Object.values(team.team.messages).filter(({ text }) => text === 'thanks')).toHaveLength(50);
  });

  test('a one-shot member is not woken by the operator either, and by no restart', async () => {
    const team = await openTeam({ members: [member('ada'), iterative('S1')] });
    await team.deliver('ada', 'done');
    expect(await textOf(team.say('ada', 'thanks'))).toContain('add a member in iterative mode');
    await team.restart();
    expect(team.waiting('ada')).toBeUndefined();
  });

  test('a one-shot member that reported itself blocked is taken up again by the answer', async () => {
    const team = await openTeam({ members: [member('ada'), iterative('S1')] });
    await team.deliver('ada', '<task-result status="blocked">Which key?</task-result>');
    expect(team.word('ada')).toBe('awaiting_operator');
    await team.say('ada', 'the blue one');
    expect(team.waiting('ada')?.request.prompt).toBe('The operator says:\nthe blue one');
  });
});

describe('tasks', () => {
  const board = (team: TeamHarness) =>
    Object.values(team.team.tasks).map(({ status, owner }) => `${status} ${owner ?? '-'}`);
  const withTasks = async (config: Record<string, unknown>): Promise<TeamHarness> => {
    const team = await openTeam(config);
    const tasks = [{ content: 'build' }, { content: 'test', depends_on: [1] }];
    await team.call('operator', 'team_tasks_add', { tasks });
    return team;
  };

  test('tasks that an iterative member claimed are completed by its acceptance, and unblock the tasks that depend on them', async () => {
    const team = await withTasks({ members: [iterative('S1'), iterative('S2')] });
    await team.call(me(team, 'S1'), 'team_tasks_claim', { task_id: 1 });
    await team.deliver('S1', 'draft');
    const listed = await textOf(team.call('operator', 'team_tasks_list', {}));
    expect(listed).toContain('1. [in progress (S1), waits for acceptance, medium] build');
    await team.call('operator', 'satisfied', { member: 'S1' });
    expect(board(team)).toEqual(['completed S1', 'pending -']);
    await team.deliver('S1', 'final');
    expect(board(team)).toEqual(['completed S1', 'pending -']);
  });

  test('tasks that an accepted member claims in its last round are completed when it stops', async () => {
    const team = await withTasks({ members: [iterative('S1'), iterative('S2')] });
    await team.deliver('S1', 'draft');
    await team.call('operator', 'satisfied', { member: 'S1' });
    await team.call(me(team, 'S1'), 'team_tasks_claim', { task_id: 1 });
    await team.deliver('S1', 'final');
    expect(board(team)).toEqual(['completed S1', 'pending -']);
  });

  test('tasks of a member that was shut down without acceptance are free again', async () => {
    const team = await withTasks({ members: [iterative('S1'), iterative('S2')] });
    await team.call(me(team, 'S1'), 'team_tasks_claim', { task_id: 1 });
    await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
    expect(board(team)).toEqual(['pending -', 'blocked -']);
  });

  test('tasks of a one-shot member are completed by its completed report', async () => {
    const team = await withTasks({ members: [member('ada'), iterative('S1')] });
    await team.call(me(team, 'ada'), 'team_tasks_claim', { task_id: 1 });
    await team.deliver('ada', '<task-result status="completed">done</task-result>');
    expect(board(team)).toEqual(['completed ada', 'pending -']);
  });

  test('tasks are claimed at the spawn with claim_task, or the spawn is refused with the reason', async () => {
    const team = await withTasks({ members: [iterative('S1')] });
    const spawn = (name: string, claim_task: number) =>
      team.call('operator', 'team_spawn', { name, agent: 'fake', prompt: 'x', worktree: false, claim_task });
    expect(errorOf(await spawn('ada', 2))).toBe('team.task_blocked');
    expect(errorOf(await spawn('ada', 9))).toBe('team.task_unknown');
    expect(await textOf(spawn('ada', 1))).toContain('It has task 1.');
    expect(board(team)).toEqual(['in_progress ada', 'blocked -']);
    expect(errorOf(await spawn('ben', 1))).toBe('team.task_foreign');
    expect(Object.keys(team.team.members)).toEqual(['S1', 'ada']);
  });
});

describe('the result of a turn', () => {
  const result = (team: TeamHarness) => team.team.members.S1?.rounds.at(-1)?.result?.text;
  const send = (team: TeamHarness, text: string) =>
    team.call(me(team, 'S1'), 'team_message', { to: 'lead', text });

  test('the result of a turn is the last one that was sent, and the lead gets no outdated one', async () => {
    const team = await openTeam({ ...led, members: [iterative('S1')] });
    await send(team, '<task-result>outdated</task-result>');
    expect(await textOf(send(team, '<task-result>corrected</task-result>'))).toContain('replaces');
    await team.deliver('S1', 'Sent.');
    expect(result(team)).toBe('corrected');
    await team.deliver('lead', 'Begun.');
    expect(team.waiting('lead')?.request.prompt).toContain('corrected');
    expect(team.waiting('lead')?.request.prompt).not.toContain('outdated');
  });

  test('the result of a turn is its final text, where that differs from the one sent', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    await send(team, '<task-result>outdated</task-result>');
    await team.deliver('S1', '<task-result status="completed">corrected</task-result>');
    expect(result(team)).toBe('corrected');
  });

  test('the result of a turn is not sent with an unknown status', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    expect(await textOf(send(team, '<task-result status="splendid">x</task-result>'))).toContain(
      'validation.config: status="splendid" is not a status',
    );
    expect(Object.values(team.team.messages).filter(({ kind }) => kind === 'result')).toEqual([]);
  });
});

describe('turns that end without a result', () => {
  test('a turn without a result is reminded once, then the operator is asked and can have it reminded again', async () => {
    const team = await openTeam({ members: [iterative('S1')] });
    await team.deliver('S1', '');
    expect(team.waiting('S1')?.request.prompt).toContain('Muster says:\nYour turn ended without a result.');
    expect(gates(team)).toEqual([]);
    await team.deliver('S1', '  ');
    expect(team.waiting('S1')).toBeUndefined();
    expect(gates(team)).toEqual(['S1 ended its turn without a result']);
    expect(team.word('S1')).toBe('awaiting_operator');
    await team.answer('remind');
    await team.deliver('S1', 'draft');
    expect(gates(team)).toEqual([]);
    expect(team.team.members.S1?.rounds).toMatchObject([{ round: 1, result: { text: 'draft' } }]);
  });

  test('a turn without a result can be taken as delivered, and its question goes when the operator writes instead', async () => {
    const team = await openTeam({ members: [member('ada'), member('ben'), iterative('S1')] });
    for (const name of ['ada', 'ben']) {
      await team.deliver(name, '');
      await team.deliver(name, '');
    }
    await team.say('ben', 'say something');
    expect(gates(team)).toEqual(['ada ended its turn without a result']);
    await team.answer('accept');
    expect(team.word('ada')).toBe('idle');
    await team.deliver('ben', 'something');
    expect(team.word('ben')).toBe('idle');
  });

  test('a turn without a result is reported to a lead that is an agent, also after a restart', async () => {
    const team = await openTeam({ ...led, members: [iterative('S1')] });
    await team.deliver('lead', 'Begun.');
    await team.deliver('S1', '');
    await team.deliver('S1', '');
    expect(team.waiting('lead')?.request.prompt).toContain('S1 ended its turn without a result');
    await team.restart();
    expect(gates(team)).toContain('S1 ended its turn without a result');
  });

  test('a turn that ends with a question has no result, and the round goes on with the answer', async () => {
    const team = await openTeam({ ...led, members: [member('ada'), iterative('S1')] });
    await team.deliver('lead', 'Begun.');
    await team.deliver('S1', 'The form has two colours. Which of them is meant?');
    expect(team.word('S1')).toBe('awaiting_lead');
    expect(team.waiting('lead')?.request.prompt).toContain('S1 says:\nThe form has two colours.');
    await team.call(me(team, 'ada'), 'team_message', { to: 'lead', text: 'Which file?' });
    await team.deliver('ada', 'I have asked.');
    await team.call('lead', 'team_message', { to: 'S1', text: 'blue' });
    await team.call('lead', 'team_message', { to: 'ada', text: 'main.ts' });
    await team.deliver('S1', 'drawn in blue');
    await team.deliver('ada', 'done');
    expect(team.team.members.S1?.rounds).toMatchObject([{ round: 1, result: { text: 'drawn in blue' } }]);
    expect(team.team.members.ada?.rounds).toMatchObject([{ round: 1, result: { text: 'done' } }]);
  });

  test.each([
    ['Which of the two files do you mean?', true],
    ['I found two.\n\n**Should it be blue or green?**', true],
    ['Here is the draft. What do you think?', false],
    ['Done. Anything else?', false],
    ['Done. Would you like me to add tests?', false],
    ['Is it blue? I took blue.', false],
    ['Draft:\nTo be or not to be.\nDoes this look right?', false],
    ['done', false],
  ])('a question is told apart from a delivery: %j', (text, expected) => {
    expect(isQuestion(text)).toBe(expected);
  });
});

test('a message at the cap on rounds is held, and the lead is told so', async () => {
  const team = await openTeam({ ...led, members: [iterative('S1')], max_rounds: 1 });
  await team.deliver('lead', 'Begun.');
  await team.deliver('S1', 'draft');
  expect(await textOf(team.call('lead', 'team_message', { to: 'S1', text: 'more' }))).toBe(
    'held: S1 has used its 1 round, and the user is asked whether it gets more.',
  );
  expect(gates(team)).toEqual(['S1 has used its 1 round']);
  // What waits is shown, so that it can be judged.
  expect(Object.values(team.state().gates)).toMatchObject([
    { message: '1 message waits for it.', evidence: 'more' },
  ]);
});

test('questions without end reach the cap on rounds as well', async () => {
  const team = await openTeam({ members: [iterative('S1')], max_rounds: 2 });
  await team.deliver('S1', 'Which file?');
  await team.say('S1', 'this');
  await team.deliver('S1', 'Which line?');
  await team.say('S1', 'that');
  expect(team.waiting('S1')).toBeUndefined();
  expect(gates(team)).toEqual(['S1 has used its 2 rounds']);
});

test('a sender is told its place in the queue of a busy member', async () => {
  const team = await openTeam({ members: [iterative('S1')] });
  expect(await textOf(team.say('S1', 'a'))).toBe('queued behind the turn of S1 that is in flight.');
  expect(await textOf(team.say('S1', 'b'))).toContain('number 2 in its queue');
});

test('a lead that is an agent is told how each merge ended', async () => {
  const team = await openTeam({ ...led, members: [iterative('S1'), iterative('S2')] });
  await team.deliver('lead', 'Begun.');
  await team.deliver('S1', 'draft');
  await team.deliver('S2', 'draft');
  await team.deliver('lead', 'Both have drafts.');
  const merged = { activationId: 1, member: 'S1', mergeId: 1 };
  await team.engine.command(1, () => ({
    ok: true,
    value: [
      { type: 'team.stopped', activationId: 1, member: 'S1', reason: 'x', frozen: 'abc' },
      { type: 'team.merge-requested', ...merged, by: 'muster' },
    ],
  }));
  await team.idle();
  await team.answer('merge');
  await team.deliver('lead', 'Both have ended.');
  expect(team.waiting('lead')?.request.prompt).toContain(
    'Notice from Muster: The work of S1 is merged into main.',
  );
});

test('no member joins a team that is ending', async () => {
  const team = await openTeam({ ...led, members: [member('ada')] });
  await team.deliver('ada', 'done');
  expect(errorOf(await team.call('lead', 'team_cleanup', {}))).toBeNull();
  const spawn = { name: 'ben', agent: 'fake', prompt: 'x', worktree: false };
  expect(errorOf(await team.call('lead', 'team_spawn', spawn))).toBe('team.not_allowed');
  expect(Object.keys(team.team.members)).toEqual(['ada']);
});
