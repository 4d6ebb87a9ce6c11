import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Checkpoints } from './checkpoints';
import { type StoredEvent, storedEventSchema } from './events';
import { foldOnto, RunFold } from './fold';
import { replay } from './reduce';

const folder = join(import.meta.dirname, '../../main/core/engine/__histories__');
const histories = new Map<string, StoredEvent[]>(
  readdirSync(folder).map((name) => [
    name,
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => storedEventSchema.parse(JSON.parse(line))),
  ]),
);

/** Freezes a value. Modules run in strict mode, so modifying a frozen object throws. */
function deepFreeze<T>(value: T, seen = new Set<unknown>()): T {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  seen.add(value);
  for (const part of Object.values(value)) deepFreeze(part, seen);
  return Object.freeze(value);
}

test.each([...histories])('%s: no event changes a state that was given out', (_, events) => {
  const fold = new RunFold();
  for (const event of events) {
    fold.apply(event);
    deepFreeze(fold.state);
  }
  expect(fold.state).toEqual(replay(events));
});

test('a state shares with the one before it what its event did not touch', () => {
  for (const events of histories.values()) {
    const fold = new RunFold();
    for (const event of events) {
      const before = fold.state;
      fold.apply(event);
      const { state } = fold;
      if (before === null || state === null) continue;
      expect(state).not.toBe(before);
      expect(state.definition).toBe(before.definition);
      expect(state.prompted).toBe(before.prompted);
      if (event.event.type.startsWith('gate.')) expect(state.turns).toBe(before.turns);
      if (event.event.type === 'update.posted') expect(state.activations).toBe(before.activations);
    }
  }
});

test('several events between two states copy a map once, and the state stays the same object until the next event', () => {
  const events = histories.get('team-of-three.jsonl') ?? [];
  const fold = new RunFold();
  for (const event of events.slice(0, 40)) fold.apply(event);
  const { state } = fold;
  expect(fold.state).toBe(state);
  expect(state).toEqual(replay(events.slice(0, 40)));
  for (const event of events.slice(40)) fold.apply(event);
  expect(state).toEqual(replay(events.slice(0, 40)));
  expect(fold.state).toEqual(replay(events));
});

const someHistory = fc.constantFrom(...histories.values());

test('the state at any event equals the fold of the events up to it, whatever the distance of the checkpoints', () => {
  fc.assert(
    fc.property(
      someHistory,
      fc.integer({ min: 2, max: 9 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      (events, most, places) => {
        const points = new Checkpoints(most, 2);
        points.add(events);
        for (const place of places) {
          const seq = 1 + (place % events.length);
          const at = points.stateAt(seq, (after, to) => events.slice(after, to));
          expect(at).toEqual(replay(events.slice(0, seq)));
        }
      },
    ),
  );
});

test('looking back changes no checkpoint, in any order of looks', () => {
  const events = histories.get('team-killed-in-mid-round.jsonl') ?? [];
  const points = new Checkpoints(4, 2);
  points.add(events);
  const look = (seq: number) => points.stateAt(seq, (after, to) => events.slice(after, to));
  for (let seq = 1; seq <= events.length; seq += 1) deepFreeze(points.before(seq));
  for (const seq of [events.length, 1, 30, 29, 31, 7, events.length])
    expect(look(seq)).toEqual(replay(events.slice(0, seq)));
  expect(look(events.length)).toEqual(foldOnto(null, events));
});

test('a longer run keeps no more checkpoints, only greater distances', () => {
  const events = [...histories.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  const points = new Checkpoints(5, 2);
  const kept = new Set<unknown>();
  points.add(events);
  for (let seq = 1; seq <= events.length; seq += 1) kept.add(points.before(seq));
  expect(kept.size).toBeLessThanOrEqual(5);
  expect(kept.size).toBeGreaterThan(1);
  expect(points.distance).toBeLessThanOrEqual(Math.ceil(events.length / 2));
  expect(points.seq).toBe(events.length);
});
