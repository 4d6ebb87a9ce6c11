import type { TerminalExit } from '@areas/terminals/contract/host';

/** More pieces than this are not counted: the message about the end would be megabytes. */
const MOST = 100_000;

/** Which bytes of an output came from standard error. */
export class ErrorRanges {
  readonly #ranges: [number, number][] = [];
  #printed = 0;
  #tooMany = false;

  output(bytes: number): void {
    this.#printed += bytes;
  }

  errors(bytes: number): void {
    if (bytes === 0) return;
    const last = this.#ranges.at(-1);
    if (last !== undefined && last[0] + last[1] === this.#printed) last[1] += bytes;
    else if (this.#ranges.length < MOST) this.#ranges.push([this.#printed, bytes]);
    else this.#tooMany = true;
    this.#printed += bytes;
  }

  get all(): TerminalExit['errors'] {
    return this.#tooMany ? null : this.#ranges;
  }
}
