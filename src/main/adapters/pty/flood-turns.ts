import { availableParallelism } from 'node:os';
import {
  ANSWER_DRAWN_MS,
  BURST_BYTES,
  FLOOD_TURN_MS,
  FLOOD_WINDOW_MS,
  SEEN_FLOOD_TURN_MS,
  TYPING_MS,
} from '../../limits/terminal-host';

/** A terminal whose reading can be paused. */
interface Readable {
  /** It is shown on a screen. */
  readonly seen: boolean;
  waitForTurn(on: boolean): void;
}
/** More than this in one window is a flood: a quarter of a megabyte per second, which no one can read. */
export const FLOOD_BYTES = 64 * 1024;
/** While the operator types: bytes read from a flooding terminal per turn. */
export const TURN_BYTES = 32 * 1024;

/**
 * The same for an invisible one, per processor that the window does not need: one long turn costs less than
 * many.
 */
export const UNSEEN_TURN_BYTES = 512 * 1024 * Math.max(1, availableParallelism() - 1);
/** Every nth turn goes to an invisible one. */
export const UNSEEN_EVERY = 1;

interface Tally {
  /** The window's number. */
  window: number;
  /** Bytes that may still be read in this window. */
  left: number;
  /** It flooded in the previous window. */
  flooded: boolean;
  /**
   * Bytes that may still be read beyond the flood threshold before it counts as flooding beside a visible
   * window.
   */
  burst: number;
}

/**
 * Reads flooding terminals in turns while the operator types; if there are several, also while a window may
 * be visible. Their programs then wait on a full terminal, which leaves the processors to the window. No
 * terminal waits forever; one that prints little never waits; a single flooding one waits only for a key; and
 * the one being typed into is never paused.
 */
export class FloodTurns<T extends Readable> {
  #typed: T | null = null;
  #windowShown = false;
  readonly #tallies = new Map<T, Tally>();
  /** Paused until their turn, longest waiting first. */
  readonly #waiting = new Set<T>();
  #quiet: NodeJS.Timeout | undefined;
  #turn: NodeJS.Timeout | undefined;
  /** It follows an answer. */
  #isNext = false;
  #turns = 0;

  /** The operator typed into this one. */
  typed(one: T): void {
    const begins = this.#typed === null;
    this.#typed = one;
    this.#release(one);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#typedEnough(), TYPING_MS);
    if (!begins) return;
    this.#stopTurns();
    for (const [other, tally] of this.#tallies) {
      renew(tally);
      if (other !== one && (tally.flooded || tally.left <= 0)) this.#hold(other);
      tally.left = Math.min(tally.left, FLOOD_BYTES);
    }
    this.#turnLater();
  }

  /** The input was answered, or will not be soon. */
  answered(): void {
    // Faster keys do not delay it further.
    if (this.#typed === null || this.#isNext || this.#waiting.size === 0) return;
    this.#stopTurns();
    this.#isNext = true;
    this.#turn = setTimeout(() => this.#nextTurn(), ANSWER_DRAWN_MS);
  }

  /** Whether a window may be visible. */
  windowShown(shown: boolean): void {
    this.#windowShown = shown;
    if (!shown && this.#typed === null) this.#letAllGo();
  }

  /** Records that this many more bytes were read. */
  read(one: T, bytes: number): void {
    let tally = this.#tallies.get(one);
    if (tally === undefined) {
      tally = { window: -1, left: FLOOD_BYTES, flooded: false, burst: BURST_BYTES };
      this.#tallies.set(one, tally);
    }
    renew(tally);
    tally.left -= bytes;
    tally.burst -= bytes;
    if (tally.left <= 0 && this.#mustWait(one, tally)) this.#hold(one);
  }

  /** It has ended. */
  left(one: T): void {
    this.#tallies.delete(one);
    this.#release(one);
    this.#letTheLastGo();
  }

  /** All continue. */
  stop(): void {
    this.#windowShown = false;
    this.#typedEnough();
  }

  #typedEnough(): void {
    clearTimeout(this.#quiet);
    this.#typed = null;
    if (!this.#windowShown) this.#letAllGo();
    else this.#letTheLastGo();
  }

  #mustWait(one: T, tally: Tally): boolean {
    if (this.#typed !== null) return one !== this.#typed;
    return this.#windowShown && tally.burst <= 0 && this.#othersFlood(one);
  }

  /** Beside a visible window. */
  #othersFlood(one: T): boolean {
    for (const other of this.#waiting) if (other !== one) return true;
    for (const [other, tally] of this.#tallies) {
      if (other === one) continue;
      renew(tally);
      if (tally.burst <= 0) return true;
    }
    return false;
  }

  #hold(one: T): void {
    if (this.#waiting.has(one)) return;
    this.#waiting.add(one);
    one.waitForTurn(true);
    this.#turnLater();
  }

  #release(one: T): void {
    if (this.#waiting.delete(one)) one.waitForTurn(false);
  }

  #letAllGo(): void {
    this.#stopTurns();
    for (const one of [...this.#waiting]) this.#release(one);
  }

  /** A single remaining flooding terminal need not be paused. */
  #letTheLastGo(): void {
    const [last] = this.#waiting;
    if (last && this.#typed === null && !this.#othersFlood(last)) this.#release(last);
  }

  #turnLater(): void {
    if (this.#waiting.size === 0) return;
    this.#turn ??= setTimeout(
      () => this.#nextTurn(),
      this.#typed === null ? SEEN_FLOOD_TURN_MS : FLOOD_TURN_MS,
    );
  }

  #stopTurns(): void {
    clearTimeout(this.#turn);
    this.#turn = undefined;
    this.#isNext = false;
  }

  #nextTurn(): void {
    this.#stopTurns();
    this.#turnLater();
    if (this.#typed !== null) return this.#giveTurn(() => true, TURN_BYTES);
    this.#turns = (this.#turns + 1) % UNSEEN_EVERY;
    this.#giveTurn(({ seen }) => seen, TURN_BYTES);
    if (this.#turns === 0) this.#giveTurn(({ seen }) => !seen, UNSEEN_TURN_BYTES);
  }

  /**
   * Gives the turn to the longest-waiting one among these. Its unused burst from while it was paused does not
   * accumulate.
   */
  #giveTurn(whose: (one: T) => boolean, bytes: number): void {
    for (const one of this.#waiting) {
      if (!whose(one)) continue;
      const tally = this.#tallies.get(one);
      if (tally) {
        renew(tally);
        tally.left = bytes;
        tally.burst = 0;
      }
      return this.#release(one);
    }
  }
}

function renew(tally: Tally): void {
  const window = Math.floor(performance.now() / FLOOD_WINDOW_MS);
  const passed = window - tally.window;
  if (passed === 0) return;
  tally.flooded = passed === 1 && tally.left <= 0;
  tally.window = window;
  // A turn may be longer than the flood threshold.
  tally.left = Math.max(FLOOD_BYTES, tally.left);
  tally.burst = Math.min(BURST_BYTES, tally.burst + passed * FLOOD_BYTES);
}
