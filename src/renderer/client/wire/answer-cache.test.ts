import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AnswerCache } from './answer-cache';

const schema = z.object({ steps: z.array(z.object({ id: z.string() })) });

function counting() {
  let parses = 0;
  const answers = new AnswerCache();
  const read = (raw: unknown, key = 'w.yaml') =>
    answers.read(key, raw, (one) => {
      parses += 1;
      return schema.safeParse(one).data ?? null;
    });
  return { read, parses: () => parses };
}

test('An answer that says the same as the last one is not checked again, and is the same object.', () => {
  const { read, parses } = counting();
  const first = read({ steps: [{ id: 'a' }] });
  expect(read({ steps: [{ id: 'a' }] })).toBe(first);
  expect(parses()).toBe(1);
});

test('An answer that differs is checked, and its unchanged parts stay the same objects.', () => {
  const { read, parses } = counting();
  const first = read({ steps: [{ id: 'a' }, { id: 'b' }] });
  const second = read({ steps: [{ id: 'a' }, { id: 'c' }] });
  expect(second).toEqual({ steps: [{ id: 'a' }, { id: 'c' }] });
  expect(second?.steps[0]).toBe(first?.steps[0]);
  expect(parses()).toBe(2);
});

test('An invalid answer is refused and forgotten.', () => {
  const { read, parses } = counting();
  read({ steps: [] });
  expect(read({ steps: 1 })).toBeNull();
  expect(read({ steps: [] })).toEqual({ steps: [] });
  expect(parses()).toBe(3);
});

test('Answers to different questions are kept apart, and only a few of them.', () => {
  const { read, parses } = counting();
  for (const key of 'abcdefghi') read({ steps: [{ id: key }] }, key);
  expect(read({ steps: [{ id: 'i' }] }, 'i')).toEqual({ steps: [{ id: 'i' }] });
  expect(parses()).toBe(9);
  read({ steps: [{ id: 'a' }] }, 'a');
  expect(parses()).toBe(10);
});

test('A packed reply is read as its value, and one with the same text is not read again.', () => {
  const { read, parses } = counting();
  const packed = () => ({ packed: JSON.stringify({ steps: [{ id: 'a' }] }) });
  const first = read(packed());
  expect(first).toEqual({ steps: [{ id: 'a' }] });
  const parse = vi.spyOn(JSON, 'parse');
  expect(read(packed())).toBe(first);
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(parses()).toBe(1);
  expect(read({ packed: JSON.stringify({ steps: [] }) })).toEqual({ steps: [] });
});
