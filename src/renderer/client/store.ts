import { STORE_LINGER_MS } from '../limits';

/** A value that can be read and watched, as React's useSyncExternalStore needs it. */
export interface Readable<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

/** A readable value. `start` runs while there are watchers, and returns a function that ends it. */
export class Cell<T> implements Readable<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();
  readonly #start: (() => () => void) | null;
  #stop: (() => void) | null = null;
  #leaving: ReturnType<typeof setTimeout> | null = null;

  constructor(value: T, start: (() => () => void) | null = null) {
    this.#value = value;
    this.#start = start;
  }

  get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  update(change: (value: T) => T): void {
    this.set(change(this.#value));
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#wake();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#sleep();
    };
  };

  #wake(): void {
    if (this.#leaving !== null) clearTimeout(this.#leaving);
    this.#leaving = null;
    if (this.#stop === null && this.#start !== null) this.#stop = this.#start();
  }

  #sleep(): void {
    if (this.#stop === null) return;
    this.#leaving = setTimeout(() => {
      this.#leaving = null;
      this.#stop?.();
      this.#stop = null;
    }, STORE_LINGER_MS);
  }
}
