import { describe, expect, test } from 'vitest';
import { errorOf, member, openTeam, type TeamHarness } from '../testing/team';

const iterative = (name: string) => member(name, { iterative: true });
const as = (name: string) => ({ role: 'member', name, turnId: null }) as const;
const titles = (team: TeamHarness): string[] =>
  Object.values(team.state().gates).flatMap((gate) => (gate.status === 'open' ? [gate.title] : []));

describe('tasks', () => {
  const board = async (): Promise<TeamHarness> => {
    const team = await openTeam({ members: [member('one'), member('two')] });
    const tasks = [{ content: 'first' }, { content: 'second', depends_on: [1] }];
    await team.call('operator', 'team_tasks_add', { tasks });
    return team;
  };

  test('tasks are completed once: a second completion is refused quietly, without an event', async () => {
    const team = await board();
    await team.call(as('one'), 'team_tasks_claim', { task_id: 1 });
    await team.call(as('one'), 'team_tasks_complete', { task_id: 1 });
    const before = team.events().length;
    const again = await team.call(as('one'), 'team_tasks_complete', { task_id: 1 });
    expect(again).toMatchObject({ ok: true, value: { events: [], text: 'Task 1 is completed already.' } });
    expect(team.events()).toHaveLength(before);
    expect(team.team.tasks[1]).toMatchObject({ status: 'completed', owner: 'one' });
  });

  test('tasks of someone who is gone are free again', async () => {
    const team = await board();
    await team.call(as('one'), 'team_tasks_claim', { task_id: 1 });
    team.waiting('one')?.end({ outcome: 'failed', stopReason: 'crashed' });
    await team.idle();
    expect(team.team.tasks[1]).toMatchObject({ status: 'pending', owner: null });
    await team.call(as('two'), 'team_tasks_claim', { task_id: 1 });
    await team.call('operator', 'team_shutdown', { member: 'two', force: true });
    expect(team.word('two')).toBe('stopped');
    expect(team.team.tasks[1]).toMatchObject({ status: 'pending', owner: null });
  });

  test('tasks that are blocked, unknown or of others cannot be completed or claimed', async () => {
    const team = await board();
    const error = async (name: string, tool: string, id: number) =>
      errorOf(await team.call(as(name), tool, { task_id: id }));
    expect(await error('one', 'team_tasks_complete', 2)).toBe('team.task_blocked');
    expect(await error('one', 'team_tasks_claim', 2)).toBe('team.task_blocked');
    expect(await error('one', 'team_tasks_complete', 7)).toBe('team.task_unknown');
    await team.call(as('one'), 'team_tasks_claim', { task_id: 1 });
    expect(await error('two', 'team_tasks_complete', 1)).toBe('team.task_foreign');
    expect(await error('two', 'team_tasks_claim', 1)).toBe('team.task_foreign');
    await team.call(as('one'), 'team_tasks_complete', { task_id: 1 });
    expect(team.team.tasks[2]?.status).toBe('pending');
    const unknown = await team.call(as('two'), 'team_tasks_add', {
      tasks: [{ content: 'x', depends_on: [9] }],
    });
    expect(errorOf(unknown)).toBe('team.task_unknown');
  });
});

describe('unknown names', () => {
  test.each(['team_shutdown', 'team_merge'])('unknown names are refused by %s with a hint', async (tool) => {
    const team = await openTeam({ members: [member('painter')] });
    expect(await team.call('operator', tool, { member: 'paintre' })).toMatchObject({
      error: { code: 'team.unknown_member', mend: 'did you mean: painter?' },
    });
  });
});

describe('results', () => {
  test('results are read by each reader for itself', async () => {
    const team = await openTeam({ lead: { agent: 'leader' }, members: [iterative('S1'), iterative('S2')] });
    await team.deliver('S1', 'the draft');
    const lead = await team.call('lead', 'team_results', {});
    expect(lead.ok && lead.value.text).toContain('the draft');
    const again = await team.call('lead', 'team_results', {});
    expect(again.ok && again.value.text).toBe('Nothing that you have not read.');
    await team.call(as('S1'), 'team_message', { to: 'S2', text: 'for you' });
    const other = await team.call(as('S1'), 'team_results', {});
    expect(other.ok && other.value.text).not.toContain('for you');
    const reader = await team.call(as('S2'), 'team_results', {});
    expect(reader.ok && reader.value.text).toContain('for you');
    expect(Object.values(team.team.messages).at(-1)?.deliveries.S2?.state).toBe('seen');
  });
});

const read = async (team: TeamHarness, input: Record<string, unknown>): Promise<string> => {
  const answer = await team.call('lead', 'team_results', input);
  return answer.ok ? answer.value.text : answer.error.message;
};

test('the tool team_results with from gives all rounds of a member again, and with round one of them', async () => {
  const team = await openTeam({ lead: { agent: 'leader' }, members: [iterative('S1')] });
  for (const text of ['first', 'second', 'third']) {
    await team.deliver('S1', text);
    await team.say('S1', 'Go on.');
  }
  expect(await read(team, { from: 'S1' })).toContain('round 3):\nthird');
  const all = 'S1, round 1:\nfirst\n\nS1, round 2:\nsecond\n\nS1, round 3:\nthird';
  expect(await read(team, { from: 'S1' })).toBe(all);
  expect(await read(team, { from: 'S1', round: 2 })).toBe('S1, round 2:\nsecond');
  expect(await read(team, { from: 'S1', round: 7 })).toBe('S1 has not delivered round 7');
});

test('the tool team_results shows a result that was not read before only once', async () => {
  const team = await openTeam({ lead: { agent: 'leader' }, members: [iterative('S1')] });
  await team.deliver('S1', 'the only draft');
  expect((await read(team, { from: 'S1' })).split('the only draft')).toHaveLength(2);
});

test('results that do not fit into one answer stay unread until team_results is called again', async () => {
  const names = ['A', 'B', 'C'];
  const team = await openTeam({ lead: { agent: 'leader' }, members: names.map(iterative) });
  for (const name of names) await team.deliver(name, name.repeat(60_000));
  const answers = [await read(team, {}), await read(team, {}), await read(team, {})];
  expect(answers.map((text) => text.match(/From [A-C] \(result, round 1\)/g))).toEqual(
    names.map((name) => [`From ${name} (result, round 1)`]),
  );
  expect(answers[0]).toContain('2 more that you have not read: call team_results again.');
  expect(await read(team, {})).toBe('Nothing that you have not read.');
});

test('earlier rounds that do not fit into one answer are named, and can be read one by one', async () => {
  const team = await openTeam({ lead: { agent: 'leader' }, members: [iterative('S1')] });
  for (const text of ['a', 'b']) {
    await team.deliver('S1', text.repeat(60_000));
    await team.say('S1', 'Go on.');
    await read(team, {});
  }
  const text = await read(team, { from: 'S1' });
  expect(text).toContain('Not shown: round 1 of S1. Call team_results with from and round to read one.');
  expect(text).toHaveLength(text.indexOf('S1, round 2:\n') + 'S1, round 2:\n'.length + 60_000);
  expect(await read(team, { from: 'S1', round: 1 })).toContain('a'.repeat(60_000));
});

describe('messages in a minute', () => {
  const flood = async (team: TeamHarness): Promise<string | null> =>
    errorOf(await team.call(as('S1'), 'team_message', { to: 'S2', text: 'and another thing' }));
  const open = async (): Promise<TeamHarness> => {
    const team = await openTeam({ members: [iterative('S1'), iterative('S2')], messages_per_minute: 2 });
    expect([await flood(team), await flood(team), await flood(team)]).toEqual([null, null, 'team.limit']);
    expect(titles(team)).toEqual(['S1 has sent 2 messages in a minute']);
    return team;
  };

  test('messages in a minute have a cap, at which the operator is asked, and can raise it', async () => {
    const team = await open();
    await team.answer('more');
    expect([await flood(team), await flood(team), await flood(team)]).toEqual([null, null, 'team.limit']);
    expect(titles(team)).toEqual(['S1 has sent 4 messages in a minute']);
  });

  test('messages are refused until the minute is over where the cap is kept', async () => {
    const team = await open();
    await team.answer('keep');
    expect(await flood(team)).toBe('team.limit');
    team.clock.advance(60_001);
    expect(await flood(team)).toBeNull();
  });

  test('too many messages in a minute can end their sender', async () => {
    const team = await open();
    team.clock.advance(60_001);
    await team.answer('stop');
    expect(team.word('S1')).toBe('stopped');
    expect(titles(team)).toEqual([]);
  });
});
