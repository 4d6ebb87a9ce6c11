/** A terminal from which one can read no more for a while. */
export interface Readable {
  holdBack(who: unknown, on: boolean): void;
}

/** After the last key, for as long. A pause between two words is shorter. */
export const TYPING_MS = 500;
/** What is read of a terminal within so long counts as one. */
export const WINDOW_MS = 250;
/** Who prints as much within a window floods: a quarter of a megabyte in a second, which nobody reads along. */
export const FLOOD_BYTES = 64 * 1024;
/** Of one that floods, so much is read in its turn: some milliseconds of work for all who carry it. */
export const TURN_BYTES = 32 * 1024;
/** The next turn comes after the answer to a key, when the next key is farthest away, or else after so long. */
export const TURN_MS = 100;

interface Tally {
  /** The number of the window. */
  window: number;
  /** So much more may be read in it. */
  left: number;
  /** In the window before it was no less than a flood. */
  flooded: boolean;
}

/**
 * While the operator types, the terminals that flood are read in turns, one at a time: their programs wait on a full
 * terminal, and the processors are there for what is typed. Nobody waits for ever, none that prints little waits at all,
 * and the terminal that is typed into is never held.
 */
export class KeysFirst<T extends Readable> {
  #typed: T | null = null;
  readonly #tallies = new Map<T, Tally>();
  /** Held until it is their turn, the one that has waited longest first. */
  readonly #waiting = new Set<T>();
  #quiet: NodeJS.Timeout | undefined;
  #turn: NodeJS.Timeout | undefined;

  /** The operator has typed into this one. */
  typed(one: T): void {
    const begins = this.#typed === null;
    this.#typed = one;
    this.#letGo(one);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.stop(), TYPING_MS);
    if (!begins) return;
    for (const [other, tally] of this.#tallies) {
      renew(tally);
      if (other !== one && (tally.flooded || tally.left <= 0)) this.#hold(other);
    }
  }

  /** What was typed was answered, or is not at once. */
  answered(): void {
    if (this.#waiting.size > 0) this.#nextTurn();
  }

  /** So much more of it was read. */
  read(one: T, bytes: number): void {
    let tally = this.#tallies.get(one);
    if (tally === undefined) {
      tally = { window: -1, left: FLOOD_BYTES, flooded: false };
      this.#tallies.set(one, tally);
    }
    renew(tally);
    tally.left -= bytes;
    if (tally.left <= 0 && this.#typed !== null && one !== this.#typed) this.#hold(one);
  }

  /** It has ended. */
  left(one: T): void {
    this.#tallies.delete(one);
    this.#letGo(one);
  }

  /** Nobody types any more: all go on. */
  stop(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#turn);
    this.#turn = undefined;
    this.#typed = null;
    for (const one of [...this.#waiting]) this.#letGo(one);
  }

  #hold(one: T): void {
    if (this.#waiting.has(one)) return;
    this.#waiting.add(one);
    one.holdBack(this, true);
    this.#turn ??= setTimeout(() => this.#nextTurn(), TURN_MS);
  }

  #letGo(one: T): void {
    if (this.#waiting.delete(one)) one.holdBack(this, false);
  }

  #nextTurn(): void {
    clearTimeout(this.#turn);
    this.#turn = undefined;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#turn = setTimeout(() => this.#nextTurn(), TURN_MS);
    const tally = this.#tallies.get(next);
    if (tally) {
      renew(tally);
      tally.left = TURN_BYTES;
    }
    this.#letGo(next);
  }
}

function renew(tally: Tally): void {
  const window = Math.floor(performance.now() / WINDOW_MS);
  if (window === tally.window) return;
  tally.flooded = window - tally.window === 1 && tally.left <= 0;
  tally.window = window;
  tally.left = FLOOD_BYTES;
}
