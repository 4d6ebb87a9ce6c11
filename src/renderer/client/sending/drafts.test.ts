import { expect, test } from 'vitest';
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

/** What a reopened window finds. */
const found = (kept: ReturnType<typeof storage>, key: string) => new Drafts(() => kept).cell(key).get();

test('keeps a text until it is emptied', () => {
  const kept = storage();
  const drafts = new Drafts(() => kept);
  drafts.write('gate/1/2', 'because');
  expect(found(kept, 'gate/1/2')).toBe('because');
  drafts.write('gate/1/2', '');
  expect(found(kept, 'gate/1/2')).toBe('');
  expect(kept.size()).toBe(0);
});

test('never grows beyond its bounds, and keeps a text whole', () => {
  const kept = storage();
  const drafts = new Drafts(() => kept);
  for (let index = 0; index < 120; index += 1) drafts.write(`gate/${index}`, 'x'.repeat(100_000));
  expect(kept.size()).toBe(15);
  expect(found(kept, 'gate/119')).toHaveLength(100_000);
  for (let index = 0; index < 120; index += 1) drafts.write(`note/${index}`, 'x');
  expect(kept.size()).toBe(50);
});

test('one text is one text, wherever it is shown or written', () => {
  const kept = storage();
  const drafts = new Drafts(() => kept);
  const [here, there] = [drafts.cell('team/1/1/S1'), drafts.cell('team/1/1/S1')];
  const end = there.subscribe(() => {});
  drafts.write('team/1/1/S1', 'since then');
  // The text sent from the earlier view comes back.
  drafts.write('team/1/1/S1', (now) => `said\n${now}`);
  expect([here.get(), there.get(), found(kept, 'team/1/1/S1')]).toEqual(Array(3).fill('said\nsince then'));
  end();
});

test('where there is no room for all, the one that is written stays; where there is none at all, it is shown', () => {
  const kept = storage(null, 200);
  const drafts = new Drafts(() => kept);
  drafts.write('a', 'x'.repeat(100));
  const b = drafts.cell('b');
  drafts.write('b', 'y'.repeat(100));
  expect([found(kept, 'a'), found(kept, 'b')]).toEqual(['', 'y'.repeat(100)]);
  drafts.write('b', 'z'.repeat(300));
  expect(b.get()).toHaveLength(300);
});

test('does without what it cannot read', () => {
  const kept = storage('{ broken');
  expect(found(kept, 'a')).toBe('');
  new Drafts(() => kept).write('a', 'b');
  expect(found(kept, 'a')).toBe('b');
});
