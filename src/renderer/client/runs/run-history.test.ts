import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { type StoredEvent, storedEventSchema } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { expect, test } from 'vitest';
import { RunHistory } from './run-history';

const file = '../../../main/core/engine/__histories__/team-killed-in-mid-round.jsonl';
const recorded: StoredEvent[] = readFileSync(join(import.meta.dirname, file), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => storedEventSchema.parse(JSON.parse(line)));

/** The recorded run, followed by that many events that change little. */
const history: StoredEvent[] = [...recorded];
for (let seq = recorded.length + 1; seq <= 9000; seq += 1) {
  const event = { type: seq % 2 === 0 ? 'run.binned' : 'run.restored', by: 'operator' } as const;
  history.push({ id: seq, runId: 1, seq, at: 10_000 + seq, event });
}

function pastOf(events: () => readonly StoredEvent[]) {
  const asked: number[] = [];
  const fails = { next: false };
  const past = new RunHistory(
    async (afterSeq, limit): Promise<Result<StoredEvent[]>> => {
      asked.push(afterSeq);
      if (fails.next) return err(appError('unavailable', 'the core is away'));
      return ok(events().slice(afterSeq, afterSeq + limit));
    },
    () => () => {},
  );
  return { past, asked, fails };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('a moment of a long run is shown as the fold of its events, with few pages asked for again', async () => {
  const { past, asked } = pastOf(() => history);
  await past.read();
  expect(past.seq).toBe(history.length);
  expect(past.times).toHaveLength(history.length);
  const whole = asked.length;
  for (const seq of [9000, 1, 40, 300, 299, 301, 4711, 8000]) {
    const moment = past.at(seq);
    const end = moment.subscribe(() => {});
    for (let tries = 0; moment.get().status === 'loading' && tries < 50; tries += 1) await settled();
    expect(moment.get().state).toEqual(replay(history.slice(0, seq)));
    expect(moment.get()).toBe(moment.get());
    end();
  }
  expect(asked.length - whole).toBeLessThan(16);
});

test('events that come later lengthen the past without reading it again', async () => {
  const known = { length: 300 };
  const { past, asked } = pastOf(() => history.slice(0, known.length));
  await past.read();
  expect(past.seq).toBe(300);
  const before = asked.length;
  known.length = 310;
  await past.read();
  expect(past.seq).toBe(310);
  expect(asked.length - before).toBe(1);
  const moment = past.at(305);
  moment.subscribe(() => {})();
  expect(moment.get().state).toEqual(replay(history.slice(0, 305)));
});

test('a moment after the last event is the last one', async () => {
  const { past } = pastOf(() => history.slice(0, 20));
  await past.read();
  expect(past.at(999).get().state?.seq).toBe(20);
});

test('a page that cannot be read says why, and is read again on request', async () => {
  const { past, fails } = pastOf(() => history.slice(0, 20));
  fails.next = true;
  await past.read();
  expect(past.at(5).get()).toMatchObject({ status: 'failed', error: { message: 'the core is away' } });
  fails.next = false;
  await past.read();
  expect(past.error).toBeNull();
  expect(past.at(5).get().state?.seq).toBe(5);
});

test('the marks are the questions, failures, retries, restarts and ends, each with its event', async () => {
  const { past } = pastOf(() => recorded);
  await past.read();
  for (const { seq, at } of past.marks) expect(recorded[seq - 1]?.at).toBe(at);
  const kinds = new Set(past.marks.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(['end', 'gate', 'restart']);
});
