import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../connection';
import { MIGRATIONS } from '../migrations/index';
import { migrate } from '../migrations/migrate';
import type { Db } from '../sql';
import { olderDatabase } from '../testing/older';
import { Place } from '../testing/place';
import { createUsageTotals } from './usage-totals';

let place: Place;
let db: Db;
beforeEach(() => {
  place = new Place();
  olderDatabase(place.path, 6);
  db = connect(place.path);
});
afterEach(() => {
  db.close();
  place.remove();
});

const upgrade = () => {
  migrate(db, MIGRATIONS);
  const adder = createUsageTotals(db);
  while (adder.step());
};
const usages = () => db.prepare('select * from usages order by event_id').all();

test('usages from before the tables are added up once', () => {
  upgrade();
  expect(usages()).toEqual([
    {
      event_id: 5,
      run_id: 1,
      at: 1_700_000_000_004,
      ms: 1,
      step: 'write',
      step_title: 'Step write',
      piece: null,
      profile_id: 'writer',
      agent: 'Writer',
      model: null,
      tokens: 10,
      cost_usd: 0.25,
    },
  ]);
  upgrade();
  expect(usages()).toHaveLength(1);
});

test('earlier calls outside of turns, steps in scopes and unreported costs are taken over as they were', () => {
  const body = (value: object) => JSON.stringify(value).replace(/'/g, "''");
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: null, cost_usd: null };
  const call = { activationId: 3, turnId: 1, model: 'small', usage };
  db.exec(`
    insert into event_types (id, name) values (90, 'rlm.call-answered'), (91, 'rlm.verification-finished');
    insert into activations (run_id, activation_id, step_id, attempt, started_at) values (1, 3, 'ask#2[3]/fix', 1, 9);
    insert into events (id, run_id, seq, at, type, body) values
      (10, 1, 10, 10, 90, '${body(call)}'),
      (11, 1, 11, 11, 91, '${body({ activationId: 3, model: 'small', usage: null })}');`);
  upgrade();
  expect(usages().slice(1)).toMatchObject([
    { event_id: 10, step: 'ask/fix', step_title: 'ask / fix', agent: 'Writer', tokens: 7, cost_usd: null },
    { event_id: 11, step: 'ask/fix', agent: null, model: 'small', tokens: null, cost_usd: null },
  ]);
});

test('earlier stories, rounds and budgets are taken over', () => {
  const body = (value: object) => JSON.stringify(value).replace(/'/g, "''");
  const dispatched = (turnId: number, lane: string) => body({ turnId, lane });
  const done = (turnId: number) => body({ turnId, usage: null });
  const names = [
    'loop.attempt-started',
    'loop.attempt-judged',
    'team.delivered',
    'team.result',
    'team.released',
  ];
  const typeOf = (name: string): string => `(select id from event_types where name = '${name}')`;
  const attempt = { activationId: 1, attemptId: 1 };
  const ana = { activationId: 1, member: 'ana' };
  const events: [string, string][] = [
    ['loop.attempt-started', body({ ...attempt, story: { id: 'US-1', title: 'One' } })],
    ['turn.dispatched', dispatched(2, 'attempt-1')],
    ['turn.finished', done(2)],
    ['loop.attempt-judged', body({ ...attempt, storyId: 'US-2', storyTitle: 'Two', result: 'completed' })],
    ['team.delivered', body({ activationId: 1, to: 'ana', turnId: 3, round: 1 })],
    ['turn.dispatched', dispatched(3, 'member-ana')],
    ['turn.finished', done(3)],
    ['team.result', body({ ...ana, round: 1, final: false })],
    ['team.delivered', body({ activationId: 1, to: 'ana', turnId: 4, round: 2 })],
    ['turn.dispatched', dispatched(4, 'member-ana')],
    ['turn.finished', done(4)],
    ['team.delivered', body({ activationId: 1, to: 'ana', turnId: 5, round: null })],
    ['turn.dispatched', dispatched(5, 'member-ana')],
    ['turn.finished', done(5)],
    ['team.result', body({ ...ana, round: 2, final: false })],
    ['team.released', body({ ...ana, how: 'satisfied' })],
    ['team.result', body({ ...ana, round: 3, final: true })],
  ];
  const turnRow = (turnId: number) => `(1, ${turnId}, 1, 1, 0, 'completed', 5, 9)`;
  db.exec(`
    insert into event_types (name) values ${names.map((name) => `('${name}')`).join(', ')};
    insert into turns (run_id, turn_id, activation_id, session_id, ordinal, status, started_at, finished_at)
      values ${[2, 3, 4, 5].map(turnRow).join(', ')};
    insert into events (id, run_id, seq, at, type, body) values
      ${events.map(([name, text], at) => `(${at + 20}, 1, ${at + 20}, 9, ${typeOf(name)}, '${text}')`).join(', ')};`);
  upgrade();
  expect(db.prepare('select piece, ms from usages where event_id >= 20 order by event_id').all()).toEqual([
    { piece: '1/attempt-1', ms: 4 },
    { piece: '1/member-ana/1', ms: 4 },
    { piece: '1/member-ana/2', ms: 4 },
    { piece: '1/member-ana/2', ms: 4 },
  ]);
  expect(db.prepare('select "key", kind, name, title, accepted from pieces order by "key"').all()).toEqual([
    { key: '1/attempt-1', kind: 'story', name: 'US-2', title: 'Two', accepted: 1 },
    ...[1, 2, 3].map((round) => ({
      key: `1/member-ana/${round}`,
      kind: 'round',
      name: `ana, round ${round}`,
      title: null,
      accepted: round === 2 ? 1 : 0,
    })),
  ]);
  expect(db.prepare('select budget_tokens, budget_usd from runs').all()).toEqual([
    { budget_tokens: null, budget_usd: null },
  ]);
});

test('a usage from the tables is newer than what older events say', () => {
  migrate(db, MIGRATIONS);
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, cost_usd: 1 };
  db.exec(`
    insert into event_types (id, name) values (90, 'loop.attempt-judged');
    insert into events (id, run_id, seq, at, type, body) values
      (19, 1, 19, 9, 22, '${JSON.stringify({ turnId: 1, usage })}');
    insert into pieces (run_id, "key", kind, name, title, accepted) values (1, '1/attempt-1', 'story', 'US-9', null, 1);
    update runs_to_add_up set up_to = 9;`);
  const adder = createUsageTotals(db);
  while (adder.step());
  expect(usages().map((row) => (row as { event_id: number }).event_id)).toEqual([5]);
  expect(db.prepare('select name from pieces').all()).toEqual([{ name: 'US-9' }]);
  expect(adder.step()).toBe(false);
});
