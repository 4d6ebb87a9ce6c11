import type { RunEvent } from '@contract/run/events';
import { atFirstLook } from '@contract/run/features/feature-answers';
import { reduce, replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { describe, expect, test } from 'vitest';
import type { TeamMessage, TeamState } from '../state';
import { inThread, threadPage, withLastMessages } from './thread';

const cutTo = (state: RunState, keep: number): RunState => ({
  ...state,
  teams: Object.fromEntries(
    Object.entries(state.teams).map(([id, team]) => [id, withLastMessages(team, keep)]),
  ),
});

const activationId = 1;

function teamOf(count: number, queued = true): RunState {
  const events: unknown[] = [
    {
      type: 'run.started',
      instruction: '',
      references: { baseBranch: null, docsDir: '', inputs: {} },
      definition: { name: 'w', steps: [], cables: [] },
    },
    { type: 'team.member-added', activationId, member: { name: 'S1', iterative: true }, by: 'operator' },
  ];
  for (let messageId = 1; messageId <= count; messageId += 1)
    events.push({
      type: 'team.message',
      activationId,
      messageId,
      from: 'operator',
      kind: 'note',
      to: [queued && messageId % 2 === 1 ? 'S1' : 'operator'],
      text: `m${messageId}`,
    });
  const state = replay(
    events.map((event, index) => ({ seq: index + 1, at: index, event: event as RunEvent })),
  );
  if (state === null) throw new Error('no state');
  return state;
}

describe('withLastMessages', () => {
  test('the cut thread keeps the last messages and all waiting ones, and leaves the whole state as it is', () => {
    const whole = teamOf(40);
    const cut = cutTo(whole, 4);
    const odd = [...Array(20)].map((_, index) => index * 2 + 1);
    expect(Object.keys(cut.teams[1]?.messages ?? {}).map(Number)).toEqual(
      [...new Set([...odd, 37, 38, 39, 40])].sort((a, b) => a - b),
    );
    expect(Object.keys(whole.teams[1]?.messages ?? {})).toHaveLength(40);
    const team = whole.teams[1] as TeamState;
    expect(withLastMessages(team, 40)).toBe(team);
    expect(atFirstLook(whole)).toBe(whole);
  });

  test('the cut thread folds on: removed messages are passed over, and ids go on where they were', () => {
    const cut = structuredClone(cutTo(teamOf(40), 2));
    const next = (event: object) =>
      reduce(cut, { seq: cut.seq + 1, at: 100, event: { activationId, ...event } as RunEvent });
    const ids = [...Array(20)].map((_, index) => index * 2 + 1);
    next({ type: 'team.delivered', to: 'S1', messageIds: ids, turnId: 1, round: 1, final: false });
    next({ type: 'team.message-edited', messageId: 2, text: 'gone' });
    next({ type: 'team.seen', reader: 'operator', messageIds: [2, 4] });
    next({ type: 'team.message', messageId: 41, from: 'S1', to: ['operator'], kind: 'result', text: 'r' });
    expect(cut.teams[1]?.members.S1?.queue).toEqual([]);
    expect(cut.teams[1]?.messages[2]).toBeUndefined();
    expect(cut.teams[1]?.messages[41]?.text).toBe('r');
  });
});

test('a page of a chat of 50,000 messages reads no more of them than it returns', () => {
  const team = teamOf(50_000, false).teams[1];
  if (team === undefined) throw new Error('no team');
  let reads = 0;
  const messages = new Proxy(team.messages, {
    get: (target, key) => {
      reads += 1;
      return Reflect.get(target, key);
    },
  });
  const page = threadPage({ ...team, messages }, { thread: null, limit: 200 });
  expect(page.messages.at(-1)?.id).toBe(50_000);
  expect(page.messages).toHaveLength(200);
  expect(page.more).toBe(true);
  expect(reads).toBeLessThanOrEqual(201);
});

test('the threads of a team are told apart', () => {
  const of = (from: string, to: string[], about: string | null = null) => ({
    from,
    about,
    deliveries: Object.fromEntries(to.map((name) => [name, double<TeamMessage['deliveries'][string]>({})])),
  });
  expect(inThread(of('operator', ['S1']), 'S1')).toBe(true);
  expect(inThread(of('operator', ['S1']), 'lead')).toBe(false);
  expect(inThread(of('S1', ['lead']), 'S1')).toBe(true);
  expect(inThread(of('S1', ['lead']), 'lead')).toBe(false);
  expect(inThread(of('muster', ['lead']), 'lead')).toBe(true);
  expect(inThread(of('lead', ['operator']), 'lead')).toBe(true);
  expect(inThread(of('operator', ['lead', 'operator'], 'told S1'), 'lead')).toBe(true);
  expect(inThread(of('operator', ['lead', 'operator'], 'told S1'), null)).toBe(false);
});
