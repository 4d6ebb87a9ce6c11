import type { CallCancel } from '../../core/ports/sandbox';

/** A cancellation and who may bring it about. */
export class Cancel implements CallCancel {
  #cancelled = false;
  #listeners: (() => void)[] = [];

  get cancelled(): boolean {
    return this.#cancelled;
  }

  onCancel(listener: () => void): void {
    if (this.#cancelled) listener();
    else this.#listeners.push(listener);
  }

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
