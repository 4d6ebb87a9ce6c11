import { newUid } from './uid';

/** A start under a uid that stays where nothing was answered; a press after an answer means another start. */
export class StartOnce {
  #uid: string | null = null;

  async begin<T>(start: (uid: string) => Promise<T>): Promise<T> {
    this.#uid ??= newUid();
    const started = await start(this.#uid);
    if (started) this.#uid = null;
    return started;
  }

  /** What is started next is something else. */
  forget(): void {
    this.#uid = null;
  }
}
