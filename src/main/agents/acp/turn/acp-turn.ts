import { setTimeout as sleep } from 'node:timers/promises';
import type { StopCause, TurnInFlight } from '../../turn-loop';
import type { ReportedUsage } from '../connection/wire';
import type { AcpLimits } from '../limits';
import { type Grant, type GrantRequest, isGrantFor } from '../permission/grants';
import type { Refusal } from '../permission/refusal';
import type { Recorder } from './recorder';

type LateLimits = Pick<AcpLimits, 'lateMs' | 'mostLateMs'>;

interface AcpTurnOptions {
  readonly id: number;
  readonly recorder: Recorder;
  /** Paths of the prompt's attachments, which the agent may read too. */
  readonly attached: readonly string[];
  readonly flight: TurnInFlight;
  /** Milliseconds after which `onQuiet` is called once if the agent has not started to answer. */
  readonly quietMs: number;
  onQuiet(): void;
}

/** Protocol state of the turn in flight: what was granted and refused, and what the agent reported. */
export class AcpTurn {
  readonly id: number;
  readonly recorder: Recorder;
  readonly attached: readonly string[];
  readonly flight: TurnInFlight;
  #grants: readonly Grant[] = [];
  #trouble: string | null = null;
  #refusals: Refusal[] = [];
  #refused = 0;
  #usage: readonly ReportedUsage[] = [];
  #updates = 0;
  #quiet: ReturnType<typeof setTimeout> | null = null;

  constructor(options: AcpTurnOptions) {
    this.id = options.id;
    this.recorder = options.recorder;
    this.attached = options.attached;
    this.flight = options.flight;
    this.#quiet = setTimeout(options.onQuiet, options.quietMs);
  }

  get cause(): StopCause | null {
    return this.flight.cause;
  }

  /** Records a sign of life. */
  touch(): void {
    this.flight.heard();
  }

  /** Waits for the operator; null if the turn is stopped meanwhile. */
  waitFor<T>(answer: Promise<T>): Promise<T | null> {
    return this.flight.waitFor(answer);
  }

  /** The agent said or did something. */
  began(): void {
    this.#updates += 1;
    this.flight.progressed();
    if (this.#quiet) clearTimeout(this.#quiet);
    this.#quiet = null;
  }

  /** Resolves once no update came for `lateMs`, the agent is gone, or after `mostLateMs`. */
  async quiet(gone: Promise<unknown>, { lateMs, mostLateMs }: LateLimits): Promise<void> {
    if (lateMs === 0) return;
    const over = new AbortController();
    void Promise.race([gone, this.flight.stopped]).then(() => over.abort());
    const until = performance.now() + mostLateMs;
    for (let seen = -1; seen !== this.#updates && performance.now() < until && !over.signal.aborted; ) {
      seen = this.#updates;
      await sleep(lateMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  }

  grant(grants: readonly Grant[]): void {
    this.#grants = [...this.#grants, ...grants];
  }

  /** Whether this was granted. A grant can be used once. */
  takeGrant(what: GrantRequest): boolean {
    const at = this.#grants.findIndex((grant) => isGrantFor(grant, what));
    if (at >= 0) this.#grants = this.#grants.toSpliced(at, 1);
    return at >= 0;
  }

  /** The agent's reason, if it said that the turn failed. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** The agent reported its state; `text` is its explanation. */
  heard(update: { readonly failed: boolean } | { readonly text: string }): void {
    if ('text' in update) this.#trouble = `${this.#trouble ?? ''}${update.text}`;
    else this.#trouble = update.failed ? (this.#trouble ?? '') : null;
  }

  /** Tokens that the agent reported while working. */
  get usage(): readonly ReportedUsage[] {
    return this.#usage;
  }

  used(usage: ReportedUsage): void {
    this.#usage = [...this.#usage, usage];
  }

  refuse(title: string, reason: string | null): void {
    this.#refused += 1;
    this.#refusals.push({ title, reason, progress: this.recorder.progress });
  }

  /** Number of refusals in the turn. */
  get refusals(): number {
    return this.#refused;
  }

  /** The refusals since the last call. */
  takeRefusals(): readonly Refusal[] {
    const refusals = this.#refusals;
    this.#refusals = [];
    return refusals;
  }

  end(): void {
    this.began();
    this.recorder.flush();
  }
}
