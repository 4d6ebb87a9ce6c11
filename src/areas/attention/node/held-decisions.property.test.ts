import { ok } from '@contract/result';
import { type Pause, PausePoints } from '@main/core/ports/testing/pause-points';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldDecisions } from './held-decisions';

const MINUTE_MS = 60_000;

type Action =
  | { kind: 'hold' | 'undo' | 'send'; key: string }
  | { kind: 'pass'; ms: number }
  /** The next call is held from here on; `resume` lets it go on. */
  | { kind: 'pause'; moment: 'before' | 'after' }
  | { kind: 'resume' | 'restart' };

const key = fc.constantFrom('1', '1', '2');
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('hold' as const, 'send', 'undo'), key }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(2_000, MINUTE_MS) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pause' as const), moment: fc.constantFrom('before', 'after') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('resume' as const, 'resume', 'restart') }) },
);

interface Decision {
  readonly key: string;
  calls: number;
  undone: boolean;
  /** How many cores died in the middle of its call: each may repeat it. */
  deaths: number;
}

/** Cores, one after the other, over settings that survive them. */
class World {
  readonly decisions: Decision[] = [];
  readonly points = new PausePoints();
  readonly #settings = new Map<string, unknown>();
  #now = 0;
  #alarm: { at: number; run: () => void } | null = null;
  #held = this.#start();
  #pause: Pause | null = null;
  readonly #calling = new Set<number>();

  #start(): HeldDecisions {
    this.#alarm = null;
    const store = {
      setting: (name: string) => this.#settings.get(name),
      setSetting: (name: string, value: unknown) => void this.#settings.set(name, structuredClone(value)),
    };
    const clock = {
      now: () => this.#now,
      at: (at: number, run: () => void) => {
        this.#alarm = { at, run };
        return () => {
          this.#alarm = null;
        };
      },
    };
    const held = new HeldDecisions({ store, clock, refused: () => undefined });
    const core = this.points.nextCore()('core', { call: async (id: number) => void this.#called(id) });
    held.start(async (_, input) => {
      const { id } = input as { id: number };
      this.#calling.add(id);
      await core.call(id);
      this.#calling.delete(id);
      return ok({});
    });
    return held;
  }

  #called(id: number): void {
    const decision = this.decisions[id];
    if (decision !== undefined) decision.calls += 1;
  }

  async act(step: Action): Promise<void> {
    if (step.kind === 'hold') this.#hold(step.key);
    else if (step.kind === 'undo') this.#undo(step.key);
    else if (step.kind === 'send') void this.#held.send(step.key);
    else if (step.kind === 'pass') await this.#pass(step.ms);
    else if (step.kind === 'pause') this.#pause ??= this.points.hold('core.call', step);
    else if (step.kind === 'resume') this.resume();
    else this.#restart();
    await this.settle();
  }

  #hold(name: string): void {
    const input = { id: this.decisions.length };
    const about = { key: name, word: 'Approve', title: 'Gate', procedure: 'gate.resolve', input };
    if (this.#held.hold({ ...about, undoMs: 5_000 }).ok)
      this.decisions.push({ key: name, calls: 0, undone: false, deaths: 0 });
  }

  #undo(name: string): void {
    const undone = this.#held.undo(name);
    const decision = this.decisions.findLast((one) => one.key === name);
    if (undone && decision !== undefined) decision.undone = true;
  }

  resume(): void {
    this.#pause?.release();
    this.#pause = null;
  }

  #restart(): void {
    for (const id of this.#calling) {
      const decision = this.decisions[id];
      if (decision !== undefined) decision.deaths += 1;
    }
    this.#calling.clear();
    this.#held = this.#start();
    this.resume();
  }

  async #pass(ms: number): Promise<void> {
    this.#now += ms;
    for (let alarm = this.#alarm; alarm !== null && alarm.at <= this.#now; alarm = this.#alarm) {
      this.#alarm = null;
      alarm.run();
      await this.settle();
    }
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  }
}

test('a decision is either undone or carried out, whatever comes in the middle of its being carried out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 14 }), async (actions) => {
      const world = new World();
      for (const step of actions) await world.act(step);
      world.resume();
      for (let turn = 0; turn < 4; turn += 1) await world.act({ kind: 'pass', ms: MINUTE_MS });
      for (const { calls, undone, deaths } of world.decisions) {
        const least = undone ? 0 : 1;
        const most = (undone ? 0 : 1) + deaths;
        expect(calls, undone ? 'undone and carried out' : 'carried out once').toBeGreaterThanOrEqual(least);
        expect(calls, undone ? 'undone and carried out' : 'carried out once').toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: 600 },
  );
});
