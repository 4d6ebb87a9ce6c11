import { expect, test } from 'vitest';
import { z } from 'zod';
import { event } from './event-kind';
import { eventKinds, runEventSchema } from './events';

test('a kind makes its schema when it is first parsed with, and once', () => {
  let made = 0;
  const { schema } = event('a.happened', () => {
    made += 1;
    return { by: z.string() };
  });
  expect(made).toBe(0);
  for (const by of ['x', 'y']) {
    expect(schema.parse({ type: 'a.happened', by })).toEqual({ type: 'a.happened', by });
  }
  expect(made).toBe(1);
  expect(schema.safeParse({ type: 'b.happened', by: 'x' }).success).toBe(false);
});

test('each kind has a type of its own, and all of them are events of a run', () => {
  const types = eventKinds.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  expect(runEventSchema.safeParse({ type: 'run.workspace-requested' }).success).toBe(true);
  expect(runEventSchema.safeParse({ type: 'run.unheard-of' }).success).toBe(false);
});
