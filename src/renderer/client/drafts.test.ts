import { expect, it } from 'vitest';
import { changeDraft, draftCell, readDraft, writeDraft } from './drafts';
import { putBack } from './outgoing';

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
  for (let index = 0; index < 120; index += 1) writeDraft(kept, `gate/${index}`, 'x');
  expect(kept.size()).toBe(50);
  for (let index = 0; index < 30; index += 1) writeDraft(kept, `long/${index}`, 'x'.repeat(100_000));
  expect(kept.size()).toBe(20);
  expect(readDraft(kept, 'long/29')).toHaveLength(100_000);
});

it('does without what it cannot read', () => {
  const kept = storage('{ broken');
  expect(readDraft(kept, 'a')).toBe('');
  writeDraft(kept, 'a', 'b');
  expect(readDraft(kept, 'a')).toBe('b');
});

it('gives a text back to whoever shows it by then', () => {
  const kept = storage();
  const before = draftCell(kept, 'prompt');
  const leave = before.subscribe(() => undefined);
  changeDraft(kept, 'prompt', 'refused');
  changeDraft(kept, 'prompt', '');
  leave();
  // Somebody else shows it now, and has begun anew.
  const now = draftCell(kept, 'prompt');
  changeDraft(kept, 'prompt', 'more');
  changeDraft(kept, 'prompt', putBack('refused'));
  expect(now.get()).toBe('refused\nmore');
  expect(readDraft(kept, 'prompt')).toBe('refused\nmore');
});

it('goes on where nothing can be kept', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('quota');
    },
  };
  const cell = draftCell(full, 'full');
  changeDraft(full, 'full', 'typed all the same');
  expect(cell.get()).toBe('typed all the same');
});
