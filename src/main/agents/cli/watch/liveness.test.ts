import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentLiveness, type LifeSignals } from './liveness';

const NOW = 1_000_000;
const moment = fc.integer({ min: 0, max: NOW });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const signals: fc.Arbitrary<LifeSignals> = fc.record({
  startedAt: moment,
  readyAt: maybe(moment),
  exit: maybe(fc.record({ at: moment, how: fc.constant('exited with code 1') })),
  turnAt: maybe(moment),
  outputAt: maybe(moment),
  told: maybe(
    fc.record({ at: moment, what: fc.constantFrom('working', 'waiting'), detail: fc.constant('Bash') }),
  ),
  asks: maybe(fc.record({ at: moment, text: fc.constant('Trust this folder?') })),
  processesAt: maybe(moment),
  freshMs: fc.integer({ min: 1, max: 60_000 }),
  stallMs: fc.integer({ min: 60_000, max: 600_000 }),
});

const inTurn = { readyAt: 0, turnAt: 0, exit: null, asks: null, told: null };

test('any fresh sign of life vetoes that it is stalled', () => {
  fc.assert(
    fc.property(signals, fc.constantFrom('outputAt', 'processesAt', 'told', 'turnAt'), (some, sign) => {
      const at = NOW - some.freshMs + 1;
      const fresh = sign === 'told' ? { at, what: 'working' as const, detail: 'Bash' } : at;
      expect(agentLiveness({ ...some, ...inTurn, [sign]: fresh }, NOW).state).toBe('working');
    }),
  );
});

test('unknown processes never count against an agent: without a look at them it is not stalled', () => {
  fc.assert(
    fc.property(signals, (some) => {
      const unseen = { ...some, ...inTurn, processesAt: null };
      expect(agentLiveness(unseen, NOW).state).not.toBe('stalled');
    }),
  );
});

test('an agent that waits for the operator is not stalled, however long that takes', () => {
  fc.assert(
    fc.property(signals, fc.integer({ min: 0, max: 10 ** 9 }), (some, later) => {
      const told = { at: NOW, what: 'waiting', detail: 'may it write?' } as const;
      const waits = { ...some, ...inTurn, told };
      expect(agentLiveness(waits, NOW + later).state).toBe('waiting_for_input');
    }),
  );
});

test('an exit is the last word, and every state has a reason and a beginning that is not in the future', () => {
  fc.assert(
    fc.property(signals, (some) => {
      const life = agentLiveness(some, NOW);
      expect(life.state === 'exited').toBe(some.exit !== null);
      expect(life.since).toBeLessThanOrEqual(NOW);
      expect(life.reason).not.toBe('');
    }),
  );
});

test('while nothing happens a turn goes from working over unknown to stalled and never back', () => {
  const order = ['working', 'unknown', 'stalled'];
  fc.assert(
    fc.property(signals, fc.array(fc.integer({ min: 0, max: 10 ** 7 })), (some, waits) => {
      const quiet = { ...some, ...inTurn };
      const ranks = [...waits]
        .sort((a, b) => a - b)
        .map((ms) => order.indexOf(agentLiveness(quiet, NOW + ms).state));
      expect(ranks).toEqual([...ranks].sort());
      expect(ranks).not.toContain(-1);
    }),
  );
});

test('the reason names the last sign', () => {
  const all = { ...inTurn, startedAt: 0, outputAt: 5000, processesAt: 9000, freshMs: 1000, stallMs: 60_000 };
  expect(agentLiveness(all, 9500)).toEqual({ state: 'working', since: 0, reason: 'its processes worked' });
  expect(agentLiveness(all, 49_000)).toEqual({
    state: 'unknown',
    since: 9000,
    reason: 'no activity for 40 s; before that, its processes worked',
    silence: 'no activity since its processes worked',
  });
  expect(agentLiveness(all, 609_000)).toMatchObject({
    state: 'stalled',
    reason: 'no activity for 10 minutes; before that, its processes worked',
  });
  expect(agentLiveness({ ...all, turnAt: null }, 609_000)).toMatchObject({ state: 'idle' });
  expect(agentLiveness({ ...all, readyAt: null }, 609_000)).toMatchObject({ state: 'starting' });
});
