/** Signals that the caller no longer waits for an answer. */
export interface CallCancel {
  readonly cancelled: boolean;
  /** Called once; immediately if already cancelled. */
  onCancel(listener: () => void): void;
}

/** A cancellation signal and the means to trigger it. */
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
