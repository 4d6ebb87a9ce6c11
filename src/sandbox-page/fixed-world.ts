import { SANDBOX_BLOCK_GAP_MS, SANDBOX_TICK_MS } from '@contract/limits';

const GOLDEN = 0x9e3779b9;
/** Words of a generator that are thrown away, so that like seeds part. */
const WARM_UP = 16;

/** Numbers that follow from four words (sfc32). Nothing here is a secret. */
function randomWords(seed: readonly number[], round: number): () => number {
  let [a = 0, b = 0, c = 0, d = 0] = seed;
  c ^= Math.imul(round + 1, GOLDEN);
  const next = (): number => {
    const word = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + word) | 0;
    return word >>> 0;
  };
  for (let turn = 0; turn < WARM_UP; turn += 1) next();
  return next;
}

/**
 * Clock and random numbers of a REPL. They are the machine's until `fix`; from then on they follow from the seed and from
 * what the blocks do, so that blocks which run again in another process leave the same variables.
 */
export class FixedWorld {
  readonly #realNow = performance.now.bind(performance);
  #clock: { began: number; now: number; blockEnded: number } | null = null;
  #seed: readonly number[] = [];
  #blocks = 0;
  #next: () => number = () => 0;

  /** Before Pyodide is loaded, which takes all that Python's clocks and random numbers rest on from these three. */
  install(): void {
    const RealDate = Date;
    const realDate = Date.now.bind(Date);
    const realRandom = crypto.getRandomValues.bind(crypto);
    const date = (): number => this.#tick() ?? realDate();
    const fixed = new Proxy(RealDate, {
      construct: (target, given: readonly unknown[], as) =>
        Reflect.construct(target, given.length === 0 ? [date()] : given, as) as Date,
      apply: () => new RealDate(date()).toString(),
      get: (target, name) => (name === 'now' ? date : Reflect.get(target, name)),
    });
    Object.defineProperty(self, 'Date', { value: fixed });
    Object.defineProperty(performance, 'now', {
      value: () => (this.#clock === null ? this.#realNow() : (this.#tick() ?? 0) - this.#clock.began),
    });
    Object.defineProperty(crypto, 'getRandomValues', {
      value: <A extends ArrayBufferView<ArrayBuffer>>(array: A): A =>
        this.#clock === null ? realRandom(array) : this.#fill(array),
    });
  }

  /** Milliseconds of the machine, for waits. */
  machineNow(): number {
    return this.#realNow();
  }

  fix(seed: string, now: number): void {
    this.#seed = [0, 8, 16, 24].map((at) => Number.parseInt(seed.slice(at, at + 8), 16) | 0);
    this.#blocks = 0;
    this.#clock = { began: now, now, blockEnded: now };
    this.#next = randomWords(this.#seed, 0);
  }

  /** What was read between blocks, by whatever part of the page, changes nothing for the block. */
  beginBlock(): void {
    if (this.#clock === null) return;
    this.#blocks += 1;
    this.#clock.now = this.#clock.blockEnded + SANDBOX_BLOCK_GAP_MS;
    this.#next = randomWords(this.#seed, this.#blocks);
  }

  endBlock(): void {
    if (this.#clock !== null) this.#clock.blockEnded = this.#clock.now;
  }

  /** A sleep is over. */
  pass(ms: number): void {
    if (this.#clock !== null) this.#clock.now += Math.max(0, Math.round(ms));
  }

  #tick(): number | null {
    if (this.#clock === null) return null;
    this.#clock.now += SANDBOX_TICK_MS;
    return this.#clock.now;
  }

  #fill<A extends ArrayBufferView<ArrayBuffer>>(array: A): A {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.#next();
    return array;
  }
}
