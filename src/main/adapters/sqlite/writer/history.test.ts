import type { RunEvent, StoredEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { connect } from '../connection';
import { codeOf, must, Place } from '../testing/place';
import { activation, activationEnd, gate, runEnd, started, Teller, update } from '../testing/story';

let place: Place;
let store: Store;
let projectId: number;
beforeEach(() => {
  place = new Place();
  store = place.open();
  store.addProject('/projects/other', 'other', 1);
  projectId = store.addProject('/projects/sample', 'sample', 1).id;
});
afterEach(() => place.remove());

const story = [
  started({ uid: 'far', projectId: 77 }),
  activation(1, 'write'),
  update('Done elsewhere.'),
  gate(1, 1),
  { type: 'gate.resolved', gateId: 1, answer: { option: 'approve' }, by: 'operator' } as const,
  activationEnd(1),
  runEnd,
];

const command: RunEvent = {
  type: 'command.started',
  commandId: 4,
  activationId: 1,
  script: 'make',
  terminal: false,
  env: {},
  timeoutSeconds: null,
};

/** A history as numbered by another machine. */
const exported = (events = story): StoredEvent[] =>
  events.map((event, index) => ({ id: 500 + index, runId: 9, seq: index + 1, at: 100 + index, event }));

describe('an import', () => {
  test('an import is a run like any other, with numbers of this database', () => {
    const runId = must(store.importRun(exported(), projectId));
    expect(store.run(runId)).toMatchObject({
      uid: 'far',
      projectId,
      status: 'succeeded',
      stepsDone: 1,
      openGates: 0,
    });
    const stored = [...store.log.read(runId)];
    expect(stored.map(({ id, runId: run, seq, at }) => [id, run, seq, at])).toEqual(
      story.map((_, index) => [index + 1, runId, index + 1, 100 + index]),
    );
    expect(stored[0]?.event).toEqual({ ...story[0], projectId });
    expect(stored.slice(1).map(({ event }) => event)).toEqual(story.slice(1));
    expect(store.feed({ limit: 10 }).rows).toHaveLength(1);
    expect(store.gates({ status: 'closed', limit: 10 })).toHaveLength(1);
    expect(store.lastEventId()).toBe(story.length);
  });

  test('an import is refused where the run is here already, or the project is not', () => {
    must(store.importRun(exported(), projectId));
    expect(codeOf(store.importRun(exported(), projectId))).toBe('conflict');
    expect(codeOf(store.importRun(exported([started({ uid: 'new', projectId })]), 99))).toBe('not_found');
  });

  test.each([
    ['nothing', []],
    ['no start', exported().slice(1)],
    ['a gap', exported().filter(({ seq }) => seq !== 3)],
    ['two starts', exported([story[0], story[0]] as typeof story)],
    ['the same activation twice', exported([story[0], story[1], story[1]] as typeof story)],
    ['the same command twice', exported([story[0], command, command] as typeof story)],
    ['the same gate twice', exported([story[0], gate(1, 1), gate(1, 1)] as typeof story)],
  ])('an import with %s is refused whole', (_, events) => {
    expect(codeOf(store.importRun(events, projectId))).toBe('import.invalid');
    expect(store.runs({ limit: 10, binned: false }).rows).toEqual([]);
    expect(store.lastEventId()).toBe(0);
  });

  test('an import leaves the numbers of later appends without a gap', async () => {
    must(store.importRun(exported(), projectId));
    const stored = must(await new Teller(store).tell(started({ uid: 'own', projectId })));
    expect(stored.map(({ id }) => id)).toEqual([story.length + 1]);
  });
});

describe('a purge', () => {
  const bin = { type: 'run.binned', by: 'operator' } as const;

  test('a purge removes every row of a binned run, and no number is given twice', async () => {
    const keeper = new Teller(store);
    must(await keeper.tell(started({ uid: 'keeper', projectId })));
    const teller = new Teller(store);
    must(await teller.tell(started({ uid: 'gone', projectId }), ...story.slice(1), bin));
    const lastId = store.lastEventId();
    store.purgeRun(teller.runId);
    expect([...store.log.read(teller.runId)]).toEqual([]);
    expect([store.run(teller.runId), store.gate(teller.runId, 1)]).toEqual([null, null]);
    expect(store.feed({ limit: 10, runId: teller.runId }).rows).toEqual([]);
    store.close();
    store = place.open();
    expect([store.lastEventId(), store.log.nextRunId()]).toEqual([lastId, teller.runId + 1]);
    expect([...store.log.read(keeper.runId)]).toHaveLength(1);
  });

  test('a purge of a run that is not in the bin is a bug', async () => {
    const teller = new Teller(store);
    must(await teller.tell(started({ uid: 'kept', projectId })));
    expect(() => store.purgeRun(teller.runId)).toThrow('not in the bin');
    expect([...store.log.read(teller.runId)]).toHaveLength(1);
  });
});

test('the space of a purged run is reported as free, and used again', async () => {
  const text = 'x'.repeat(100_000);
  const fill = async (uid: string): Promise<number> => {
    const teller = new Teller(store);
    const bin = { type: 'run.binned', by: 'operator' } as const;
    must(await teller.tell(started({ uid, projectId }), update(text), runEnd, bin));
    return teller.runId;
  };
  const runId = await fill('one');
  expect(store.freeBytes()).toBeLessThan(50_000);
  store.purgeRun(runId);
  const free = store.freeBytes();
  expect(free).toBeGreaterThan(90_000);
  await fill('two');
  expect(store.freeBytes()).toBeLessThan(free - 50_000);
});

describe('a run that cannot be read', () => {
  /** From a newer Muster: its last event is of an unknown kind. */
  async function unread(): Promise<number> {
    const teller = new Teller(store);
    must(await teller.tell(started({ uid: 'newer', projectId }), gate(1, 1)));
    store.close();
    const other = connect(place.path);
    other.exec("insert into event_types (name) values ('run.teleported')");
    other.exec(
      `insert into events (id, run_id, seq, at, type, body)
       select 3, ${teller.runId}, 3, 1, id, '{}' from event_types where name = 'run.teleported'`,
    );
    other.close();
    store = place.open();
    expect(() => [...store.log.read(teller.runId)]).toThrow();
    return teller.runId;
  }

  test('a run that cannot be read is put into the bin, where no one takes it up, and taken out again', async () => {
    const runId = await unread();
    expect(store.binUnread(runId, false, 5)).toBeNull();
    const put = store.binUnread(runId, true, 5);
    expect(put).toEqual({ id: 4, runId, seq: 4, at: 5, event: { type: 'run.binned', by: 'operator' } });
    expect(store.binUnread(runId, true, 6)).toBeNull();
    expect(store.run(runId)?.binnedAt).toBe(5);
    expect(store.runs({ limit: 10, binned: false }).rows).toEqual([]);
    expect(store.gates({ status: 'open', limit: 10 })).toEqual([]);
    expect(store.log.unfinished()).toEqual([]);
    const next = must(await new Teller(store).tell(started({ uid: 'next', projectId })));
    expect(next.map(({ id }) => id)).toEqual([5]);
    expect(store.binUnread(runId, false, 7)?.event).toEqual({ type: 'run.restored', by: 'operator' });
    expect(store.run(runId)?.binnedAt).toBeNull();
    expect(store.log.unfinished()).toContain(runId);
    expect(store.binUnread(99, true, 8)).toBeNull();
  });

  test('a run in the bin whose events can be read again says so', async () => {
    const teller = new Teller(store);
    must(await teller.tell(started({ uid: 'older', projectId })));
    store.binUnread(teller.runId, true, 5);
    expect(replay(store.log.read(teller.runId))).toMatchObject({ seq: 2, binned: true });
  });
});
