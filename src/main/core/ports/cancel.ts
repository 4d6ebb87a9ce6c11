/** Tells when no one waits for an answer any more. */
export interface CallCancel {
  readonly cancelled: boolean;
  /** Called once; at once where it is cancelled already. */
  onCancel(listener: () => void): void;
}

/** A cancellation and what brings it about. */
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
