import type { Result } from '@contract/result';
import type { Clock, Logger } from '@main/core/ports/ports';
import type { NextDelivery, Tried, Undelivered } from '@main/core/ports/store/deliveries';
import type { Store } from '@main/core/ports/store/store';
import { LONGEST_DELIVERY_RETRY_MS, OUTBOX_FAULT_MS, TARGET_AWAY_MS } from '@main/limits/core';
import type { DeliveryTarget } from '../contract/target';
import { pauseAfter } from '../core/backoff';

export interface LaneParts {
  readonly id: string;
  readonly store: Pick<Store, 'nextDelivery' | 'beginDelivery' | 'endDelivery'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chance: () => number;
  readonly changed: () => void;
  readonly notice: (text: string, id: string) => void;
  /** The notice with this id no longer applies. */
  readonly takeBack: (id: string) => void;
  readonly giveUpMs: () => number;
  /** Null once it is off or removed. */
  readonly target: () => DeliveryTarget | null;
  readonly send: (
    target: DeliveryTarget,
    next: NextDelivery,
    cut: Promise<void>,
  ) => Promise<Result<Sent, Undelivered>>;
}

/** `obsolete`: not sent, because its question was answered or withdrawn. */
export type Sent = { readonly receipt: string } | { readonly obsolete: string };

/** Minimum tries for a delivery that was held back while its target was off. */
const LEAST_TRIES = 5;

/** One target's queue: one delivery at a time, the next when it is due. */
export class Lane {
  /** The delivery in progress. */
  private flight: { readonly done: Promise<void>; readonly cut: () => void } | null = null;
  private timer: (() => void) | null = null;
  /** The target itself did not respond: nothing is tried before this time. */
  private heldUntil = 0;
  /** How many tries in a row it did not respond to. */
  private misses = 0;
  /** Since when it has not responded; null if it did. */
  private awaySince: number | null = null;
  private toldAway = false;
  /** At the core's end: no delivery starts after this time. Null while the core runs. */
  private last: number | null = null;

  constructor(private readonly parts: LaneParts) {}

  /** Sends what is due, or waits for it. */
  pump(): void {
    this.timer?.();
    this.timer = null;
    if (this.flight !== null || (this.last !== null && this.parts.clock.now() >= this.last)) return;
    const target = this.parts.target();
    const due = target === null ? null : this.due();
    if (target === null || due === null) return;
    const { next, at } = due;
    if (at > this.parts.clock.now()) {
      if (this.last === null) this.timer = this.parts.clock.at(at, () => this.pump());
      return;
    }
    let cut: () => void = () => undefined;
    const cutOff = new Promise<void>((resolve) => {
      cut = resolve;
    });
    const done = this.fly(target, next, cutOff).then(() => {
      this.flight = null;
      this.pump();
    });
    this.flight = { done, cut };
  }

  /** Stops waiting for a target that did not respond. */
  release(): void {
    this.heldUntil = 0;
    this.pump();
  }

  /** Stops waiting for the delivery in progress, which stays open. */
  cut(): void {
    this.flight?.cut();
  }

  /** The target is off or removed: being unreachable is no longer reported. */
  rest(): void {
    this.cut();
    this.reached();
  }

  /** Continues with due deliveries until `until`, then interrupts the one in progress. */
  async stop(until: number): Promise<void> {
    this.last = until;
    this.timer?.();
    this.timer = null;
    const { clock } = this.parts;
    const release = clock.at(until, () => this.cut());
    while (this.flight !== null) await this.flight.done;
    release();
  }

  private due(): { next: NextDelivery; at: number } | null {
    try {
      const next = this.parts.store.nextDelivery(this.parts.id);
      return next === null ? null : { next, at: Math.max(next.nextAt, this.heldUntil) };
    } catch (fault) {
      this.failed(fault);
      this.timer = this.parts.clock.at(this.heldUntil, () => this.pump());
      return null;
    }
  }

  private async fly(target: DeliveryTarget, next: NextDelivery, cut: Promise<void>): Promise<void> {
    try {
      this.parts.store.beginDelivery(next.id, this.parts.clock.now());
      this.parts.changed();
      // Not every sender reacts to it.
      const cutOff = cut.then((): null => null);
      const sent = await Promise.race([this.parts.send(target, next, cut), cutOff]);
      this.parts.store.endDelivery(next.id, sent === null ? { kind: 'cut_off' } : this.judge(sent, next));
    } catch (fault) {
      // It remains marked as being sent; next, the same delivery is sent with the same key.
      this.failed(fault);
    }
    this.parts.changed();
  }

  private judge(sent: Result<Sent, Undelivered>, { attempts, queuedAt }: NextDelivery): Tried {
    const now = this.parts.clock.now();
    if (sent.ok) {
      if ('obsolete' in sent.value) return { kind: 'obsolete', at: now, why: sent.value.obsolete };
      this.misses = 0;
      this.reached();
      return { kind: 'delivered', at: now, receipt: sent.value.receipt };
    }
    const { error, concerns, again, afterMs } = sent.error;
    if (concerns === 'target') this.missed(error.message, { mendable: !again, now });
    else this.reached();
    const old = now - queuedAt >= this.parts.giveUpMs() && attempts + 1 >= LEAST_TRIES;
    if (old || (concerns === 'update' && !again)) return this.giveUp(error.message, now);
    this.misses = concerns === 'target' ? this.misses + 1 : 0;
    const tries = Math.max(attempts + 1, this.misses);
    const pause = again ? pauseAfter(tries, this.parts.chance(), afterMs) : LONGEST_DELIVERY_RETRY_MS;
    if (concerns === 'target') this.heldUntil = now + pause;
    return { kind: 'failed', error: error.message, nextAt: now + pause };
  }

  /** Reported once: at once if only the operator can fix it, else after a long absence. */
  private missed(error: string, { mendable, now }: { mendable: boolean; now: number }): void {
    this.awaySince ??= now;
    if (this.toldAway || (!mendable && now - this.awaySince < TARGET_AWAY_MS)) return;
    this.toldAway = true;
    const text = `Updates do not reach ${this.name}: ${error} They are queued and retried. See Settings, Deliveries.`;
    this.parts.notice(text, this.awayId);
  }

  private reached(): void {
    this.awaySince = null;
    // Includes what an earlier process reported.
    this.parts.takeBack(this.awayId);
    this.toldAway = false;
  }

  private get awayId(): string {
    return `delivery-away-${this.parts.id}`;
  }

  private get name(): string {
    return this.parts.target()?.name ?? this.parts.id;
  }

  private giveUp(error: string, at: number): Tried {
    const { name } = this;
    const text = `An update could not be delivered to ${name} and was given up: ${error} See Settings, Deliveries.`;
    this.parts.notice(text, `delivery-given-up-${this.parts.id}`);
    return { kind: 'given_up', at, error };
  }

  private failed(fault: unknown): void {
    this.parts.logger.error('a delivery could not be written down', { fault: String(fault) });
    this.heldUntil = this.parts.clock.now() + OUTBOX_FAULT_MS;
  }
}
