import { DECISION_HIDDEN_MS } from '../../limits';
import { Cell, type Readable } from '../store';
import type { Decision, DecisionCore } from './decision';
import { decisionCore } from './decision-core';

export interface HeldDecision extends Decision {
  /** When it is sent automatically; null: it is being sent. */
  readonly sendsAt: number | null;
}

interface Timers {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

/** Decisions that can still be undone, and those being sent; the newest last. */
export class Decisions {
  readonly #held = new Cell<readonly HeldDecision[]>([]);
  readonly #stops = new Map<string, () => void>();

  readonly #holds = new Map<string, Promise<boolean>>();
  /** Pending undos: the same item can be decided again only after its undo. */
  readonly #undoing = new Map<string, Promise<void>>();

  constructor(
    private readonly timers: Timers,
    private readonly core: DecisionCore,
  ) {}

  get held(): Readable<readonly HeldDecision[]> {
    return this.#held;
  }

  has = (key: string): boolean => this.#held.get().some((one) => one.key === key);

  /** Holds a decision for `undoMs`, then sends it; false if the item is already decided. */
  decide(decision: Decision, undoMs: number): boolean {
    if (this.has(decision.key)) return false;
    const sendsAt = this.timers.now() + undoMs;
    this.#held.update((list) => [...list, { ...decision, sendsAt }]);
    if (undoMs <= 0) void this.#send(decision);
    else {
      const undoing = this.#undoing.get(decision.key);
      const hold = () => this.core.hold(decision, undoMs);
      this.#holds.set(decision.key, undoing === undefined ? hold() : undoing.then(hold));
      this.#stops.set(
        decision.key,
        this.timers.after(undoMs, () => void this.#send(decision)),
      );
    }
    return true;
  }

  /** Undoes the newest unsent decision; null if there is none. */
  undo(key?: string): Decision | null {
    const open = this.#held.get().filter((one) => one.sendsAt !== null);
    const last = key === undefined ? open.at(-1) : open.find((one) => one.key === key);
    if (last === undefined) return null;
    this.#stop(last.key);
    this.#remove(last.key);
    const hold = this.#holds.get(last.key);
    this.#holds.delete(last.key);
    if (hold !== undefined) this.#takeBack(last.key, hold);
    return last;
  }

  #takeBack(key: string, hold: Promise<boolean>): void {
    const undoing = hold
      .then((isHeld) => (isHeld ? this.core.undo(key) : undefined))
      .finally(() => {
        if (this.#undoing.get(key) === undoing) this.#undoing.delete(key);
      });
    this.#undoing.set(key, undoing);
  }

  /** Sends all decisions now, because the page is closing. */
  sendAll(): void {
    for (const one of this.#held.get()) if (one.sendsAt !== null) void this.#send(one);
  }

  async #send(decision: Decision): Promise<void> {
    const { key } = decision;
    this.#stop(key);
    this.#held.update((list) => list.map((one) => (one.key === key ? { ...one, sendsAt: null } : one)));
    const isHeld = (await this.#holds.get(key)) ?? false;
    this.#holds.delete(key);
    const taken = await this.core.send(decision, isHeld);
    decision.ended?.(taken);
    if (!taken) this.#remove(key);
    else this.timers.after(DECISION_HIDDEN_MS, () => this.#remove(key));
  }

  #stop(key: string): void {
    this.#stops.get(key)?.();
    this.#stops.delete(key);
  }

  #remove(key: string): void {
    this.#held.update((list) => list.filter((one) => one.key !== key));
  }
}

export const decisions = new Decisions(
  {
    now: Date.now,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  decisionCore,
);
