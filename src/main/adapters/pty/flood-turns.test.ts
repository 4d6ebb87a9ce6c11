import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ANSWER_DRAWN_MS,
  BURST_BYTES,
  FLOOD_TURN_MS,
  FLOOD_WINDOW_MS,
  SEEN_FLOOD_TURN_MS,
  TYPING_MS,
} from '../../limits/terminal-host';
import { FLOOD_BYTES, FloodTurns, TURN_BYTES, UNSEEN_EVERY, UNSEEN_TURN_BYTES } from './flood-turns';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Terminal {
  held = false;
  seen = false;
  /** Bytes it prints at once if not paused. */
  bytes = 0;
  read = 0;

  constructor(readonly name: number) {}

  waitForTurn(on: boolean): void {
    this.held = on;
  }
}

const KEY_MS = 100;
const terminals = (count: number) => Array.from({ length: count }, (_, name) => new Terminal(name));

/**
 * Types at intervals into the first terminal for some time, while each terminal prints its output per
 * millisecond.
 */
function typing(keys: FloodTurns<Terminal>, all: readonly Terminal[], ms: number): void {
  const [first] = all;
  for (let now = 0; now < ms; now += 1) {
    if (first && now % KEY_MS === 0) keys.typed(first);
    for (const one of all) {
      if (one.held) continue;
      one.read += one.bytes;
      keys.read(one, one.bytes);
    }
    vi.advanceTimersByTime(1);
  }
}

test('a terminal that floods is held with the first key, and one that begins to flood as soon as it does', () => {
  const keys = new FloodTurns<Terminal>();
  const [typed, flood, begins, was] = terminals(4) as [Terminal, Terminal, Terminal, Terminal];
  keys.read(was, FLOOD_BYTES);
  vi.advanceTimersByTime(2 * FLOOD_WINDOW_MS);
  keys.read(flood, FLOOD_BYTES);
  vi.advanceTimersByTime(FLOOD_WINDOW_MS);
  keys.read(flood, 1);
  expect(flood.held).toBe(false);
  keys.typed(typed);
  expect(flood.held).toBe(true);
  expect(was.held).toBe(false);
  keys.read(begins, FLOOD_BYTES - 1);
  expect(begins.held).toBe(false);
  keys.read(begins, 1);
  expect(begins.held).toBe(true);
  keys.stop();
  expect([flood, begins].some(({ held }) => held)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('a terminal that floods is held until a while after the last key', () => {
  const keys = new FloodTurns<Terminal>();
  const [typed, ...floods] = terminals(41) as [Terminal, ...Terminal[]];
  keys.typed(typed);
  for (const flood of floods) keys.read(flood, FLOOD_BYTES);
  vi.advanceTimersByTime(TYPING_MS - 1);
  keys.typed(typed);
  vi.advanceTimersByTime(TYPING_MS - 1);
  expect(floods.filter(({ held }) => held).length).toBeGreaterThan(0);
  vi.advanceTimersByTime(1);
  expect(floods.filter(({ held }) => held)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('terminals that flood are read one at a time, in turns, and none waits indefinitely', () => {
  const keys = new FloodTurns<Terminal>();
  const [typed, ...floods] = terminals(21) as [Terminal, ...Terminal[]];
  for (const flood of floods) flood.bytes = TURN_BYTES;
  typing(keys, [typed, ...floods], FLOOD_WINDOW_MS);
  const before = floods.map(({ read }) => read);
  typing(keys, [typed, ...floods], 2 * floods.length * FLOOD_TURN_MS);
  const turns = floods.map(({ read }, index) => (read - (before[index] ?? 0)) / TURN_BYTES);
  expect(new Set(turns)).toEqual(new Set([2]));
});

test('the answer to a key is followed by the turn of the next terminal, and of no more than one', () => {
  const keys = new FloodTurns<Terminal>();
  const [typed, ...floods] = terminals(4) as [Terminal, ...Terminal[]];
  keys.typed(typed);
  keys.answered();
  for (const flood of floods) keys.read(flood, FLOOD_BYTES);
  const held = () => floods.map((flood) => flood.held);
  expect(held()).toEqual([true, true, true]);
  keys.answered();
  expect(held()).toEqual([true, true, true]);
  vi.advanceTimersByTime(ANSWER_DRAWN_MS);
  expect(held()).toEqual([false, true, true]);
  for (const flood of floods.slice(0, 1)) keys.read(flood, TURN_BYTES);
  // Even if keys are answered faster than that.
  for (let key = 0; key < 2; key += 1) {
    keys.answered();
    vi.advanceTimersByTime(ANSWER_DRAWN_MS / 2);
  }
  expect(held()).toEqual([true, false, true]);
});

test('the terminal that is typed into is never held, also where it was before', () => {
  const keys = new FloodTurns<Terminal>();
  const [typed, flood] = terminals(2) as [Terminal, Terminal];
  keys.typed(typed);
  keys.read(flood, FLOOD_BYTES);
  keys.typed(flood);
  expect(flood.held).toBe(false);
  keys.read(flood, FLOOD_BYTES);
  expect(flood.held).toBe(false);
});

test('a terminal that has ended is let go and forgotten', () => {
  const keys = new FloodTurns<Terminal>();
  const [typed, flood] = terminals(2) as [Terminal, Terminal];
  keys.typed(typed);
  keys.read(flood, FLOOD_BYTES);
  keys.left(flood);
  expect(flood.held).toBe(false);
  flood.held = true;
  keys.stop();
  expect(flood.held).toBe(true);
});

test('a terminal that prints little is never held, whatever the others print', () => {
  const little = fc.nat(Math.floor(FLOOD_BYTES / FLOOD_WINDOW_MS));
  const rates = fc.array(fc.oneof(little, fc.nat(4 * FLOOD_BYTES)), { minLength: 1, maxLength: 24 });
  fc.assert(
    fc.property(rates, (all) => {
      const keys = new FloodTurns<Terminal>();
      const [typed, ...others] = terminals(all.length + 1) as [Terminal, ...Terminal[]];
      for (const [index, other] of others.entries()) {
        other.bytes = all[index] ?? 0;
      }
      for (const one of others.filter(({ bytes }) => bytes * FLOOD_WINDOW_MS < FLOOD_BYTES)) {
        one.waitForTurn = () => {
          throw new Error(`${one.bytes} bytes in a millisecond were held`);
        };
      }
      typing(keys, [typed, ...others], 4 * FLOOD_WINDOW_MS);
      keys.stop();
      expect(others.some(({ held }) => held)).toBe(false);
    }),
    { numRuns: 30 },
  );
});

describe('beside a window', () => {
  const flooding = (count: number) => {
    const turns = new FloodTurns<Terminal>();
    const all = terminals(count);
    for (const one of all) one.bytes = TURN_BYTES;
    return { turns, all };
  };
  /** Each prints what it can, one after the other per millisecond. */
  function pass(turns: FloodTurns<Terminal>, all: readonly Terminal[], ms: number): number[] {
    const before = all.map(({ read }) => read);
    for (let now = 0; now < ms; now += 1) {
      for (const one of all) {
        if (one.held) continue;
        one.read += one.bytes;
        turns.read(one, one.bytes);
      }
      vi.advanceTimersByTime(1);
    }
    return all.map(({ read }, index) => read - (before[index] ?? 0));
  }

  test('several terminals that flood beside a window are read in turns, and go on as soon as no one looks', () => {
    const { turns, all } = flooding(20);
    turns.windowShown(true);
    const round = all.length * SEEN_FLOOD_TURN_MS * UNSEEN_EVERY;
    pass(turns, all, round);
    const found = pass(turns, all, 2 * round);
    for (const bytes of found) {
      expect(bytes).toBeGreaterThanOrEqual(2 * UNSEEN_TURN_BYTES);
      expect(bytes).toBeLessThanOrEqual(2 * (UNSEEN_TURN_BYTES + FLOOD_BYTES));
    }
    turns.windowShown(false);
    expect(all.some(({ held }) => held)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    expect(Math.min(...pass(turns, all, 100))).toBe(100 * TURN_BYTES);
  });

  test('a terminal on a screen moves on more often, by less', () => {
    const { turns, all } = flooding(6);
    const [shown] = all as [Terminal];
    shown.seen = true;
    turns.windowShown(true);
    pass(turns, all, 10 * SEEN_FLOOD_TURN_MS);
    const [bytes] = pass(turns, all, 20 * SEEN_FLOOD_TURN_MS);
    expect(bytes).toBe(20 * TURN_BYTES);
  });

  test('a terminal that floods alone is not held, nor the last one left, nor a burst', () => {
    const { turns, all } = flooding(3);
    const [first, second, burst] = all as [Terminal, Terminal, Terminal];
    turns.windowShown(true);
    expect(pass(turns, [first], 1000)).toEqual([1000 * TURN_BYTES]);
    pass(turns, [first, second], 1000);
    expect([first, second].every(({ held }) => held)).toBe(true);
    turns.read(burst, BURST_BYTES - 1);
    expect(burst.held).toBe(false);
    turns.left(second);
    turns.left(burst);
    expect(first.held).toBe(false);
    expect(pass(turns, [first], 1000)).toEqual([1000 * TURN_BYTES]);
    turns.stop();
  });

  test('a key comes first beside a window too, and what waited for the window goes on waiting after it', () => {
    const { turns, all } = flooding(5);
    const [typed] = terminals(1) as [Terminal];
    turns.windowShown(true);
    pass(turns, all, 1000);
    turns.typed(typed);
    turns.answered();
    pass(turns, all, ANSWER_DRAWN_MS);
    expect(all.filter(({ held }) => !held).length).toBe(1);
    pass(turns, all, TYPING_MS + 1);
    expect(all.filter(({ held }) => held).length).toBeGreaterThanOrEqual(all.length - 1);
    turns.stop();
    expect(all.some(({ held }) => held)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a terminal that prints less than a flood is never held', () => {
    const { turns, all } = flooding(8);
    const [quiet] = terminals(1) as [Terminal];
    quiet.bytes = Math.floor(FLOOD_BYTES / FLOOD_WINDOW_MS) - 1;
    turns.windowShown(true);
    quiet.waitForTurn = () => expect.unreachable('held');
    pass(turns, [quiet, ...all], 20 * FLOOD_WINDOW_MS);
    turns.stop();
  });
});
