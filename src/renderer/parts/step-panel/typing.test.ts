import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Committed, Typing } from './typing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function field({ kept = '', value = 'file' } = {}) {
  const seen = { kept, written: [] as string[], ends: 'written' as Committed };
  const typing = new Typing({
    ...{ kept, value, whole: false, changed: () => undefined },
    keep: (text) => {
      seen.kept = text;
    },
    commit: (text) => {
      if (seen.ends === 'written') seen.written.push(text);
      return Promise.resolve(seen.ends);
    },
  });
  return { typing, seen };
}

test('a text is written after a pause, once, and at once when its field is left', async () => {
  const { typing, seen } = field();
  typing.type('a');
  typing.type('ab');
  await vi.advanceTimersByTimeAsync(499);
  expect(seen.written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen.written).toEqual(['ab']);
  typing.take('ab');
  typing.type('abc');
  typing.leave();
  await vi.runAllTimersAsync();
  expect(seen.written).toEqual(['ab', 'abc']);
});

test('what is typed stays while the file changes elsewhere, and another text of the file is shown else', () => {
  const { typing } = field();
  typing.take('theirs');
  expect(typing.text).toBe('theirs');
  typing.type('mine');
  typing.take('theirs again');
  expect(typing.text).toBe('mine');
});

test('a text that was not written when the page went away is there again, and is written', async () => {
  const before = field();
  before.typing.type('half a sen');
  before.typing.keep();
  const after = field({ kept: before.seen.kept });
  expect([after.typing.text, after.typing.stale]).toEqual(['half a sen', false]);
  await vi.runAllTimersAsync();
  expect(after.seen).toMatchObject({ written: ['half a sen'], kept: '' });
});

test('over another text of the file it is only written where the operator says so', async () => {
  const before = field();
  before.typing.type('mine');
  before.typing.keep();
  const after = field({ kept: before.seen.kept, value: 'theirs' });
  expect([after.typing.text, after.typing.stale]).toEqual(['mine', true]);
  after.typing.leave();
  await vi.runAllTimersAsync();
  expect(after.seen.written).toEqual([]);
  await after.typing.write();
  expect(after.seen).toMatchObject({ written: ['mine'], kept: '' });
  const other = field({ kept: before.seen.kept, value: 'theirs' });
  other.typing.drop();
  expect([other.typing.text, other.typing.stale, other.seen.kept]).toEqual(['theirs', false, '']);
});

test('a text that cannot be written stays with its field, is kept, and is written when that works again', async () => {
  const { typing, seen } = field();
  seen.ends = 'failed';
  typing.type('mine');
  await vi.runAllTimersAsync();
  expect([typing.text, seen.written]).toEqual(['mine', []]);
  expect(JSON.parse(seen.kept)).toEqual({ text: 'mine', over: 'file' });
  seen.ends = 'written';
  typing.leave();
  await vi.runAllTimersAsync();
  expect(seen).toMatchObject({ written: ['mine'], kept: '' });
});

test('while the operator is asked, the text of the file is shown', async () => {
  const { typing, seen } = field();
  seen.ends = 'asked';
  typing.type('mine');
  await vi.runAllTimersAsync();
  expect([typing.text, seen.kept]).toEqual(['file', '']);
});
