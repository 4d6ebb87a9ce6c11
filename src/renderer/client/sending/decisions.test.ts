import { beforeEach, expect, test } from 'vitest';
import { Decisions } from './decisions';

let now: number;
let timers: { at: number; run: () => void }[];
let sent: string[];
let decisions: Decisions;
let heldAt: [string, number][];
let undone: string[];
let isAway: boolean;

const pass = async (ms: number) => {
  now += ms;
  for (const timer of timers.filter(({ at }) => at <= now)) {
    timers = timers.filter((one) => one !== timer);
    timer.run();
  }
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};
const decision = (key: string, taken = true) => ({
  key,
  word: 'Approve',
  title: key,
  place: `#/gate/${key}`,
  sends: { procedure: 'gate.resolve' as const, input: { taken } },
});
const keys = () => decisions.held.get().map(({ key }) => key);

beforeEach(() => {
  [now, timers, sent, isAway] = [0, [], [], false];
  [heldAt, undone] = [[], []];
  decisions = new Decisions(
    {
      now: () => now,
      after: (ms, run) => {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
    {
      async hold({ key }, undoMs) {
        heldAt.push([key, undoMs]);
        return !isAway;
      },
      undo: async (key) => void undone.push(key),
      async send({ key, sends }, isHeld) {
        sent.push(isHeld ? key : `${key} directly`);
        return (sends.input as { taken: boolean }).taken;
      },
    },
  );
});

test('a decision is sent once, when the time to undo it is over', async () => {
  decisions.decide(decision('1/1'), 5000);
  await pass(4999);
  expect(sent).toEqual([]);
  await pass(1);
  await pass(5000);
  expect(sent).toEqual(['1/1']);
  expect(keys()).toEqual([]);
});

test('an undone decision is never sent, and the newest one is undone first', async () => {
  decisions.decide(decision('1/1'), 5000);
  decisions.decide(decision('1/2'), 5000);
  expect(decisions.undo()?.key).toBe('1/2');
  expect(decisions.undo('1/9')).toBeNull();
  await pass(9000);
  expect(sent).toEqual(['1/1']);
  expect(decisions.undo()).toBeNull();
});

test('an item that is decided takes no second decision until the first was refused', async () => {
  expect(decisions.decide(decision('1/1', false), 100)).toBe(true);
  expect(decisions.decide(decision('1/1'), 100)).toBe(false);
  await pass(100);
  expect(keys()).toEqual([]);
  expect(decisions.decide(decision('1/1'), 100)).toBe(true);
});

test('without a time to undo a decision is sent at once and cannot be undone', async () => {
  decisions.decide(decision('1/1'), 0);
  await pass(0);
  expect(sent).toEqual(['1/1 directly']);
  expect(heldAt).toEqual([]);
  expect(decisions.undo()).toBeNull();
  await pass(0);
  expect(keys()).toEqual(['1/1']);
});

test('decisions that can still be undone are sent when the page goes away', async () => {
  decisions.decide(decision('1/1'), 5000);
  decisions.decide(decision('1/2'), 5000);
  decisions.sendAll();
  decisions.sendAll();
  await pass(0);
  expect(sent).toEqual(['1/1', '1/2']);
});

test('a decision waits in the core from the first moment, and an undone one does so no more', async () => {
  decisions.decide(decision('1/1'), 5000);
  decisions.decide(decision('1/2'), 5000);
  expect(heldAt).toEqual([
    ['1/1', 5000],
    ['1/2', 5000],
  ]);
  decisions.undo('1/1');
  await pass(5000);
  expect([undone, sent]).toEqual([['1/1'], ['1/2']]);
});

test('an item that is decided again while its undo is under way is held after that', async () => {
  decisions.decide(decision('1/1'), 5000);
  decisions.undo('1/1');
  decisions.decide(decision('1/1'), 5000);
  expect(heldAt).toHaveLength(1);
  await pass(0);
  expect([undone, heldAt.length]).toEqual([['1/1'], 2]);
});

test('a decision that the core could not hold is sent from the window, and its end is told', async () => {
  isAway = true;
  const ends: boolean[] = [];
  decisions.decide({ ...decision('1/1', false), ended: (taken) => void ends.push(taken) }, 100);
  await pass(100);
  expect([sent, ends]).toEqual([['1/1 directly'], [false]]);
});
