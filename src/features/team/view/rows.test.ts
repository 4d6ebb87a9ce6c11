import { double } from '@contract/testing/double';
import { describe, expect, test } from 'vitest';
import type { TaskState, TeamState } from '../contract/state';
import type { MemberRow, TeamRow } from '../contract/summary';
import { readChoices, toSend, undecided } from './chat/merge-choices';
import { hashOfThread, pathOf, placeOf } from './place';
import { membersMatching, teamAt, teamRows, threadOfRow } from './rows';
import { boardRows } from './side/board';
import { readSpawn } from './side/spawn-draft';
import { endsWhen, teamWord, waitsFor } from './words';

const member = (name: string, more: Partial<MemberRow> = {}) =>
  ({ name, word: 'awaiting_operator', since: 5, ...more }) as MemberRow;
const team = (runId: number, more: Partial<TeamRow> = {}) =>
  ({
    runId,
    activationId: 1,
    title: `Team ${runId}`,
    runName: 'run',
    projectName: 'p',
    status: 'running',
    live: true,
    leadProfile: null,
    leadWorks: false,
    leadStalled: null,
    outcome: null,
    startedAt: 1,
    finishedAt: null,
    members: [member('S1'), member('S2')],
    openGates: 0,
    waiting: 2,
    rests: false,
    ...more,
  }) as TeamRow;

describe('the list of teams', () => {
  const teams = [team(3, { live: false, status: 'succeeded', finishedAt: 9 }), team(2), team(1)];
  test('the list has the threads of the open team under it, and ended teams below', () => {
    const rows = teamRows(teams, teamAt(teams, { runId: 2, activationId: null }), '');
    expect(rows.map(({ key }) => key)).toEqual([
      ...['2/1/all', '2/1/S1', '2/1/S2', '1/1/all', 'ended', '3/1/all'],
    ]);
    expect(rows.map(threadOfRow)).toEqual(['all', 'S1', 'S2', 'all', null, 'all']);
  });
  test('the list has a thread of the lead where an agent leads', () => {
    const led = team(1, { leadProfile: 'boss' });
    expect(teamRows([led], led, '').map(threadOfRow)).toEqual(['all', 'lead', 'S1', 'S2']);
  });
  test('the list is searched by the names of members too', () => {
    expect(teamRows(teams, null, 's2')).toHaveLength(4);
    expect(teamRows(teams, null, 'Team 1').map(({ key }) => key)).toEqual(['1/1/all']);
  });
  test('the list says in a word how a team is', () => {
    expect(teamWord(team(1)).word.word).toBe('Waits for you');
    expect(waitsFor(team(1, { openGates: 1 }))).toBe(3);
    expect(teamWord(team(1, { waiting: 0 })).word.word).toBe('Running');
    expect(teamWord(team(1, { waiting: 0, rests: true })).word.word).toBe('Waits for you');
    const working = team(1, { members: [member('S1', { word: 'working' })] });
    expect(teamWord(working).word.word).toBe('Running');
    expect(teamWord(team(1, { live: false, status: 'cancelled' })).word.word).toBe('Cancelled');
    // Its run continues with other steps.
    expect(teamWord(team(1, { live: false, outcome: 'succeeded' })).word.word).toBe('Succeeded');
    expect(teamWord(team(1, { live: false, outcome: 'failed' })).word.word).toBe('Failed');
    const before = team(1, { live: false, outcome: 'succeeded', status: 'failed' });
    expect(teamWord(before).word.word).toBe('Succeeded');
    expect(waitsFor(team(1, { live: false }))).toBe(0);
  });
});

test('addresses lead to a team, a thread and a message, and are read back', () => {
  expect(placeOf(['team', '4'])).toEqual({ runId: 4, activationId: null, thread: 'all', messageId: null });
  const place = { runId: 4, activationId: 2, thread: 'dr-brac', messageId: 12 };
  expect(placeOf(pathOf(place).map(String))).toEqual(place);
  expect(placeOf(['teams'])).toBeNull();
  expect(placeOf(['team', 'x'])).toBeNull();
  expect(hashOfThread(4, 2, 'S1')).toBe('#/team/4/2/S1');
});

test('the board has tasks in progress first, with the urgent ones on top', () => {
  const task = (id: number, status: TaskState['status'], priority: TaskState['priority'] = 'medium') =>
    double<TaskState>({ id, status, priority });
  const rows = boardRows([
    task(1, 'completed'),
    task(2, 'pending', 'low'),
    task(3, 'pending', 'high'),
    task(4, 'in_progress'),
  ]);
  expect(rows.map(({ key }) => key)).toEqual(['in_progress', 't4', 'pending', 't3', 't2', 'completed', 't1']);
});

test('a draft of a new member is read back as it was written, and anything else is not', () => {
  const draft = { name: 'S9', agent: 'writer', prompt: 'Check', iterative: false, readOnly: true };
  expect(readSpawn(JSON.stringify(draft), 'other')).toEqual(draft);
  const blank = { name: '', agent: 'other', prompt: '', iterative: true, readOnly: false };
  expect(readSpawn('', 'other')).toEqual(blank);
  expect(readSpawn('{"name":7}', 'other')).toEqual(blank);
});

describe('choices of a merge', () => {
  const conflicts = [
    { path: 'a', ours: 'x', theirs: 'y', base: null },
    { path: 'b', ours: null, theirs: 'z', base: null },
  ];
  test('choices of a merge are sent with a text only where it was written by hand', () => {
    const choices = readChoices(
      '{"a":{"take":"by_hand"},"b":{"take":"theirs","text":"no"},"gone":{"take":"ours"}}',
    );
    expect(undecided(conflicts, choices)).toEqual([]);
    expect(toSend(conflicts, choices)).toEqual({
      a: { take: 'by_hand', text: 'x\ny' },
      b: { take: 'theirs' },
    });
  });
  test('invalid choices of a merge are not read', () => {
    expect(readChoices('{"a":{"take":"all"},"b":3}')).toEqual({});
    expect(readChoices('nonsense')).toEqual({});
    expect(undecided(conflicts, {})).toEqual(['a', 'b']);
  });
});

test('a team that was told to end says which merges it waits for', () => {
  const told = double<TeamState>({
    cleanedUp: { by: 'operator', at: 1 },
    merges: { 1: { status: 'rehearsed', member: 'S1' }, 2: { status: 'merged', member: 'S2' } },
  });
  expect(endsWhen(told)).toBe('Ends when you have decided the merge of S1');
  expect(endsWhen({ ...told, merges: {} })).toBe('Ending');
  expect(endsWhen({ ...told, cleanedUp: null })).toBeNull();
});

test('members of a large team are found by name, agent and status', () => {
  const members = [member('S1', { agent: 'Codex' }), member('S2', { agent: 'Claude', word: 'failed' })];
  const found = (search: string) => membersMatching(members, search).map(({ name }) => name);
  expect(['s2', 'codex', 'waits for you', 'FAILED', '', 'none'].map(found)).toEqual([
    ...[['S2'], ['S1'], ['S1'], ['S2'], ['S1', 'S2'], []],
  ]);
});
