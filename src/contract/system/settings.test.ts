import { expect, test } from 'vitest';
import { settingsSchema, systemProcedures } from './procedures';

const { input } = systemProcedures['settings.set'];

test('a setting that a change leaves out is not filled with its default, and stays as it is', () => {
  expect(input.parse({ settings: {} })).toEqual({ settings: {} });
  const all = settingsSchema.parse({});
  for (const [name, value] of Object.entries(all)) {
    const settings = { [name]: value };
    expect(input.parse({ settings })).toEqual({ settings });
  }
  expect(input.safeParse({ settings: { unknown: 1 } }).success).toBe(false);
});
