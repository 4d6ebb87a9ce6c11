import { afterEach, expect, test, vi } from 'vitest';
import { Drafts } from './drafts';

function storage(initial: string | null = null, most = Number.POSITIVE_INFINITY) {
  let value = initial;
  return {
    getItem: () => value,
    setItem: (_: string, next: string) => {
      if (next.length > most) throw new Error('QuotaExceededError');
      value = next;
    },
    size: () => Object.keys(JSON.parse(value ?? '{}')).length,
  };
}

const unheard = () => undefined;

/** What a reopened window finds. */
const found = (kept: ReturnType<typeof storage>, key: string) =>
  new Drafts(() => kept, unheard).cell(key).get();

test('a draft keeps a text until it is emptied', () => {
  const kept = storage();
  const drafts = new Drafts(() => kept, unheard);
  drafts.write('gate/1/2', 'because');
  expect(found(kept, 'gate/1/2')).toBe('because');
  drafts.write('gate/1/2', '');
  expect(found(kept, 'gate/1/2')).toBe('');
  expect(kept.size()).toBe(0);
});

test('the drafts never grow beyond their bounds, and keep each text whole', () => {
  const kept = storage();
  const drafts = new Drafts(() => kept, unheard);
  for (let index = 0; index < 120; index += 1) drafts.write(`gate/${index}`, 'x'.repeat(100_000));
  expect(kept.size()).toBe(15);
  expect(found(kept, 'gate/119')).toHaveLength(100_000);
  for (let index = 0; index < 120; index += 1) drafts.write(`note/${index}`, 'x');
  expect(kept.size()).toBe(50);
});

test('a draft is the same text wherever it is shown or written', () => {
  const kept = storage();
  const drafts = new Drafts(() => kept, unheard);
  const [here, there] = [drafts.cell('team/1/1/S1'), drafts.cell('team/1/1/S1')];
  const end = there.subscribe(() => {});
  drafts.write('team/1/1/S1', 'since then');
  // The text sent from the earlier view comes back.
  drafts.write('team/1/1/S1', (now) => `said\n${now}`);
  expect([here.get(), there.get(), found(kept, 'team/1/1/S1')]).toEqual(Array(3).fill('said\nsince then'));
  end();
});

test('the draft being written stays where there is no room for all, and is shown where there is none at all', () => {
  const kept = storage(null, 200);
  const drafts = new Drafts(() => kept, unheard);
  drafts.write('a', 'x'.repeat(100));
  const b = drafts.cell('b');
  drafts.write('b', 'y'.repeat(100));
  expect([found(kept, 'a'), found(kept, 'b')]).toEqual(['', 'y'.repeat(100)]);
  drafts.write('b', 'z'.repeat(300));
  expect(b.get()).toHaveLength(300);
});

test('drafts that cannot be read are left out', () => {
  const kept = storage('{ broken');
  expect(found(kept, 'a')).toBe('');
  new Drafts(() => kept, unheard).write('a', 'b');
  expect(found(kept, 'a')).toBe('b');
});

afterEach(() => void vi.useRealTimers());

test('a draft is saved while it is typed, and not for every key', () => {
  vi.useFakeTimers();
  const flush = vi.fn();
  const drafts = new Drafts(() => storage(), flush);
  for (const text of ['a', 'ab', 'abc']) {
    drafts.write('gate/1/2', text);
    vi.advanceTimersByTime(200);
  }
  expect(flush).toHaveBeenCalledTimes(1);
  drafts.write('gate/1/2', 'abcd');
  vi.advanceTimersByTime(10_000);
  expect(flush).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(flush).toHaveBeenCalledTimes(2);
});
