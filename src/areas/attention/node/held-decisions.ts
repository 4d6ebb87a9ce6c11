import { fail, ok, type Result } from '@contract/result';
import type { Clock } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';
import { DECISION_GRACE_MS, DECISION_START_GRACE_MS } from '@main/limits/core';
import type { Router } from '@main/services/router';
import { z } from 'zod';
import { type HeldDecision, heldDecisionSchema } from '../contract/held-decisions';

const KEY = 'decisions.held';
/** How many results of ended decisions are kept: a window that was frozen asks for its last ones. */
const MOST_ENDED = 50;
const storedSchema = z.lazy(() => z.array(heldDecisionSchema).catch([]));

interface HeldParts {
  readonly store: Pick<Store, 'setting' | 'setSetting'>;
  readonly clock: Clock;
  /** A decision of an absent window could not be carried out. */
  readonly refused: (decision: HeldDecision, why: string) => void;
}

/** Decisions that can still be undone. They are stored before anyone is told that they are held. */
export class HeldDecisions {
  readonly #ended = new Map<string, Result<Record<string, never>>>();
  readonly #sending = new Map<string, Promise<Result<Record<string, never>>>>();
  #cancel: () => void = () => undefined;
  #call: Router | null = null;
  #startedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: HeldParts) {}

  /** Takes over the decisions held by an earlier core. */
  start(call: Router): void {
    this.#call = call;
    this.#startedAt = this.parts.clock.now();
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel();
    const [first] = this.#held().toSorted((one, other) => one.sendsAt - other.sendsAt);
    if (first === undefined) return;
    const { clock } = this.parts;
    // The window requests it at that time itself: the core acts a little later.
    const due = Math.max(first.sendsAt, clock.now()) + DECISION_GRACE_MS;
    const at = Math.max(due, this.#startedAt + DECISION_START_GRACE_MS);
    this.#cancel = clock.at(at, () => void this.#sendByItself(first).finally(() => this.#schedule()));
  }

  stop(): void {
    this.#cancel();
  }

  hold({
    undoMs,
    ...decision
  }: Omit<HeldDecision, 'sendsAt'> & { readonly undoMs: number }): Result<Record<string, never>> {
    const held = this.#held();
    if (held.some(({ key }) => key === decision.key))
      return fail('conflict', 'This was just decided.', { mend: 'undo that decision first' });
    this.#ended.delete(decision.key);
    this.#keep([...held, { ...decision, sendsAt: this.parts.clock.now() + undoMs }]);
    this.#schedule();
    return ok({});
  }

  undo(key: string): boolean {
    const held = this.#held();
    if (this.#sending.has(key) || !held.some((one) => one.key === key)) return false;
    this.#drop(key);
    this.#schedule();
    return true;
  }

  /** Executed once, however often it is requested. */
  async send(key: string): Promise<Result<Record<string, never>>> {
    const decision = this.#held().find((one) => one.key === key);
    if (decision === undefined)
      return this.#ended.get(key) ?? fail('not_found', 'There is no such decision to undo.');
    const sending = this.#sending.get(key) ?? this.#carryOut(decision);
    this.#sending.set(key, sending);
    try {
      return await sending;
    } finally {
      this.#sending.delete(key);
    }
  }

  async #carryOut({ key, procedure, input }: HeldDecision): Promise<Result<Record<string, never>>> {
    if (this.#call === null) return fail('unavailable', 'The core is starting.');
    const reply = await this.#call(procedure, input);
    const end = reply.ok ? ok({}) : reply;
    // Only afterwards: a core that dies in between repeats it, and a completed decision is then refused.
    this.#drop(key);
    this.#ended.set(key, end);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    return end;
  }

  async #sendByItself(decision: HeldDecision): Promise<void> {
    const sent = await this.send(decision.key);
    if (!sent.ok) this.parts.refused(decision, sent.error.message);
  }

  #held = (): HeldDecision[] => storedSchema.parse(this.parts.store.setting(KEY) ?? []);

  #keep(held: readonly HeldDecision[]): void {
    this.parts.store.setSetting(KEY, held);
  }

  #drop(key: string): void {
    this.#keep(this.#held().filter((one) => one.key !== key));
  }
}
