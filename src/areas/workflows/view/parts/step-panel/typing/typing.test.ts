import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Committed, Typing } from './typing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function field({ kept = '', value = 'file' } = {}) {
  const seen = {
    kept,
    file: value,
    written: [] as string[],
    orphans: [] as string[],
    ends: 'written' as Committed,
    /** Runs before a write reaches the file. */
    meanwhile: async () => {},
  };
  const typing = new Typing({
    kept,
    value,
    whole: false,
    changed: () => undefined,
    keep: (text) => {
      seen.kept = text;
    },
    commit: async (text, over) => {
      await seen.meanwhile();
      if (seen.file !== over) return 'stale';
      if (seen.ends !== 'written') return seen.ends;
      seen.written.push(text);
      seen.file = text.replace(/\.$/, '');
      return 'written';
    },
    current: () => seen.file,
    orphaned: (text) => seen.orphans.push(text),
  });
  const elsewhere = (text: string) => {
    seen.file = text;
    typing.take(text);
  };
  return { typing, seen, elsewhere };
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

test('typed text stays while the file changes elsewhere, and another text of the file is shown else', () => {
  const { typing } = field();
  typing.take('theirs');
  expect(typing.text).toBe('theirs');
  typing.type('mine');
  typing.take('theirs again');
  expect(typing.text).toBe('mine');
});

test('a text is not written over one that came from elsewhere, until the operator says so', async () => {
  const { typing, seen, elsewhere } = field();
  typing.type('mine');
  elsewhere('theirs');
  typing.leave(true);
  await vi.runAllTimersAsync();
  expect([seen.written, typing.stale, JSON.parse(seen.kept)]).toEqual([
    [],
    true,
    { text: 'mine', over: 'file' },
  ]);
  await typing.write();
  expect(seen).toMatchObject({ written: ['mine'], kept: '' });
});

test('a text from elsewhere that arrives while the write waits for its turn is not written over either', async () => {
  const { typing, seen } = field();
  seen.meanwhile = async () => {
    seen.file = 'theirs';
  };
  typing.type('mine');
  typing.leave(true);
  await vi.runAllTimersAsync();
  expect([seen.file, seen.written, typing.text, typing.stale]).toEqual(['theirs', [], 'mine', true]);
  expect(seen.orphans, 'the field has gone: the text is offered instead').toEqual(['mine']);
  expect(JSON.parse(seen.kept)).toEqual({ text: 'mine', over: 'file' });
});

test('a file that returns to its former text lets the typed text be written', async () => {
  const { typing, seen, elsewhere } = field();
  typing.type('mine');
  elsewhere('theirs');
  elsewhere('file');
  await vi.runAllTimersAsync();
  expect(seen.written).toEqual(['mine']);
});

test('text that is typed during a write is written after it, over the result of that write', async () => {
  const { typing, seen } = field();
  let go = () => {};
  seen.meanwhile = () =>
    new Promise((done) => {
      go = done;
    });
  typing.type('1.');
  typing.leave();
  typing.type('1.5');
  typing.leave();
  expect(JSON.parse(seen.kept), 'a page that goes away now keeps it').toEqual({ text: '1.', over: 'file' });
  seen.meanwhile = async () => {};
  go();
  await vi.runAllTimersAsync();
  typing.take('1');
  expect(seen).toMatchObject({ written: ['1.', '1.5'], file: '1.5', kept: '' });
  expect(typing.stale).toBe(false);
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

test('a text is written over another one of the file only where the operator says so', async () => {
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

test('the text of the file is shown while the operator is asked', async () => {
  const { typing, seen } = field();
  seen.ends = 'asked';
  typing.type('mine');
  await vi.runAllTimersAsync();
  expect([typing.text, seen.kept]).toEqual(['file', '']);
});
