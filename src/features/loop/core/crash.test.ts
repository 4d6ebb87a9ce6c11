import type { StoredEvent } from '@contract/run/events';
import type { MemoryLog } from '@main/core/engine/testing/harness';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Deed, failing, LoopHarness, passed } from './testing/loop';

/** A core killed when exactly this many events were on disk. */
async function restartedAfter(original: LoopHarness, seq: number): Promise<LoopHarness> {
  const harness = new LoopHarness();
  const rows: StoredEvent[] = structuredClone(original.log.rows.filter((row) => row.seq <= seq));
  (harness.log as MemoryLog).rows.push(...rows);
  harness.checkout.stories = structuredClone(original.checkout.stories);
  harness.deeds = [];
  return harness;
}

const DEEDS: readonly Deed[] = [failing, passed('US-001'), passed('US-002'), passed('US-003')];

/** Exactly one update per attempt, posted after it began and before the next one; at most one retry each. */
function check(harness: LoopHarness): void {
  const { attempts } = harness.state1;
  const told: string[] = [];
  for (const event of harness.events()) {
    if (event.type === 'loop.attempt-started') told.push(`begin ${event.iteration} ${event.retry}`);
    if (event.type === 'update.posted') told.push(`told ${event.update.iteration} ${event.update.retry}`);
  }
  const wanted = attempts.flatMap(({ iteration, retry, judged }) => [
    `begin ${iteration} ${retry}`,
    ...(judged === null ? [] : [`told ${iteration} ${retry}`]),
  ]);
  expect(told).toEqual(wanted);
  attempts.forEach((attempt, index) => {
    const before = attempts[index - 1];
    expect(attempt.retry).toBeLessThanOrEqual(1);
    if (attempt.retry === 1) {
      expect(before).toMatchObject({ iteration: attempt.iteration, retry: 0, judged: { result: 'failed' } });
    } else {
      expect(attempt.iteration).toBe((before?.iteration ?? 0) + 1);
    }
  });
  const sent = Object.values(harness.state().turns);
  const lanes = sent.map(({ lane }) => lane);
  expect(new Set(lanes).size).toBe(lanes.length);
}

describe('loops that are killed at any moment', () => {
  test('a loop killed between any two events has one update for each attempt, and comes to its end', async () => {
    const original = new LoopHarness();
    original.deeds = [...DEEDS];
    await original.loop();
    const last = original.log.rows.length;
    expect(original.state().outcome).toBe('succeeded');
    for (let seq = 1; seq <= last; seq += 1) {
      // A verdict and its update are one commit, so no crash can separate them.
      if (original.log.rows[seq]?.event.type === 'update.posted') continue;
      const harness = await restartedAfter(original, seq);
      // The worker's changes from before the crash are in the checkout; later workers do the rest.
      for (const story of harness.checkout.stories) story.passes = false;
      harness.deeds = [passed('US-001'), passed('US-002'), passed('US-003'), passed('US-001')];
      await harness.restart();
      for (let round = 0; round < 4 && harness.openGate() !== null; round += 1) {
        const gate = harness.openGate();
        await harness.answer(gate?.kind === 'iteration_failed' ? 'resume' : 'continue');
      }
      check(harness);
      expect([seq, harness.state().status]).toEqual([seq, 'finished']);
    }
  });

  test('an attempt killed in mid-turn is judged by what is there, else failed with the word interrupted, as the first failure', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [{ hang: true }];
    await harness.loop();
    harness.deeds = [{ ...passed('A'), hang: true }];
    await harness.restart();
    expect(harness.results()).toEqual(['1 failed A']);
    expect(harness.updates()[0]?.update.summary[0]).toContain('interrupted');
    expect(harness.state1.attempts.at(-1)).toMatchObject({ iteration: 1, retry: 1 });
    harness.deeds = [passed('B')];
    await harness.restart();
    expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A', '2 completed B']);
    check(harness);
    // Effects of the recovery's own decisions start once.
    const looks = harness.events().filter(({ type }) => type === 'loop.attempt-examined');
    expect(looks).toHaveLength(harness.state1.attempts.length);
  });

  test('an attempt killed with `on_interrupt: ask` is decided by the operator, and stays one', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [{ hang: true }];
    await harness.loop({}, { on_interrupt: 'ask' });
    await harness.restart();
    expect(harness.openGate()?.kind).toBe('interrupted_turn');
    harness.deeds = [passed('A')];
    await harness.answer('continue');
    expect(harness.results()).toEqual(['1 completed A']);
    expect(harness.state().outcome).toBe('succeeded');
  });
});

const ids = ['US-001', 'US-002', 'US-003'];
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.constantFrom(...ids.map(passed)),
  fc.constant(failing),
  fc.constant<Deed>({ say: 'Nothing.' }),
  fc.constant<Deed>({ say: 'Result: blocked' }),
  fc.constant<Deed>({ hang: true }),
  fc.constant<Deed>({ commit: ['part'], say: 'Part.' }),
  fc.constant<Deed>({ end: { outcome: 'failed', stopReason: 'x' } }),
  fc.constant<Deed>({ end: { outcome: 'cancelled', stopReason: 'x' } }),
  fc.constantFrom<Deed>({ unpass: ['US-001'], say: 'x' }, { rewrite: true, say: 'x' }, { lose: ['US-003'] }),
  fc.constant<Deed>({ log: ['{"type":"turn.started"}'], say: '' }),
);
type Act = 'restart' | 'answer' | 'skip' | 'stop' | 'end' | 'pause' | 'cancel' | 'resume' | 'disk' | 'time';
const act = fc.constantFrom<Act>(
  'restart',
  'answer',
  'skip',
  'stop',
  'end',
  'pause',
  'cancel',
  'resume',
  'disk',
  'time',
);

async function perform(harness: LoopHarness, wanted: Act): Promise<void> {
  const gate = harness.openGate();
  const state = harness.state();
  const pick = (name: string) =>
    gate?.options.find(({ id }) => id === name)?.id ?? gate?.options[0]?.id ?? '';
  if (wanted === 'restart') return harness.restart();
  if (wanted === 'disk') {
    harness.log.failing = 1;
    harness.clock.advance(6_000);
    return harness.idle();
  }
  if (wanted === 'time') {
    harness.clock.advance(100_000);
    return harness.idle();
  }
  if (wanted === 'end') {
    harness.agents.sent.at(-1)?.end({ response: 'late answer' });
    return harness.idle();
  }
  if (wanted === 'pause' && state.status === 'running') return harness.pause();
  if (wanted === 'cancel' && state.status === 'running') return harness.cancel();
  if (wanted === 'resume' && state.status === 'finished' && state.outcome !== 'succeeded')
    return harness.resume();
  if (gate !== null && ['answer', 'skip', 'stop'].includes(wanted))
    return harness.answer(pick(wanted === 'answer' ? 'continue' : wanted));
}

test('each attempt of any worker has one update and at most one retry, in order, however often it is cut off', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 12 }),
      fc.array(act, { maxLength: 12 }),
      fc.integer({ min: 1, max: 6 }),
      async (deeds, acts, iterations) => {
        const harness = new LoopHarness();
        harness.deeds = [...deeds];
        await harness.loop({ iterations, minutes: 1, attempt_minutes: 2 });
        for (const wanted of acts) await perform(harness, wanted);
        harness.clock.advance(10_000);
        await harness.idle();
        check(harness);
        if (harness.state().status === 'finished')
          expect(harness.updates()).toHaveLength(harness.state1.attempts.length);
        expect(harness.logged.filter((line) => line.includes('an effect threw'))).toEqual([]);
      },
    ),
    { numRuns: 120 },
  );
});
