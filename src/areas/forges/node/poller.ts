import type { Clock } from '@main/core/ports/ports';
import { PULL_POLL_LONGEST_MS, PULL_POLL_MS } from '../contract/limits';
import type { Forges } from './forges';
import type { Pulls } from './pulls';
import type { ForgeRecords } from './records';

interface PollerParts {
  readonly records: ForgeRecords;
  readonly pulls: Pick<Pulls, 'refresh'>;
  readonly forges: Pick<Forges, 'heldUntil'>;
  readonly clock: Clock;
  /** A pull request was read. */
  readonly read: (runId: number) => Promise<void>;
}

interface Pause {
  readonly misses: number;
  readonly until: number;
}

/** Reads open pull requests again and again; asks no forge while none is open. */
export class PullPoller {
  #cancel: (() => void) | null = null;
  #running = false;
  #stopped = false;
  /** Of each host that failed last. */
  readonly #pauses = new Map<string, Pause>();

  constructor(private readonly parts: PollerParts) {}

  /** An open pull request may have appeared. */
  look(): void {
    if (this.#stopped || this.#running || this.#cancel !== null || this.#open().length === 0) return;
    const { clock } = this.parts;
    this.#cancel = clock.at(clock.now() + PULL_POLL_MS, () => {
      this.#cancel = null;
      void this.#poll();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  async #poll(): Promise<void> {
    this.#running = true;
    try {
      for (const { runId, host } of this.#open()) {
        if (this.#stopped || this.#isHeld(host)) continue;
        const read = await this.parts.pulls.refresh(runId);
        if (read.ok) this.#pauses.delete(host);
        else if (read.error.code !== 'not_found') this.#missed(host);
        if (read.ok && !this.#stopped) await this.parts.read(runId);
      }
    } finally {
      this.#running = false;
      this.look();
    }
  }

  #open = () => this.parts.records.all().filter(({ state, number }) => state === 'open' && number !== null);

  #isHeld(host: string): boolean {
    const until = Math.max(this.parts.forges.heldUntil(host), this.#pauses.get(host)?.until ?? 0);
    return this.parts.clock.now() < until;
  }

  #missed(host: string): void {
    const misses = (this.#pauses.get(host)?.misses ?? 0) + 1;
    const pause = Math.min(PULL_POLL_MS * 2 ** misses, PULL_POLL_LONGEST_MS);
    this.#pauses.set(host, { misses, until: this.parts.clock.now() + pause });
  }
}
