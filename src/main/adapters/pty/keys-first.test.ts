import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FLOOD_BYTES, KeysFirst, TURN_BYTES, TURN_MS, TYPING_MS, WINDOW_MS } from './keys-first';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Terminal {
  held = false;
  /** What it prints at once where it is not held. */
  bytes = 0;
  read = 0;

  constructor(readonly name: number) {}

  holdBack(_: unknown, on: boolean): void {
    this.held = on;
  }
}

const KEY_MS = 100;
const terminals = (count: number) => Array.from({ length: count }, (_, name) => new Terminal(name));

/** Types every so often into the first of them, for so long, while each prints what it prints in a millisecond. */
function typing(keys: KeysFirst<Terminal>, all: readonly Terminal[], ms: number): void {
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

test('what floods already is held with the first key, and what begins to as soon as it does', () => {
  const keys = new KeysFirst<Terminal>();
  const [typed, flood, begins, was] = terminals(4) as [Terminal, Terminal, Terminal, Terminal];
  keys.read(was, FLOOD_BYTES);
  vi.advanceTimersByTime(2 * WINDOW_MS);
  keys.read(flood, FLOOD_BYTES);
  vi.advanceTimersByTime(WINDOW_MS);
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

test('it is held until a while after the last key', () => {
  const keys = new KeysFirst<Terminal>();
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

test('of those that flood one is read at a time, in turns, and none waits for ever', () => {
  const keys = new KeysFirst<Terminal>();
  const [typed, ...floods] = terminals(21) as [Terminal, ...Terminal[]];
  for (const flood of floods) flood.bytes = TURN_BYTES;
  typing(keys, [typed, ...floods], WINDOW_MS);
  const before = floods.map(({ read }) => read);
  typing(keys, [typed, ...floods], 2 * floods.length * TURN_MS);
  const turns = floods.map(({ read }, index) => (read - (before[index] ?? 0)) / TURN_BYTES);
  expect(new Set(turns)).toEqual(new Set([2]));
});

test('the answer to a key gives the next one its turn at once, and no more than one', () => {
  const keys = new KeysFirst<Terminal>();
  const [typed, ...floods] = terminals(4) as [Terminal, ...Terminal[]];
  keys.typed(typed);
  keys.answered();
  for (const flood of floods) keys.read(flood, FLOOD_BYTES);
  const held = () => floods.map((flood) => flood.held);
  expect(held()).toEqual([true, true, true]);
  keys.answered();
  expect(held()).toEqual([false, true, true]);
  for (const flood of floods.slice(0, 1)) keys.read(flood, TURN_BYTES);
  keys.answered();
  expect(held()).toEqual([true, false, true]);
});

test('the terminal that is typed into is never held, also where it was before', () => {
  const keys = new KeysFirst<Terminal>();
  const [typed, flood] = terminals(2) as [Terminal, Terminal];
  keys.typed(typed);
  keys.read(flood, FLOOD_BYTES);
  keys.typed(flood);
  expect(flood.held).toBe(false);
  keys.read(flood, FLOOD_BYTES);
  expect(flood.held).toBe(false);
});

test('one that has ended is let go and forgotten', () => {
  const keys = new KeysFirst<Terminal>();
  const [typed, flood] = terminals(2) as [Terminal, Terminal];
  keys.typed(typed);
  keys.read(flood, FLOOD_BYTES);
  keys.left(flood);
  expect(flood.held).toBe(false);
  flood.held = true;
  keys.stop();
  expect(flood.held).toBe(true);
});

test('whoever prints little is never held, whatever the others print', () => {
  const little = fc.nat(Math.floor(FLOOD_BYTES / WINDOW_MS));
  const rates = fc.array(fc.oneof(little, fc.nat(4 * FLOOD_BYTES)), { minLength: 1, maxLength: 24 });
  fc.assert(
    fc.property(rates, (all) => {
      const keys = new KeysFirst<Terminal>();
      const [typed, ...others] = terminals(all.length + 1) as [Terminal, ...Terminal[]];
      for (const [index, other] of others.entries()) {
        other.bytes = all[index] ?? 0;
      }
      for (const one of others.filter(({ bytes }) => bytes * WINDOW_MS < FLOOD_BYTES)) {
        one.holdBack = () => {
          throw new Error(`${one.bytes} bytes in a millisecond were held`);
        };
      }
      typing(keys, [typed, ...others], 4 * WINDOW_MS);
      keys.stop();
      expect(others.some(({ held }) => held)).toBe(false);
    }),
    { numRuns: 30 },
  );
});
