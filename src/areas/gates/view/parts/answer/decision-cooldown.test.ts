import { CARD_REST_MS } from '@renderer/limits';
import { expect, test } from 'vitest';
import { decided, isCoolingDown } from './decision-cooldown';

test('a card takes no decision until 400 ms after it came, nor after the last decision', () => {
  expect(CARD_REST_MS).toBe(400);
  expect(isCoolingDown(1_000, 1_399)).toBe(true);
  expect(isCoolingDown(1_000, 1_400)).toBe(false);
  decided(2_000);
  expect(isCoolingDown(1_000, 2_399)).toBe(true);
  expect(isCoolingDown(1_000, 2_400)).toBe(false);
});
