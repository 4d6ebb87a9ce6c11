import { allowsRequest } from '@areas/gates/contract/gate';
import { ok } from '@contract/result';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Action, act, action, graphName, waitingHarness } from './testing/actions';
import { graphs, profiles } from './testing/graphs';
import type { Harness } from './testing/harness';
import { invariants, waitsForSomething } from './testing/invariants';

/** The awaits of a core that can be held, by the call that it waits for. */
const CALLS = [
  'log.append',
  'agents.open',
  'agents.reattach',
  'session.cancel',
  'session.park',
  'session.close',
  'commands.reattach',
  'workspaces.prepare',
  'workspaces.branch',
  'workspaces.revive',
  'workspaces.head',
  'workspaces.snapshot',
  'workspaces.keptSnapshot',
  'workspaces.changes',
  'workspaces.diff',
] as const;

interface Held {
  readonly call: (typeof CALLS)[number];
  readonly skip: number;
  readonly moment: 'before' | 'after';
  /** What happens in the pause. */
  readonly during: readonly Action[];
}

const held: fc.Arbitrary<Held> = fc.record({
  call: fc.constantFrom(...CALLS, 'workspaces.snapshot', 'workspaces.snapshot', 'log.append'),
  skip: fc.nat(4),
  moment: fc.constantFrom('before', 'after'),
  during: fc.array(action, { minLength: 1, maxLength: 3 }),
});

/** What the agents of a run were told, and what was wrong with it at that time. */
class Witness {
  readonly faults: string[] = [];

  constructor(private readonly harness: Harness) {
    harness.agents.answer = ({ request }) => {
      const { turns, status } = this.stored() ?? {};
      const turn = turns?.[request.turnId];
      if (status !== 'running') this.faults.push(`turn ${request.turnId} is sent in a run that is ${status}`);
      if (turn?.status !== 'in_flight' || turn.cancelledBy !== null)
        this.faults.push(`turn ${request.turnId} is sent, ${turn?.status ?? 'unknown'} and cancelled`);
      return null;
    };
  }

  /** An agent may do only what a stored answer allows, given to its turn. */
  told(turnId: number, allow: boolean): void {
    const gates = Object.values(this.stored()?.gates ?? {});
    const allowed = gates.some(
      ({ answer, delivered }) => delivered && answer !== null && allowsRequest(answer),
    );
    if (allow && !allowed)
      this.faults.push(`turn ${turnId} is allowed something that no stored answer allows`);
  }

  private stored(): RunState | null {
    return replay(this.harness.log.read(1));
  }
}

/** Not awaited: it may wait for a held call itself. */
async function begin(harness: Harness, witness: Witness, step: Action): Promise<void> {
  act(harness, step, (turnId, { allow }) => witness.told(turnId, allow)).catch((bug: unknown) =>
    witness.faults.push(`${step.kind}: ${String(bug)}`),
  );
  await harness.idle();
}

async function play(actions: readonly Action[], holds: readonly Held[], graph: keyof typeof graphs) {
  const harness = waitingHarness();
  const witness = new Witness(harness);
  const open = holds.map((one) => ({
    ...one,
    // The store commits in order.
    pause: harness.points.hold(one.call, { ...one, inOrder: one.call === 'log.append' }),
  }));
  // A full disk may refuse the start.
  harness.run(graphs[graph], { profiles }).catch(() => undefined);
  await harness.idle();
  const pauses = async () => {
    for (let next = open.findIndex(({ pause }) => pause.isReached); next >= 0; ) {
      const [reached] = open.splice(next, 1);
      for (const step of reached?.during ?? []) await begin(harness, witness, step);
      reached?.pause.release();
      await harness.idle();
      next = open.findIndex(({ pause }) => pause.isReached);
    }
  };
  await pauses();
  for (const step of actions) {
    await begin(harness, witness, step);
    await pauses();
  }
  for (const { pause } of open) pause.release();
  harness.log.failing = 0;
  harness.clock.advance(10_000);
  await harness.idle();
  return { harness, witness };
}

/** Ends the run in any waiting state: an agent that did not heed an earlier cancellation ends now. */
async function cancelled(harness: Harness): Promise<RunState> {
  for (const turn of harness.agents.sent) turn.end({ outcome: 'cancelled', stopReason: 'cancelled' });
  await harness.idle();
  await harness.engine.command(1, ({ state }) =>
    ok(state.status === 'running' ? [{ type: 'run.cancel-requested', by: 'test' }] : []),
  );
  await harness.idle();
  return harness.state();
}

test('a run keeps the invariants whatever happens while the core waits for a port', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 8 }),
      fc.array(held, { minLength: 1, maxLength: 3 }),
      graphName,
      async (actions, holds, graph) => {
        const { harness, witness } = await play(actions, holds, graph);
        expect(witness.faults).toEqual([]);
        const events = harness.log.read(1);
        // The core died before the start of the run was in the log.
        if (events.length === 0) return;
        expect(harness.log.refused).toEqual([]);
        for (let end = 1; end <= events.length; end += 1) {
          const state = replay(events.slice(0, end));
          if (state !== null) invariants(state);
        }
        const sent = harness.agents.sent.map(({ request }) => request.turnId);
        expect(new Set(sent).size, 'no turn is sent twice').toBe(sent.length);
        const ran = harness.commands.ran.map(({ spec }) => spec.commandId);
        expect(new Set(ran).size, 'no command is run twice').toBe(ran.length);
        const resolved = events.flatMap(({ event }) => (event.type === 'gate.resolved' ? event.gateId : []));
        expect(new Set(resolved).size, 'a question is answered once').toBe(resolved.length);
        const live = harness.engine.live(1);
        if (live !== null) {
          expect(live.state).toEqual(replay(events));
          waitsForSomething(live.state);
        }
        expect((await cancelled(harness)).status, 'nothing in it is lost: it can end').toBe('finished');
      },
    ),
    { numRuns: 180 },
  );
});
