import { request } from 'node:http';
import { appError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { FakeCore } from '../testing/fake-core';
import { runRow } from '../testing/run-row';
import { EventStream, type StreamOptions, type StreamTarget, streamDefaults } from './event-stream';
import { eventText } from './event-text';
import { HttpServer } from './server';

const TOKEN = 'f'.repeat(64);
const event = (number: number): RunEvent => ({ type: 'timer.fired', timerId: number + 1 });
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Parses server-sent events as in the standard. */
function parseEvents(text: string): {
  lastId: number | null;
  events: { id: number; type: string; data: unknown }[];
} {
  const events: { id: number; type: string; data: unknown }[] = [];
  let lastId: number | null = null;
  for (const block of text.split('\n\n').slice(0, -1)) {
    const fields = block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => line.split(/: (.*)/s));
    const field = Object.fromEntries(fields.map(([name, value]) => [name, value]));
    if (field.id !== undefined) lastId = Number(field.id);
    if (field.data !== undefined)
      events.push({ id: lastId ?? 0, type: field.event ?? '', data: JSON.parse(field.data) });
  }
  return { lastId, events };
}

/**
 * A reader that disconnects after this many bytes, and has a buffer of this size before writers must wait.
 */
function reader(cutAfter: number, room: number) {
  const taken: string[] = [];
  const state = { text: '', gone: false };
  let onGone: () => void = () => undefined;
  const target: StreamTarget = {
    write: (text) => {
      if (!state.gone) state.text += text.slice(0, Math.max(0, cutAfter - state.text.length));
      if (state.text.length >= cutAfter && !state.gone) {
        state.gone = true;
        onGone();
      }
      return taken.push(text) % room !== 0;
    },
    drained: () => new Promise((resolve) => setImmediate(resolve)),
    end: () => undefined,
  };
  return {
    target,
    state,
    whenGone: (run: () => void): void => {
      onGone = run;
    },
  };
}

const options = (more: Partial<StreamOptions>): StreamOptions => ({
  ...streamDefaults,
  after: 0,
  runId: undefined,
  ...more,
});

test('wherever a stream is cut and taken up again, each event comes once, in order', async () => {
  const scenario = fc.record({
    before: fc.nat(30),
    /** How many events are committed at each tick, of which run, and how many ids are skipped before them. */
    commits: fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 4 }),
        run: fc.integer({ min: 1, max: 2 }),
        skip: fc.nat(3),
      }),
      { maxLength: 25 },
    ),
    cuts: fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 8 }),
    pageSize: fc.integer({ min: 1, max: 7 }),
    room: fc.integer({ min: 1, max: 5 }),
    onlyRun: fc.constantFrom(undefined, 1),
    delays: fc.array(fc.nat(3), { minLength: 1, maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ before, commits, cuts, pageSize, room, onlyRun, delays }) => {
      let asked = 0;
      const core = new FakeCore({}, async () => {
        for (let turns = delays[asked++ % delays.length] ?? 0; turns > 0; turns -= 1)
          await new Promise(setImmediate);
      });
      let number = 0;
      for (; number < before; number += 1) core.commit(1, [event(number)]);
      let done = false;
      const writing = (async () => {
        for (const { count, run, skip } of commits) {
          await new Promise(setImmediate);
          core.commit(
            run,
            Array.from({ length: count }, () => event(number++)),
            skip,
          );
        }
        done = true;
      })();
      const got: number[] = [];
      let after = 0;
      const wanted = () => core.log.filter((row) => onlyRun === undefined || row.runId === onlyRun);
      for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
        const last = cut === Number.POSITIVE_INFINITY;
        const { target, state, whenGone } = reader(cut, room);
        const stream = new EventStream(core, target, options({ after, runId: onlyRun, pageSize }));
        whenGone(() => stream.stop());
        const ran = stream.run();
        // A reader without a cut disconnects at some point; the last one once it has everything.
        for (let ticks = 0; ticks < (last ? 1000 : cut % 60) && !state.gone; ticks += 1) {
          if (last && done && (parseEvents(state.text).lastId ?? 0) >= (wanted().at(-1)?.id ?? 0)) break;
          await new Promise(setImmediate);
        }
        stream.stop();
        await ran;
        if (last) await writing;
        const { lastId, events } = parseEvents(state.text);
        got.push(...events.map(({ id }) => id));
        after = lastId ?? after;
      }
      expect(got).toEqual(wanted().map(({ id }) => id));
      expect(core.listening).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test('a reader that leaves what it was sent is told the end and costs no memory', async () => {
  const core = new FakeCore();
  for (let number = 0; number < 1000; number += 1) core.commit(1, [event(number)]);
  const written: string[] = [];
  const ends: string[] = [];
  let release: () => void = () => undefined;
  const target: StreamTarget = {
    write: (text) => written.push(text) < 3,
    drained: () =>
      new Promise((resolve) => {
        release = resolve;
      }),
    end: (text) => {
      ends.push(text);
      release();
    },
  };
  await new EventStream(core, target, options({ patienceMs: 30, heartbeatMs: 5 })).run();
  expect(written.length).toBe(3);
  expect(parseEvents(ends.join(''))).toEqual({
    lastId: null,
    events: [
      { id: 0, type: 'muster.end', data: expect.objectContaining({ message: 'the reader is too slow' }) },
    ],
  });
  expect(core.listening).toBe(0);
});

test('the events of seed 000 have exactly its fields as data; others are whole', () => {
  const stored = { id: 9, runId: 2, seq: 4, at: 1000 };
  const dispatched: RunEvent = {
    type: 'task.agent_task.reprompt_dispatched',
    module_id: 'outline',
    reprompt_index: 0,
    reprompt_count: 2,
  };
  expect(eventText({ ...stored, event: dispatched })).toBe(
    [
      ': run=2 seq=4 at=1000',
      'id: 9',
      'event: task.agent_task.reprompt_dispatched',
      'data: {"module_id":"outline","reprompt_index":0,"reprompt_count":2}',
      '\n',
    ].join('\n'),
  );
  const response: RunEvent = {
    type: 'task.agent_task.reprompt_response',
    module_id: 'outline',
    reprompt_index: 1,
    token_count: null,
  };
  expect(eventText({ ...stored, event: response })).toContain(
    'data: {"module_id":"outline","reprompt_index":1,"token_count":null}\n',
  );
  expect(eventText({ ...stored, event: event(1) })).toBe(
    'id: 9\nevent: timer.fired\ndata: {"id":9,"runId":2,"seq":4,"at":1000,"event":{"type":"timer.fired","timerId":2}}\n\n',
  );
});

test('a reader whose token was taken back hears no more', async () => {
  const core = new FakeCore();
  const { target, state } = reader(Number.POSITIVE_INFINITY, 5);
  const last = { ...target, end: (text: string) => void target.write(text) };
  let allowed = true;
  const stream = new EventStream(core, last, options({ heartbeatMs: 5, allowed: () => allowed }));
  const ran = stream.run();
  core.commit(1, [event(1)]);
  await new Promise(setImmediate);
  allowed = false;
  await ran;
  expect(state.text).toContain('the token was replaced');
  expect(core.listening).toBe(0);
});

async function serve(core: FakeCore) {
  const opened = await HttpServer.open({
    core,
    token: () => TOKEN,
    port: 0,
    failed: (cause) => expect.fail(String(cause)),
  });
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  return opened.value;
}

/** Opens a stream and collects its output. */
function listen(address: string, path: string, headers: Record<string, string> = {}) {
  const heard = { text: '', status: 0, ended: false };
  const asked = request(
    address + path,
    { headers: { authorization: `Bearer ${TOKEN}`, ...headers }, agent: false },
    (response) => {
      heard.status = response.statusCode ?? 0;
      response.on('data', (chunk) => {
        heard.text += chunk;
      });
      response.on('end', () => {
        heard.ended = true;
      });
      response.on('error', () => undefined);
    },
  );
  asked.on('error', () => undefined);
  asked.end();
  const until = (ready: () => boolean) => expect.poll(ready, { interval: 5 }).toBe(true);
  return {
    heard,
    until,
    ids: () => parseEvents(heard.text).events.map(({ id }) => id),
    stop: () => asked.destroy(),
  };
}

test('a stream over HTTP goes on from now, after an id by header or query, or of one run, and says that it ended', async () => {
  const core = new FakeCore({
    'run.find': () => runRow({ id: 2, uid: 'u', name: 'n' }),
  });
  for (let number = 0; number < 6; number += 1) core.commit((number % 2) + 1, [event(number)]);
  const server = await serve(core);
  const now = listen(server.address, '/events');
  const header = listen(server.address, '/events?after=1', { 'last-event-id': '4' });
  const query = listen(server.address, '/events?after=4');
  const run = listen(server.address, '/events?after=0&run=2');
  for (const one of [now, header, query, run]) await one.until(() => one.heard.text.includes('\n\n'));
  expect(now.heard.text).toBe('retry: 2000\nid: 6\n\n');
  core.commit(2, [event(6)]);
  core.commit(1, [event(7)]);
  await now.until(() => now.ids().length === 2);
  await header.until(() => header.ids().length === 4);
  await query.until(() => query.ids().length === 4);
  await run.until(() => run.ids().length === 4);
  expect([now.ids(), header.ids(), query.ids(), run.ids()]).toEqual([
    [7, 8],
    [5, 6, 7, 8],
    [5, 6, 7, 8],
    [2, 4, 6, 7],
  ]);
  now.stop();
  await server.close();
  await header.until(() => header.heard.ended);
  expect(parseEvents(header.heard.text).events.at(-1)).toMatchObject({
    type: 'muster.end',
    data: { code: 'unavailable' },
  });
  expect(core.listening).toBe(0);
});

test('a store that fails in mid-stream ends it with its error', async () => {
  const core = new FakeCore();
  core.commit(1, [event(1)]);
  const failing = {
    onEvents: core.onEvents.bind(core),
    follow: core.follow.bind(core),
    call: async () => ({ ok: false as const, error: appError('store.failed', 'the disk is gone') }),
  };
  const ends: string[] = [];
  const target: StreamTarget = {
    write: () => true,
    drained: async () => undefined,
    end: (text) => void ends.push(text),
  };
  await new EventStream(failing, target, options({})).run();
  expect(ends.join('')).toContain('the disk is gone');
});
