import type { OutputLength } from '@contract/terminal/host';
import { LENGTHS_APART_MS } from '../../limits/terminal-host';

/** While no one is there to be told; of more than that the oldest are forgotten. */
const MOST_UNSENT = 4096;

/** How long an output was when, for as long as no one was told. The newest length always stands. */
export class Lengths {
  #bytes = 0;
  #lengths: OutputLength[] = [];
  /** When the one before the newest was. */
  #before = 0;

  add(bytes: number, length: OutputLength): void {
    this.#bytes = bytes;
    const last = this.#lengths.at(-1);
    if (last && last.at - this.#before < LENGTHS_APART_MS) this.#lengths.pop();
    else if (last) this.#before = last.at;
    this.#lengths.push(length);
    if (this.#lengths.length > MOST_UNSENT) this.#lengths.shift();
  }

  /** What was not told yet; null where that is nothing. */
  take(): { bytes: number; lengths: OutputLength[] } | null {
    const lengths = this.#lengths;
    const last = lengths.at(-1);
    if (!last) return null;
    this.#before = last.at;
    this.#lengths = [];
    return { bytes: this.#bytes, lengths };
  }
}
