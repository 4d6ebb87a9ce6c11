import { newUid } from './uid';

/** A start under a uid that is kept while no answer arrived; a press after an answer means a new start. */
export class StartOnce {
  #uid: string | null = null;

  async begin<T>(start: (uid: string) => Promise<T>): Promise<T> {
    this.#uid ??= newUid();
    const started = await start(this.#uid);
    if (started) this.#uid = null;
    return started;
  }

  /** The next start gets a new uid. */
  forget(): void {
    this.#uid = null;
  }
}
