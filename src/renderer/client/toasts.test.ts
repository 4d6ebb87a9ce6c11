import { expect, test, vi } from 'vitest';
import { during, toasts } from './toasts';

test('an operation that can be stopped is shown until it is over, however long it takes', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const over = during('Importing the run', { verb: 'Cancel', run });
  vi.advanceTimersByTime(24 * 3_600_000);
  expect(toasts.get()).toMatchObject([{ text: 'Importing the run', act: { verb: 'Cancel' } }]);
  over();
  expect(toasts.get()).toEqual([]);
  vi.useRealTimers();
});
