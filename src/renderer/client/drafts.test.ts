import { expect, it } from 'vitest';
import { readDraft, writeDraft } from './drafts';

function storage(initial: string | null = null) {
  let value = initial;
  return {
    getItem: () => value,
    setItem: (_: string, next: string) => {
      value = next;
    },
    size: () => Object.keys(JSON.parse(value ?? '{}')).length,
  };
}

it('keeps a text until it is emptied', () => {
  const kept = storage();
  writeDraft(kept, 'gate/1/2', 'because');
  expect(readDraft(kept, 'gate/1/2')).toBe('because');
  writeDraft(kept, 'gate/1/2', '');
  expect(readDraft(kept, 'gate/1/2')).toBe('');
  expect(kept.size()).toBe(0);
});

it('never grows beyond its bounds, and cuts no text', () => {
  const kept = storage();
  for (let index = 0; index < 120; index += 1) writeDraft(kept, `gate/${index}`, `${index}`);
  expect(kept.size()).toBe(50);
  for (let index = 0; index < 30; index += 1) writeDraft(kept, `long/${index}`, 'x'.repeat(100_000));
  expect(kept.size()).toBe(20);
  expect(readDraft(kept, 'long/29')).toHaveLength(100_000);
  writeDraft(kept, 'endless', 'x'.repeat(3_000_000));
  expect(readDraft(kept, 'endless')).toBe('');
  expect(readDraft(kept, 'long/29')).toHaveLength(100_000);
});

it('leaves what is there where there is no room', () => {
  const kept = storage();
  writeDraft(kept, 'a', 'one');
  const full = {
    ...kept,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  expect(() => writeDraft(full, 'a', 'two')).not.toThrow();
  expect(readDraft(full, 'a')).toBe('one');
});

it('does without what it cannot read', () => {
  const kept = storage('{ broken');
  expect(readDraft(kept, 'a')).toBe('');
  writeDraft(kept, 'a', 'b');
  expect(readDraft(kept, 'a')).toBe('b');
});
