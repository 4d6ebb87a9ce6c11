import type { OutputLength } from '@contract/terminal/host';
import { LENGTHS_APART_MS } from '../../../limits/terminal-host';

/** Maximum entries while no client is connected; the oldest are dropped. */
const MOST_UNSENT = 4096;

/** An output's lengths over time that have not been reported. The newest length is always included. */
export class Lengths {
  #bytes = 0;
  #lengths: OutputLength[] = [];
  /** Time of the previous entry. */
  #before = 0;

  add(bytes: number, length: OutputLength): void {
    this.#bytes = bytes;
    const last = this.#lengths.at(-1);
    if (last && last.at - this.#before < LENGTHS_APART_MS) this.#lengths.pop();
    else if (last) this.#before = last.at;
    this.#lengths.push(length);
    if (this.#lengths.length > MOST_UNSENT) this.#lengths.shift();
  }

  /** The unreported lengths; null if there are none. */
  take(): { bytes: number; lengths: OutputLength[] } | null {
    const lengths = this.#lengths;
    const last = lengths.at(-1);
    if (!last) return null;
    this.#before = last.at;
    this.#lengths = [];
    return { bytes: this.#bytes, lengths };
  }
}
