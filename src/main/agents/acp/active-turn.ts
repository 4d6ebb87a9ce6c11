import { type Grant, isGrantFor, type Wanted } from './grants';
import type { Recorder } from './recorder';
import type { Refusal } from './refusal';
import type { ToldUsage } from './wire';

/** Why a turn was asked to end before the agent ended it. */
export type StopCause = 'operator' | 'silence' | 'host';

export interface ActiveTurnOptions {
  readonly id: number;
  readonly recorder: Recorder;
  /** Paths of the files that came with the prompt: the agent may read these too. */
  readonly attached: readonly string[];
  /** Milliseconds without a sign of life after which `onSilence` is called; null never. */
  readonly silenceMs: number | null;
  onSilence(): void;
  /** Milliseconds after which `onQuiet` is called once, if the agent has not begun to answer. */
  readonly quietMs: number;
  onQuiet(): void;
}

/** The turn in flight: what has been allowed in it, whom it waits for, and when it was last heard of. */
export class ActiveTurn {
  readonly id: number;
  readonly recorder: Recorder;
  readonly attached: readonly string[];
  readonly #options: ActiveTurnOptions;
  #grants: readonly Grant[] = [];
  #trouble: string | null = null;
  #refusals: Refusal[] = [];
  #refused = 0;
  #usage: readonly ToldUsage[] = [];
  readonly #stopped: Promise<void>;
  #stop: (() => void) | null = null;
  #cause: StopCause | null = null;
  #waiting = 0;
  #heard = performance.now();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #quiet: ReturnType<typeof setTimeout> | null = null;

  constructor(options: ActiveTurnOptions) {
    this.id = options.id;
    this.recorder = options.recorder;
    this.attached = options.attached;
    this.#options = options;
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    this.#quiet = setTimeout(options.onQuiet, options.quietMs);
    this.#watch();
  }

  get cause(): StopCause | null {
    return this.#cause;
  }

  stop(cause: StopCause): void {
    this.#cause ??= cause;
    this.#stop?.();
  }

  /** A sign of life. */
  touch(): void {
    this.#heard = performance.now();
  }

  /** Waits for the operator, whose silence is not the agent's; null where the turn is stopped meanwhile. */
  async waitFor<T>(answer: Promise<T>): Promise<T | null> {
    this.#waiting += 1;
    try {
      return await Promise.race([answer, this.#stopped.then(() => null)]);
    } finally {
      this.#waiting -= 1;
      this.touch();
    }
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
  takeGrant(what: Wanted): boolean {
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
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.began();
    this.#stop?.();
    this.recorder.flush();
  }

  #watch(): void {
    const { silenceMs } = this.#options;
    if (silenceMs === null) return;
    if (this.#waiting > 0) this.touch();
    const left = this.#heard + silenceMs - performance.now();
    if (left <= 0) this.#options.onSilence();
    // No oftener than once a second while someone is waited for, whose answer moves the limit.
    else this.#timer = setTimeout(() => this.#watch(), this.#waiting > 0 ? Math.min(left, 1000) : left);
  }
}
