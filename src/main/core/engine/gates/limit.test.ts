import { describe, expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';
import { resetTime } from './limit';

const NOW = Date.UTC(2026, 10, 22);

test.each([
  ['nothing', null, null],
  ['a time to come', NOW + 90_000, NOW + 90_000],
  ['this very moment', NOW, NOW + 1000],
  ['a moment that has just passed', NOW - 5000, NOW + 1000],
  ['a part of a millisecond', NOW + 2000.25, NOW + 2001],
  ['a time long past', NOW - 3_600_000, null],
  ['no time at all', Number.NaN, null],
  ['never', Number.POSITIVE_INFINITY, null],
  ['in a lifetime', Date.UTC(2099, 0, 1), null],
])('a limit that the provider ends at "%s" is waited for, or has no known end', (_name, told, wanted) => {
  expect(resetTime(told, NOW)).toBe(wanted);
});

describe('a limit that ends at once', () => {
  const limited = async (limitResetsAt: (now: number) => number) => {
    const harness = new Harness();
    harness.agents.answer = () => ({
      outcome: 'limit',
      stopReason: 'limit',
      limitResetsAt: limitResetsAt(harness.clock.time),
    });
    await harness.run({ steps: [task('a')] });
    return harness;
  };
  const wait = async (harness: Harness, times: number) => {
    for (let n = 0; n < times; n += 1) {
      harness.clock.advance(1000);
      await harness.idle();
    }
  };

  test('a limit that ends at once is waited for, and after some times the operator is asked', async () => {
    const harness = await limited((now) => now);
    expect(harness.agents.sent).toHaveLength(1);
    expect(harness.state().timers[1]?.dueAt).toBe(harness.clock.time + 1000);
    await wait(harness, 20);
    expect(harness.agents.sent).toHaveLength(6);
    expect(harness.state().gates[1]).toMatchObject({
      kind: 'provider_limit',
      message: expect.stringContaining('several times in a row'),
    });
    await harness.answer('resend');
    await wait(harness, 20);
    expect(harness.agents.sent).toHaveLength(12);
  });

  test('a limit is asked about where its end is no time, or long past', async () => {
    for (const told of [Number.NaN, -3_600_000]) {
      const harness = await limited((now) => now + told);
      expect(harness.state().turns[1]?.limitResetsAt).toBeNull();
      expect(harness.state().gates[1]).toMatchObject({ kind: 'provider_limit', status: 'open' });
    }
  });

  test('a limit counts as work, also where the run was only taken up again and nothing was reported since', async () => {
    const harness = await limited((now) => now + 3_600_000);
    expect(harness.engine.working()).toEqual([1]);
    await harness.engine.park();
    const told = harness.log.rows.length;
    await harness.restart();
    expect(harness.log.rows).toHaveLength(told);
    expect(harness.engine.working()).toEqual([1]);
  });
});
