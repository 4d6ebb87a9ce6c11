import { ok } from '@contract/result';
import { replay } from '@contract/run/reduce';
import type { RunState, TurnState } from '@contract/run/state';
import { waitsForLimit } from '@contract/run/status';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide';
import { brokenActivations } from './resume/broken-activations';
import { Schedule } from './schedule/schedule';
import { graphs, profiles } from './testing/graphs';
import { Harness } from './testing/harness';
import { CONTINUE_PROMPT, ownPrompt } from './turns/replay-context';

/** The state of agents after a restart; null: they ended with the core. */
type Left = ReturnType<Harness['agents']['survives']>;

type Ended = 'completed' | 'failed' | 'cancelled' | 'limit' | 'login';

type Action =
  | { kind: 'answer'; index: number; how: Ended }
  | { kind: 'gate'; index: number; option: number }
  | { kind: 'cancel' }
  | { kind: 'restart'; lost: number | null; agents: Left }
  | { kind: 'command'; index: number; code: number }
  | { kind: 'disk' }
  | { kind: 'time' }
  | { kind: 'ask'; index: number }
  | { kind: 'say'; index: number }
  | { kind: 'stop'; index: number }
  | { kind: 'resume' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      index: fc.nat(5),
      how: fc.constantFrom<Ended>(
        ...(['completed', 'completed', 'completed', 'failed', 'cancelled', 'limit', 'login'] as const),
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('gate' as const), index: fc.nat(3), option: fc.nat(2) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask' as const), index: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('say' as const), index: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), index: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('restart' as const),
      lost: fc.option(fc.nat(1)),
      agents: fc.constantFrom<Left>(null, null, 'goes_on', 'goes_on', 'unsent', 'cut'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('command' as const),
      index: fc.nat(2),
      code: fc.constantFrom(0, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'resume' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'time' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'disk' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
);

/** The operator prompts a session, also after its run has ended. */
async function say(harness: Harness, index: number): Promise<void> {
  await harness.engine.command(1, ({ state }) => {
    const session = Object.values(state.sessions)[index];
    if (session === undefined || state.status === 'cancelling') return ok([]);
    const about = { sessionId: session.id, text: 'say', attachments: [], by: 'test' };
    return ok([
      ...(state.status === 'finished' ? [{ type: 'run.reopened' as const, by: 'test' }] : []),
      { type: 'prompt.queued', promptId: state.last.prompt + 1, ...about },
    ]);
  });
}

/** The operator ends a turn; the agent does not always react before the core ends. */
async function stop(harness: Harness, turnId: number | undefined): Promise<void> {
  if (turnId === undefined) return;
  harness.agents.heeds = turnId % 2 === 0;
  await harness.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId, by: 'test' }]));
  await harness.idle();
  harness.agents.heeds = true;
}

async function resume(harness: Harness): Promise<void> {
  await harness.engine.command(1, ({ state }) => {
    if (state.status !== 'finished' || state.outcome === 'succeeded' || state.outcome === 'rejected')
      return ok([]);
    return ok([{ type: 'run.resumed', by: 'test', activationIds: brokenActivations(state) }]);
  });
}

async function play(actions: readonly Action[], graph: keyof typeof graphs = 'chains'): Promise<Harness> {
  const harness = new Harness();
  harness.commands.survives = () => true;
  harness.agents.answer = () => null;
  harness.commands.answer = () => null;
  await harness.run(graphs[graph], { profiles });
  const live = () =>
    harness.agents.sent.filter(
      (turn) => harness.engine.live(1)?.state.turns[turn.request.turnId]?.status === 'in_flight',
    );
  for (const step of actions) {
    const turn = 'index' in step ? live()[step.index] : undefined;
    if (step.kind === 'answer')
      turn?.end({
        outcome: step.how,
        stopReason: step.how,
        response: 'x',
        limitResetsAt: step.how === 'limit' ? harness.clock.time + 50 : null,
      });
    else if (step.kind === 'ask')
      void turn?.ask({ tool: 'edit', title: 'e', kind: 'edit', diffs: [], hash: `h${step.index}` });
    else if (step.kind === 'gate') {
      const open = Object.values(harness.state().gates).filter((entry) => entry.status === 'open')[
        step.index
      ];
      if (open)
        await harness.answer(open.options[step.option % open.options.length]?.id ?? '', {
          gateId: open.id,
          reason: 'r',
        });
    } else if (step.kind === 'say') await say(harness, step.index);
    else if (step.kind === 'stop') await stop(harness, turn?.request.turnId);
    else if (step.kind === 'resume') await resume(harness);
    else if (step.kind === 'cancel') await harness.cancel();
    else if (step.kind === 'restart') {
      // A lost terminal never comes back.
      const survives = harness.commands.survives;
      const all = harness.commands.ran.length;
      harness.commands.survives = (one) =>
        survives(one) && (one.spec.commandId > all || one.spec.commandId % 2 !== step.lost);
      harness.agents.survives = () => step.agents;
      harness.agents.resumes = step.lost !== 0;
      await harness.restart();
    } else if (step.kind === 'command')
      harness.commands.ran.filter(({ result }) => result === null)[step.index]?.end({ exitCode: step.code });
    else if (step.kind === 'disk') harness.log.failing = 1;
    else harness.clock.advance(400);
    await harness.idle();
  }
  harness.clock.advance(10_000);
  await harness.idle();
  return harness;
}

/** An unfinished run always waits for something. */
function waitsForSomething(state: RunState): void {
  if (state.status === 'finished') return;
  const awaited = [
    ...Object.values(state.turns).filter((entry) => entry.status === 'in_flight'),
    ...Object.values(state.commands).filter((entry) => entry.status === 'running'),
    ...Object.values(state.gates).filter((entry) => entry.status === 'open'),
    ...Object.values(state.timers).filter((entry) => !entry.fired),
  ];
  expect(awaited, 'a run that goes on waits for something').not.toEqual([]);
}

/** The original prompt of a turn that continues another. */
function askedFor(state: RunState, turn: TurnState): string {
  const before = ownPrompt(turn).startsWith(CONTINUE_PROMPT) ? state.turns[turn.resendOf ?? 0] : undefined;
  return before === undefined ? ownPrompt(turn) : askedFor(state, before);
}

/** What must hold in every reachable state of a run. */
function invariants(state: RunState): void {
  for (const session of Object.values(state.sessions)) {
    const inFlight = session.turnIds.filter((id) => state.turns[id]?.status === 'in_flight');
    expect(inFlight.length, 'one turn at a time in a session').toBeLessThanOrEqual(1);
    const first = state.turns[session.turnIds[session.freshAt] ?? 0];
    const lost = session.turnIds.slice(0, session.freshAt).flatMap((id) => state.turns[id] ?? []);
    for (const turn of first === undefined ? [] : lost.filter(({ status }) => status === 'completed'))
      expect(first?.prompt, 'a new conversation is told what it lost').toContain(askedFor(state, turn));
  }
  for (const activation of Object.values(state.activations)) {
    const answered = activation.turnIds.flatMap((id) =>
      state.turns[id]?.status === 'completed' ? [`${state.turns[id]?.lane} ${state.turns[id]?.ordinal}`] : [],
    );
    expect(new Set(answered).size, 'no finished turn is sent again').toBe(answered.length);
    if (activation.status !== 'finished') continue;
    const open = activation.turnIds.filter((id) => state.turns[id]?.status === 'in_flight');
    expect(open, 'nothing of a finished activation is in flight').toEqual([]);
  }
  for (const step of Object.values(state.steps)) {
    const running = step.activationIds.filter((id) => state.activations[id]?.status === 'running');
    expect(running.length, 'one activation of a step at a time').toBeLessThanOrEqual(1);
  }
  for (const activation of Object.values(state.activations)) {
    const again = activation.commandIds.slice(activation.resumedAtCommand, -1);
    const ends = again.map((id) => state.commands[id]?.status);
    const ended = ends.filter((end) => end !== 'interrupted');
    expect(ended, 'a command is run again by itself only where it was cut off').toEqual([]);
  }
  for (const scope of Object.values(state.scopes)) {
    const owner = state.activations[scope.activationId];
    if (scope.status !== 'ended')
      expect(owner?.status, 'a scope goes on only while its step does').toBe('running');
  }
  for (const { id, scopes } of Object.values(state.activations)) {
    const own = Object.values(state.scopes).filter(({ activationId }) => activationId === id);
    const counted = {
      opened: own.length,
      open: own.filter(({ status }) => status !== 'ended').length,
      failed: own.filter(({ status, outcome }) => status === 'ended' && outcome !== 'succeeded').length,
    };
    expect(scopes ?? { opened: 0, open: 0, failed: 0 }).toEqual(counted);
  }
  if (state.status !== 'finished') return;
  expect(state.outcome).not.toBeNull();
  const open = [
    ...Object.values(state.activations).filter((entry) => entry.status === 'running'),
    ...Object.values(state.turns).filter((entry) => entry.status === 'in_flight'),
    ...Object.values(state.commands).filter((entry) => entry.status === 'running'),
    ...Object.values(state.gates).filter((entry) => entry.status === 'open'),
    ...Object.values(state.scopes).filter((entry) => entry.status !== 'ended'),
    ...Object.values(state.sessions).filter((entry) => entry.status === 'ready'),
  ];
  expect(open, 'a finished run has nothing open').toEqual([]);
}

const waitsForNothing = (state: RunState): boolean =>
  state.status !== 'finished' &&
  Object.values(state.gates).every(({ status }) => status !== 'open') &&
  Object.values(state.turns).every(({ status }) => status !== 'in_flight') &&
  Object.values(state.timers).every(({ id }) => !waitsForLimit(state, id)) &&
  Object.values(state.commands).every(({ status }) => status !== 'running');

const graphName = fc.constantFrom<keyof typeof graphs>(
  'chains',
  'lanes',
  'commands',
  'crossed',
  'scopes',
  'items',
  'variants',
);

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
