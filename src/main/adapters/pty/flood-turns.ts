import { availableParallelism } from 'node:os';
import {
  ANSWER_DRAWN_MS,
  BURST_BYTES,
  FLOOD_TURN_MS,
  FLOOD_WINDOW_MS,
  SEEN_FLOOD_TURN_MS,
  TYPING_MS,
} from '../../limits/terminal-host';

/** A terminal from which one can read no more for a while. */
export interface Readable {
  /** Someone has it on a screen. */
  readonly seen: boolean;
  waitForTurn(on: boolean): void;
}
/** Who prints as much within a window floods: a quarter of a megabyte in a second, which no one reads along. */
export const FLOOD_BYTES = 64 * 1024;
/** While the operator types: of one that floods, so much is read in its turn. */
export const TURN_BYTES = 32 * 1024;

/** Of one that no one sees so much for each processor that the window does not need: a long turn costs less than many. */
export const UNSEEN_TURN_BYTES = 512 * 1024 * Math.max(1, availableParallelism() - 1);
/** Each so manieth time is the turn of one that no one sees as well. */
export const UNSEEN_EVERY = 1;

interface Tally {
  /** The number of the window. */
  window: number;
  /** Bytes that may still be read in it. */
  left: number;
  /** In the window before it was no less than a flood. */
  flooded: boolean;
  /** Bytes that may still be read above the measure of a flood, until it counts as one beside a window. */
  burst: number;
}

/**
 * Terminals that flood are read in turns while the operator types, and where there are several of them also as long as
 * someone may be looking at a window: their programs wait on a full terminal, and the processors are there for the
 * window. No one waits forever, none that prints little waits at all, none that floods alone waits but for a key, and
 * the terminal that is typed into is never held.
 */
export class FloodTurns<T extends Readable> {
  #typed: T | null = null;
  #windowShown = false;
  readonly #tallies = new Map<T, Tally>();
  /** Held until it is their turn, the one that has waited longest first. */
  readonly #waiting = new Set<T>();
  #quiet: NodeJS.Timeout | undefined;
  #turn: NodeJS.Timeout | undefined;
  /** It follows an answer. */
  #isNext = false;
  #turns = 0;

  /** The operator has typed into this one. */
  typed(one: T): void {
    const begins = this.#typed === null;
    this.#typed = one;
    this.#letGo(one);
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

  /** What was typed was answered, or is not at once. */
  answered(): void {
    // Keys that come faster than that put it off no further.
    if (this.#typed === null || this.#isNext || this.#waiting.size === 0) return;
    this.#stopTurns();
    this.#isNext = true;
    this.#turn = setTimeout(() => this.#nextTurn(), ANSWER_DRAWN_MS);
  }

  /** Whether someone may be looking at a window. */
  windowShown(shown: boolean): void {
    this.#windowShown = shown;
    if (!shown && this.#typed === null) this.#letAllGo();
  }

  /** Notes that this many more bytes were read. */
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
    this.#letGo(one);
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

  /** Beside a window. */
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

  #letGo(one: T): void {
    if (this.#waiting.delete(one)) one.waitForTurn(false);
  }

  #letAllGo(): void {
    this.#stopTurns();
    for (const one of [...this.#waiting]) this.#letGo(one);
  }

  /** One that is left alone with its flood holds up no one. */
  #letTheLastGo(): void {
    const [last] = this.#waiting;
    if (last && this.#typed === null && !this.#othersFlood(last)) this.#letGo(last);
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

  /** To the one among these that has waited longest. What it has not used of a burst while it was held is no gain. */
  #giveTurn(whose: (one: T) => boolean, bytes: number): void {
    for (const one of this.#waiting) {
      if (!whose(one)) continue;
      const tally = this.#tallies.get(one);
      if (tally) {
        renew(tally);
        tally.left = bytes;
        tally.burst = 0;
      }
      return this.#letGo(one);
    }
  }
}

function renew(tally: Tally): void {
  const window = Math.floor(performance.now() / FLOOD_WINDOW_MS);
  const passed = window - tally.window;
  if (passed === 0) return;
  tally.flooded = passed === 1 && tally.left <= 0;
  tally.window = window;
  // A turn can be longer than what counts as one.
  tally.left = Math.max(FLOOD_BYTES, tally.left);
  tally.burst = Math.min(BURST_BYTES, tally.burst + passed * FLOOD_BYTES);
}
