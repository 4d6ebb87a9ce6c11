/** Runs work on the same key one after the other, in order; other keys do not wait. */
export class Queue {
  readonly #last = new Map<string, Promise<unknown>>();

  async add<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(() => {});
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
