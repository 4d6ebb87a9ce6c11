import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide';
import { Schedule } from './schedule/schedule';
import { action, type Ended, graphName, play } from './testing/actions';
import { invariants, waitsForNothing, waitsForSomething } from './testing/invariants';

test('a run keeps the invariants after every event of any sequence of commands, crashes and disk faults', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 14 }), graphName, async (actions, graph) => {
      const harness = await play(actions, graph);
      const events = harness.log.read(1);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
      for (let end = 1; end <= events.length; end += 1) {
        const state = replay(events.slice(0, end));
        if (state !== null) invariants(state);
      }
      const ends = events.flatMap(({ event }) =>
        event.type === 'command.finished' || event.type === 'command.interrupted' ? [event.commandId] : [],
      );
      expect(new Set(ends).size, 'a command ends once').toBe(ends.length);
      const over = events.flatMap(({ event }) =>
        event.type === 'turn.finished' || event.type === 'turn.interrupted' ? [event.turnId] : [],
      );
      expect(new Set(over).size, 'a turn ends once').toBe(over.length);
      const sent = harness.agents.sent.map(({ request }) => request.turnId);
      expect(new Set(sent).size, 'no turn is sent twice').toBe(sent.length);
      expect(waitsForNothing(harness.state()), 'a run that goes on waits for something').toBe(false);
      const live = harness.engine.live(1);
      if (live === null) return;
      expect(live.state).toEqual(replay(events));
      waitsForSomething(live.state);
      for (const gateId of live.pendingPermissions.keys())
        expect(live.state.gates[gateId]?.closedAt ?? null, 'nobody waits for a closed gate').toBeNull();
      const fresh = new Schedule(live.plan, live.state);
      expect(live.schedule.places, 'what followed event by event').toEqual(fresh.places);
      expect(live.schedule.running).toEqual(fresh.running);
      expect(live.schedule.deciding).toEqual(fresh.deciding);
    }),
    { numRuns: 180 },
  );
});

test('a run comes to the same end from any prefix of its history', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 10 }),
      fc.nat(1000),
      graphName,
      async (actions, cut, graph) => {
        const events = (await play(actions, graph)).log.read(1);
        const at = 1 + (cut % events.length);
        const first = structuredClone(replay(events.slice(0, at)));
        const { reduce } = await import('@contract/run/reduce');
        const continued = events
          .slice(at)
          .reduce<RunState | null>((state, event) => reduce(state, event), first);
        expect(continued).toEqual(replay(events));
      },
    ),
    { numRuns: 60 },
  );
});

test('a decision leaves no trace: the same input gives the same events and leaves the state alone', async () => {
  const harness = await play([]);
  const run = harness.engine.live(1);
  if (run === null) throw new Error('no run');
  const before = structuredClone(run.state);
  const moment = { plan: run.plan, state: run.state, schedule: run.schedule, now: 5 };
  expect(decide(moment)).toEqual(decide(moment));
  expect(run.state).toEqual(before);
});

test('a run never waits for nothing where steps need the places of each other', async () => {
  const answered = fc.record({
    kind: fc.constant('answer' as const),
    index: fc.nat(1),
    how: fc.constantFrom<Ended>('completed', 'completed', 'completed', 'completed', 'failed', 'limit'),
  });
  const other = action.filter(({ kind }) => kind !== 'cancel');
  const actions = fc.array(fc.oneof({ weight: 4, arbitrary: answered }, { weight: 1, arbitrary: other }), {
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(actions, async (played) => {
      const state = (await play(played, 'crossed')).state();
      expect(waitsForNothing(state)).toBe(false);
    }),
    { numRuns: 80 },
  );
});
