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

it('never grows beyond its bounds', () => {
  const kept = storage();
  for (let index = 0; index < 120; index += 1) writeDraft(kept, `gate/${index}`, 'x'.repeat(100_000));
  expect(kept.size()).toBe(50);
  expect(readDraft(kept, 'gate/119')).toHaveLength(40_000);
});

it('does without what it cannot read', () => {
  const kept = storage('{ broken');
  expect(readDraft(kept, 'a')).toBe('');
  writeDraft(kept, 'a', 'b');
  expect(readDraft(kept, 'a')).toBe('b');
});
