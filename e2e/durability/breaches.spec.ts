import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import { unchecked } from '@contract/testing/unchecked';
import { expect, test } from '@playwright/test';
import { CONTINUE_PROMPT } from '../../src/main/core/engine/turns/replay-context';
import { wronglyBlamed } from './blame';
import { goneUnanswered } from './histories';
import { teamBreaches } from './team-history';
import { wronglyCaptured, wronglyPrompted, wronglySent } from './turn-history';

const histories = join(import.meta.dirname, '../../src/main/core/engine/__histories__');
const read = (name: string) =>
  readFileSync(join(histories, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as { event: RunEvent }).event);

const team = read('team-of-three');
const prompted = read('prompt-after-the-end');
const resumed = read('coding-failed-and-resumed');

type Changed = (event: RunEvent) => RunEvent[];
/** The history with the n-th event of a type replaced. */
const changed = (
  events: readonly RunEvent[],
  [type, nth]: readonly [RunEvent['type'], number],
  change: Changed,
): RunEvent[] => {
  const at = events.flatMap((event, index) => (event.type === type ? [index] : []))[nth - 1];
  return events.flatMap((event, index) => (index === at ? change(event) : [event]));
};
const twice: Changed = (event) => [event, event];
const never: Changed = () => [];
const deliversMany = (event: RunEvent) => event.type === 'team.delivered' && event.messageIds.length > 1;

test('the events of real runs are no breach', () => {
  expect(teamBreaches(team)).toEqual({ messages: [], rounds: [], results: [] });
  for (const events of [team, prompted, resumed])
    expect([...wronglySent(events), ...wronglyCaptured(events), ...wronglyPrompted(events)]).toEqual([]);
});

/** The n-th event of a type in the history of the team. */
function nthOf<T extends RunEvent['type']>(type: T, nth: number): RunEventOf<T> {
  const event = team.filter((one): one is RunEventOf<T> => one.type === type)[nth - 1];
  if (event === undefined) throw new Error(`the history has fewer than ${nth} of ${type}`);
  return event;
}

test('a message that is doubled, lost, swapped or not said is found', () => {
  const first = nthOf('team.delivered', 1);
  const message = `message ${first.messageIds[0]}`;
  expect(teamBreaches(changed(team, ['team.delivered', 1], twice)).messages[0]).toBe(
    `${message} to ${first.to} delivered twice`,
  );
  expect(teamBreaches(changed(team, ['team.delivered', 1], never)).messages).toEqual([]);
  const lost = changed(team, ['team.delivered', 1], never).filter(({ type }) => type !== 'team.stopped');
  expect(teamBreaches(lost).messages).toEqual([`${message} ${first.to} was never delivered`]);
  const many = 1 + team.filter(({ type }) => type === 'team.delivered').findIndex(deliversMany);
  const ids = nthOf('team.delivered', many).messageIds;
  const swapped: Changed = (event) =>
    event.type === 'team.delivered' ? [{ ...event, messageIds: [...event.messageIds].reverse() }] : [event];
  expect(teamBreaches(changed(team, ['team.delivered', many], swapped)).messages).toContain(
    `message ${ids[0]} to ${nthOf('team.delivered', many).to} out of order`,
  );
  const unsaid: Changed = (event) =>
    event.type === 'turn.dispatched' && event.turnId === first.turnId
      ? [{ ...event, prompt: 'nothing' }]
      : [event];
  expect(teamBreaches(team.flatMap(unsaid)).messages).toEqual([
    `${message} to ${first.to} does not stand in its place in turn ${first.turnId}`,
  ]);
});

test('a round that no one called for, and a result that is lost or doubled, are found', () => {
  const asNote: Changed = (event) => (event.type === 'team.message' ? [{ ...event, kind: 'note' }] : [event]);
  expect(teamBreaches(changed(team, ['team.message', 1], asNote)).rounds).toEqual([
    `round 1 of ${nthOf('team.message', 1).to} began without an instruction`,
  ]);
  const { turnId, member } = nthOf('team.result', 1);
  expect(teamBreaches(changed(team, ['team.result', 1], never)).results).toEqual([
    `turn ${turnId} of member-${member} is done and has 0 results`,
  ]);
  expect(teamBreaches(changed(team, ['team.result', 1], twice)).results).toHaveLength(2);
});

test('a turn, a capture or a prompt that is sent or taken twice or never is found', () => {
  expect(wronglySent(changed(resumed, ['turn.finished', 1], twice))).toEqual([
    'turn 1 ended twice: completed, completed',
  ]);
  const again: Changed = (event) =>
    event.type === 'turn.dispatched' ? [{ ...event, resendOf: 1 }] : [event];
  expect(wronglySent(changed(resumed, ['turn.dispatched', 2], again))).toEqual([
    'turn 2 stands in for 1, which is completed, with other words: reprompt "Check it." instead of primary "Build it.", in another place',
  ]);
  expect(wronglyCaptured(changed(resumed, ['capture.finished', 1], twice))).toHaveLength(1);
  expect(wronglyCaptured(changed(resumed, ['capture.finished', 1], never))).toHaveLength(1);
  const operators = prompted.filter(({ type }) => type === 'turn.dispatched').length - 1;
  expect(wronglyPrompted(changed(prompted, ['turn.dispatched', operators], twice))).toContain(
    'prompt 1 sent twice',
  );
  expect(wronglyPrompted(changed(prompted, ['turn.dispatched', operators], never))).toEqual([
    'prompt 1 was never sent',
  ]);
});

test('a turn that goes on in a conversation that was begun again has the words of none before it', () => {
  const earlier = 'This is a new conversation.\n\n## Now\n';
  const history = (own: string) =>
    [
      { type: 'turn.dispatched', turnId: 1, prompt: 'Write it', resendOf: null },
      { type: 'turn.interrupted', turnId: 1 },
      {
        type: 'turn.dispatched',
        turnId: 2,
        prompt: `${earlier}${own}`,
        resendOf: 1,
        carried: earlier.length,
      },
    ].map((event) => unchecked<RunEvent>({ sessionId: 1, ordinal: 1, kind: 'step', ...event }));
  expect(wronglySent(history(CONTINUE_PROMPT))).toEqual([]);
  expect(wronglySent(history('Write it'))).toEqual([]);
  expect(wronglySent(history('Write'))).toEqual([
    'turn 2 stands in for 1, with other words: step "Write" instead of step "Write it"',
  ]);
});

test('a resumed run says the words of its step again after a turn that continued', () => {
  const history = (words: string) =>
    [
      { type: 'turn.dispatched', turnId: 1, prompt: 'Write it', resendOf: null },
      { type: 'turn.interrupted', turnId: 1 },
      { type: 'turn.dispatched', turnId: 2, prompt: `${CONTINUE_PROMPT}\n\nWrite it`, resendOf: 1 },
      { type: 'turn.interrupted', turnId: 2 },
      { type: 'turn.dispatched', turnId: 3, prompt: words, resendOf: 2 },
    ].map((event) => unchecked<RunEvent>({ sessionId: 1, ordinal: 1, kind: 'step', ...event }));
  expect(wronglySent(history('Write it'))).toEqual([]);
  expect(wronglySent(history('Write'))).toHaveLength(1);
});

test('a turn that is called failed is found, unless its own agent was killed in it', () => {
  const turn = { turnId: 1, sessionId: 2 };
  const stored = [
    { type: 'run.started', uid: 'U' },
    { type: 'turn.dispatched', ...turn },
    { type: 'turn.finished', ...turn, outcome: 'failed', error: { code: 'agent.crashed', message: 'gone' } },
  ].map((event, index) => unchecked<StoredEvent>({ at: index * 100, event }));
  const found = ['turn 1 failed with agent.crashed: gone'];
  expect(wronglyBlamed(stored, [])).toEqual(found);
  expect(wronglyBlamed(stored, [{ part: 'agent', session: 'U/s2', at: 150 }])).toEqual([]);
  expect(wronglyBlamed(stored, [{ part: 'agent', session: 'U/s3', at: 150 }])).toEqual(found);
  expect(wronglyBlamed(stored, [{ part: 'guard', session: 'U/s2', at: 150 }])).toEqual(found);
  expect(wronglyBlamed(stored, [{ part: 'agent', session: 'U/s2', at: 250 }])).toEqual(found);
});

test('a gate that goes unanswered is found, unless it is a question of a team that went on', () => {
  const asked = (kind: string, between: string) =>
    [
      { type: 'gate.opened', gateId: 3, kind, activationId: 1 },
      { type: between, activationId: 1 },
      { type: 'gate.withdrawn', gateId: 3, reason: 'why' },
    ].map((event, index) => unchecked<StoredEvent>({ at: index, seq: index, event }));
  const found = ['gate 3 was withdrawn: why'];
  expect(goneUnanswered(asked('approval', 'team.message'))).toEqual(found);
  expect(goneUnanswered(asked('team_stalled', 'turn.finished'))).toEqual(found);
  expect(goneUnanswered(asked('team_stalled', 'team.message'))).toEqual([]);
});
