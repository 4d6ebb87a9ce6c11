import type { StopCause, TurnInFlight } from '../turn-loop';
import { type Grant, type GrantRequest, isGrantFor } from './grants';
import type { Recorder } from './recorder';
import type { Refusal } from './refusal';
import type { ToldUsage } from './wire';

export interface ActiveTurnOptions {
  readonly id: number;
  readonly recorder: Recorder;
  /** Paths of the files that came with the prompt: the agent may read these too. */
  readonly attached: readonly string[];
  readonly flight: TurnInFlight;
  /** Milliseconds after which `onQuiet` is called once, if the agent has not begun to answer. */
  readonly quietMs: number;
  onQuiet(): void;
}

/** What the protocol tells of the turn in flight: what was granted and refused in it, and what the agent said of itself. */
export class ActiveTurn {
  readonly id: number;
  readonly recorder: Recorder;
  readonly attached: readonly string[];
  readonly flight: TurnInFlight;
  #grants: readonly Grant[] = [];
  #trouble: string | null = null;
  #refusals: Refusal[] = [];
  #refused = 0;
  #usage: readonly ToldUsage[] = [];
  #quiet: ReturnType<typeof setTimeout> | null = null;

  constructor(options: ActiveTurnOptions) {
    this.id = options.id;
    this.recorder = options.recorder;
    this.attached = options.attached;
    this.flight = options.flight;
    this.#quiet = setTimeout(options.onQuiet, options.quietMs);
  }

  get cause(): StopCause | null {
    return this.flight.cause;
  }

  /** A sign of life. */
  touch(): void {
    this.flight.heard();
  }

  /** Waits for the operator; null where the turn is stopped meanwhile. */
  waitFor<T>(answer: Promise<T>): Promise<T | null> {
    return this.flight.waitFor(answer);
  }

  /** The agent says or does something. */
  began(): void {
    if (this.#quiet) clearTimeout(this.#quiet);
    this.#quiet = null;
  }

  grant(grants: readonly Grant[]): void {
    this.#grants = [...this.#grants, ...grants];
  }

  /** Whether this was granted; it is good for one time. */
  takeGrant(what: GrantRequest): boolean {
    const at = this.#grants.findIndex((grant) => isGrantFor(grant, what));
    if (at >= 0) this.#grants = this.#grants.toSpliced(at, 1);
    return at >= 0;
  }

  /** What the agent said went wrong, if it said that the turn has failed. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** The agent says how it is; `text` is its word on that. */
  heard(update: { readonly failed: boolean } | { readonly text: string }): void {
    if ('text' in update) this.#trouble = `${this.#trouble ?? ''}${update.text}`;
    else this.#trouble = update.failed ? (this.#trouble ?? '') : null;
  }

  /** Tokens that the agent told while it worked. */
  get usage(): readonly ToldUsage[] {
    return this.#usage;
  }

  used(usage: ToldUsage): void {
    this.#usage = [...this.#usage, usage];
  }

  refuse(title: string, reason: string | null): void {
    this.#refused += 1;
    this.#refusals.push({ title, reason, progress: this.recorder.progress });
  }

  /** How often something was refused in the turn. */
  get refusals(): number {
    return this.#refused;
  }

  /** What was refused since it was last asked. */
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
