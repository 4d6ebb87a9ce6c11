import { systemStatusSchema } from '@contract/system/procedures';
import { expect, test } from 'vitest';
import { keepsAwake } from './wake-reasons';

const HOUR = 3600_000;
const live = { runs: 1, sessions: 0, turns: 0, commands: 0, gates: 0, steps: 0, limitEndsAt: null };
const core = { state: 'running' as const, since: 0, detail: null, pid: 1, restarts: 0, unsteady: null };

test('the machine stays awake while something works, and until a limit ends that ends tonight', () => {
  expect(keepsAwake({ core, live }, 0)).toBe(false);
  expect(keepsAwake({ core, live: { ...live, turns: 1 } }, 0)).toBe(true);
  expect(keepsAwake({ core, live: { ...live, commands: 1 } }, 0)).toBe(true);
  expect(keepsAwake({ core, live: { ...live, steps: 1 } }, 0)).toBe(true);
  expect(keepsAwake({ core, live: { ...live, limitEndsAt: 5 * HOUR } }, 0)).toBe(true);
  expect(keepsAwake({ core, live: { ...live, limitEndsAt: 72 * HOUR } }, 0)).toBe(false);
  expect(keepsAwake({ core, live: { ...live, limitEndsAt: 72 * HOUR } }, 61 * HOUR)).toBe(true);
});

test('the last known work of an ended core keeps no machine awake', () => {
  expect(keepsAwake({ core: { ...core, state: 'failed' }, live: { ...live, turns: 3 } }, 0)).toBe(false);
});

test('a core of an earlier version reports no limits', () => {
  const { limitEndsAt: _, ...earlier } = live;
  expect(systemStatusSchema.unwrap().shape.live.parse(earlier).limitEndsAt).toBeNull();
});
