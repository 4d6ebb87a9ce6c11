import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { PausePoints } from '@main/core/ports/testing/pause-points';
import { expect, test } from 'vitest';
import { HeldDecisions } from './held-decisions';

type Parts = ConstructorParameters<typeof HeldDecisions>[0];

/** A core over settings that survive it. */
function coreOn(settings: Map<string, unknown>, { taken = true, from = 0, points = new PausePoints() } = {}) {
  let now = from;
  let alarm: { at: number; run: () => void } | null = null;
  const calls: [string, unknown][] = [];
  const refused: string[] = [];
  const parts: Parts = {
    store: {
      setting: (key) => settings.get(key),
      setSetting: (key, value) => void settings.set(key, structuredClone(value)),
    },
    clock: {
      now: () => now,
      at(at, run) {
        alarm = { at, run };
        return () => {
          alarm = null;
        };
      },
    },
    refused: ({ title }, why) => void refused.push(`${title}: ${why}`),
  };
  const held = new HeldDecisions(parts);
  const call = async (name: string, input: unknown) => {
    calls.push([name, input]);
    return taken ? ok({}) : err(appError('conflict', 'It was answered already.'));
  };
  held.start(points.calling((name) => name, call));
  const pass = async (ms: number) => {
    now += ms;
    while (alarm !== null && alarm.at <= now) {
      const { run } = alarm;
      alarm = null;
      run();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    }
  };
  return { held, calls, refused, pass };
}

const decision = (key: string, undoMs = 5_000) => ({
  key,
  word: 'Approve',
  title: `Gate ${key}`,
  procedure: 'gate.resolve',
  input: { gateId: key },
  undoMs,
});

test('a decision whose window died is carried out by the core, once, a little after its time', async () => {
  const { held, calls, pass } = coreOn(new Map());
  expect(held.hold(decision('1')).ok).toBe(true);
  await pass(5_000);
  expect(calls).toEqual([]);
  await pass(60_000);
  expect(calls).toEqual([['gate.resolve', { gateId: '1' }]]);
  expect(await held.send('1')).toEqual(ok({}));
  expect(calls).toHaveLength(1);
});

test('a decision that the core held when it died is carried out by the next one', async () => {
  const settings = new Map<string, unknown>();
  coreOn(settings).held.hold(decision('1'));
  const next = coreOn(settings, { from: 100_000 });
  await next.pass(60_000);
  expect(next.calls).toEqual([['gate.resolve', { gateId: '1' }]]);
  const last = coreOn(settings, { from: 200_000 });
  await last.pass(60_000);
  expect(last.calls).toEqual([]);
});

test('a restart of the core leaves time to take a decision back', async () => {
  const settings = new Map<string, unknown>();
  coreOn(settings).held.hold(decision('1'));
  const next = coreOn(settings, { from: 100_000 });
  await next.pass(4_000);
  expect(next.calls).toEqual([]);
  expect(next.held.undo('1')).toBe(true);
  await next.pass(60_000);
  expect(next.calls).toEqual([]);
});

test('an undone decision is never carried out, and one that was carried out cannot be undone', async () => {
  const { held, calls, pass } = coreOn(new Map());
  held.hold(decision('1'));
  held.hold(decision('2'));
  expect(held.undo('1')).toBe(true);
  expect(await held.send('2')).toEqual(ok({}));
  expect(held.undo('2')).toBe(false);
  await pass(60_000);
  expect(calls.map(([, input]) => input)).toEqual([{ gateId: '2' }]);
  expect((await held.send('1')).ok).toBe(false);
});

test('a decision that is held twice, or cannot be carried out, is reported', async () => {
  const { held, refused, pass } = coreOn(new Map(), { taken: false });
  held.hold(decision('1'));
  expect(held.hold(decision('1'))).toMatchObject({ ok: false, error: { code: 'conflict' } });
  await pass(60_000);
  expect(refused).toEqual(['Gate 1: It was answered already.']);
  expect(await held.send('1')).toMatchObject({ ok: false, error: { message: 'It was answered already.' } });
});

test('a decision without time to undo it is sent by the window, and the core holds it as well', async () => {
  const { held, calls } = coreOn(new Map());
  held.hold(decision('1', 0));
  await Promise.all([held.send('1'), held.send('1')]);
  expect(calls).toHaveLength(1);
});

test('a decision that is being sent can no longer be undone, and undo says so', async () => {
  const points = new PausePoints();
  const { held, calls, pass } = coreOn(new Map(), { points });
  held.hold(decision('1'));
  const sending = points.hold('gate.resolve');
  const sent = held.send('1');
  await sending.reached;
  expect(held.undo('1')).toBe(false);
  sending.release();
  expect(await sent).toEqual(ok({}));
  await pass(60_000);
  expect(calls).toEqual([['gate.resolve', { gateId: '1' }]]);
});

test('a decision whose core dies while it is being carried out is carried out by the next core', async () => {
  const settings = new Map<string, unknown>();
  const points = new PausePoints();
  const first = coreOn(settings, { points });
  first.held.hold(decision('1'));
  const sending = points.hold('gate.resolve');
  void first.held.send('1');
  await sending.reached;
  const next = coreOn(settings, { from: 100_000 });
  await next.pass(60_000);
  expect([first.calls, next.calls]).toEqual([[], [['gate.resolve', { gateId: '1' }]]]);
});
