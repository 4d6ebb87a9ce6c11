import type { RunEvent } from '@contract/run/events';
import { keyText } from '@contract/run/keys';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter, workflow } from '@contract/run/testing/events';
import { describe, expect, test } from 'vitest';
import { deliveryWord } from './parts';
import { type ChatOf, chatRows, heldFrom, keyedGate } from './rows';

const activationId = 1;
const on = (type: string, more: object): unknown => ({ type, activationId, ...more });
const joined = (name: string, iterative = true) =>
  on('team.member-added', { member: { name, iterative, prompt: 'p' }, by: 'operator' });
const said = (messageId: number, [from, ...to]: string[], more: object = {}) =>
  on('team.message', { messageId, from, to, kind: 'instruction', text: `m${messageId}`, ...more });
const turn = (turnId: number, lane: string) => ({
  type: 'turn.dispatched',
  turnId,
  sessionId: turnId,
  activationId,
  ordinal: 0,
  of: 1,
  kind: 'primary',
  prompt: 'p',
  attachments: [],
  resendOf: null,
  lane,
});
const round = (to: string, turnId: number, messageIds: number[]) =>
  on('team.delivered', { to, messageIds, turnId, round: 1, final: false });
const result = (member: string, turnId: number) =>
  on('team.result', { member, round: 1, turnId, claim: 'none', text: 'r', changes: null, final: false });
const gate = (gateId: number, more: object = {}) => ({
  type: 'gate.opened',
  gateId,
  activationId,
  sessionId: null,
  turnId: null,
  kind: 'team_stalled',
  title: 't',
  message: '',
  evidence: null,
  request: null,
  options: [],
  why: null,
  ...more,
});

function fold(events: readonly unknown[]): RunState {
  const start = runStarted({ definition: workflow([{ id: 'team', type: 'step.team' }]) });
  const activation = { type: 'activation.started', activationId, stepId: 'team', attempt: 1, inputs: [] };
  return stateAfter(
    [start, activation, ...events].map((event) => event as RunEvent),
    10,
  );
}

function chat(state: RunState, more: Partial<ChatOf> = {}): string[] {
  return rowsOf(state, more).map(({ key }) => key);
}
function rowsOf(state: RunState, more: Partial<ChatOf> = {}) {
  const team = state.teams[activationId];
  if (team === undefined) throw new Error('no team');
  return chatRows({ state, team, thread: null, older: [], more: false, ...more });
}

const story = [
  joined('S1'),
  joined('S2'),
  said(1, ['operator', 'S1']),
  said(2, ['operator', 'S2']),
  turn(1, 'member-S1'),
  round('S1', 1, [1]),
  turn(2, 'member-S2'),
  round('S2', 2, [2]),
  result('S1', 1),
  said(3, ['S1', 'operator'], { kind: 'result', turnId: 1 }),
];

describe('rows of a chat', () => {
  test('a chat has everything in time order, with the current activity at the end', () => {
    const state = fold(story);
    const said = { response: 'r', usage: null, commit: null, error: null, limitResetsAt: null };
    const done = { type: 'turn.finished', turnId: 1, outcome: 'completed', stopReason: 'end_turn' } as const;
    reduce(state, { seq: 99, at: 500, event: { ...done, ...said } });
    expect(chat(state)).toEqual(['join S1', 'join S2', 'm1', 'm2', 'm3', 'live2']);
    expect(chat(state, { thread: 'S1' })).toEqual(['join S1', 'm1', 'm3']);
    expect(chat(state, { thread: 'S2' })).toEqual(['join S2', 'm2', 'live2']);
    expect(chat(state, { thread: 'lead' })).toEqual([]);
  });

  test('a result is open as long as the next text counts for it', () => {
    const open = (events: readonly unknown[]) =>
      rowsOf(fold(events)).flatMap((row) => (row.kind === 'result' ? [row.open] : []));
    expect(open(story)).toEqual([true]);
    const again = { to: 'S1', messageIds: [], turnId: 3, round: 2, final: false };
    expect(open([...story, on('team.delivered', again)])).toEqual([false]);
    expect(open([...story, on('team.stopping', { member: 'S1', by: 'operator', force: false })])).toEqual([
      false,
    ]);
  });

  test('gates stand in the thread of their member, and one that is alone has the keys', () => {
    const state = fold([
      ...story,
      gate(1, { about: keyText(['team.stalled', 'S2', 2]), lane: 'member-S2' }),
      gate(2, { kind: 'permission', turnId: 1 }),
    ]);
    expect(chat(state, { thread: 'S2' })).toContain('g1');
    expect(chat(state, { thread: 'S1' })).toContain('g2');
    expect(keyedGate(rowsOf(state))).toBeNull();
    expect(keyedGate(rowsOf(state, { thread: 'S1' }))).toBe(2);
  });

  test('a merge with conflicts has a card in the place of its question', () => {
    const merge = { mergeId: 1, target: 'main', targetCommit: 'c', files: 1 };
    const tried = (conflicts: object[]) => [
      ...story,
      on('team.merge-requested', { mergeId: 1, member: 'S1', by: 'muster' }),
      on('team.merge-rehearsed', { ...merge, conflicts }),
      gate(1, { kind: 'merge', about: keyText(['team.merge', 1, null]) }),
    ];
    const conflict = { path: 'a', ours: 'x', theirs: 'y', base: null };
    expect(chat(fold(tried([conflict])))).toContain('merge1');
    expect(chat(fold(tried([conflict])))).not.toContain('g1');
    expect(chat(fold(tried([])))).toContain('g1');
    // A failed one is asked about; a declined one can be requested again.
    const failed = on('team.merge-failed', { mergeId: 1, error: { code: 'conflict', message: 'moved on' } });
    expect(chat(fold([...tried([]), failed]))).not.toContain('merge1');
    const declined = on('team.merge-declined', { mergeId: 1, by: 'operator' });
    expect(chat(fold([...tried([]), declined]))).toContain('merge1');
  });

  test('open questions are in the chat, however much was said since', () => {
    const rows = (...more: unknown[]) => {
      const state = fold([joined('S1'), gate(1), gate(2), ...story.slice(1), ...more]);
      const team = state.teams[activationId];
      if (team !== undefined) delete team.messages[1];
      return chat(state, { more: true });
    };
    const answered = { type: 'gate.resolved', gateId: 2, answer: { option: 'x' }, by: 'operator' };
    expect(rows(answered).slice(0, 3)).toEqual(['earlier', 'g1', 'm2']);
    expect(rows(answered)).not.toContain('g2');
  });

  test('earlier messages stand before those that are held, and earlier events wait for their page', () => {
    const whole = fold(story);
    const cut = structuredClone(whole);
    const team = cut.teams[activationId];
    if (team === undefined) throw new Error('no team');
    const [first] = [team.messages[1]];
    delete team.messages[1];
    expect(heldFrom(team)).toBe(2);
    const later = chat(cut, { more: true });
    expect(later.slice(0, 2)).toEqual(['earlier', 'm2']);
    expect(later).not.toContain('join S1');
    expect(chat(cut, { older: first ? [first] : [] })).toEqual(chat(whole));
  });
});

test('a message says how it was delivered', () => {
  const state = fold([
    ...story,
    said(4, ['operator', 'S1']),
    said(5, ['operator', 'S1', 'S2'], { kind: 'note' }),
  ]);
  const word = (id: number) => {
    const message = state.teams[activationId]?.messages[id];
    return message ? deliveryWord(message) : '';
  };
  expect([1, 2, 3, 4, 5].map(word)).toEqual([...['used', 'delivered', null, 'queued', 'read by 0 of 2']]);
});
