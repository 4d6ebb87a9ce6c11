import type { StatusService } from '@areas/runs/node/status-service';
import type { Result } from '@contract/result';
import type { Logger } from '@main/core/ports/ports';
import type { Checkouts } from '@main/core/ports/workspaces/checkouts';
import { CHECKOUT_GIT_CHECK_MS } from '@main/limits/core';
import type { InterruptedCheckout } from '../contract/procedures';

/** `onChange`: a checkout was left half changed, or is consistent again. */
export type CheckoutPort = Checkouts & { onChange(listener: () => void): void };

interface CheckoutServiceParts {
  readonly checkouts: CheckoutPort;
  readonly status: Pick<StatusService, 'notice' | 'withdraw'>;
  readonly statusChanged: () => void;
  readonly logger: Logger;
}

const noticeId = (id: string): string => `checkout-${id}`;

/** Notifies the operator of interrupted checkout changes until they are finished or rolled back. */
export class CheckoutService {
  #reported = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: CheckoutServiceParts) {
    parts.checkouts.onChange(() => void this.look());
  }

  /**
   * Checks all of them again. A change that git has completed since Muster was killed is consistent, and not
   * reported.
   */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const found = await this.parts.checkouts.interrupted();
      this.#tell(found);
      if (found.some(({ running }) => running)) {
        this.#timer = setTimeout(() => void this.look(), CHECKOUT_GIT_CHECK_MS);
        this.#timer.unref();
      }
    } catch (error) {
      this.parts.logger.error('interrupted checkouts cannot be read', { cause: String(error) });
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  interrupted(): Promise<readonly InterruptedCheckout[]> {
    return this.parts.checkouts.interrupted();
  }

  async settle(id: string, how: 'finish' | 'roll_back'): Promise<Result<{ text: string }>> {
    const done = await this.parts.checkouts.settle(id, how);
    await this.look();
    return done;
  }

  #tell(found: readonly InterruptedCheckout[]): void {
    const { status, statusChanged } = this.parts;
    const open = found.filter(({ running }) => !running);
    const now = new Set(open.map(({ id }) => id));
    const over = [...this.#reported].filter((id) => !now.has(id));
    for (const id of over) status.withdraw(noticeId(id));
    for (const { id, text } of open) status.notice({ id: noticeId(id), level: 'error', text, checkout: id });
    this.#reported = now;
    if (over.length > 0 || open.length > 0) statusChanged();
  }
}
