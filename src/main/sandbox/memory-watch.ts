import { app } from 'electron';
import { MEMORY_CHECK_MS } from '../limits/sandbox';

/**
 * Watches the resident memory of REPL processes. The wasm memory limit does not bound JavaScript's own
 * buffers, so a process over its limit is ended. Runs only while there is something to watch.
 */
export class MemoryWatch {
  readonly #watched = new Map<number, { readonly limitMb: number; readonly over: () => void }>();
  #timer: NodeJS.Timeout | null = null;

  watch(pid: number, limitMb: number, over: () => void): void {
    this.#watched.set(pid, { limitMb, over });
    this.#timer ??= setInterval(() => this.#look(), MEMORY_CHECK_MS);
  }

  forget(pid: number): void {
    this.#watched.delete(pid);
    if (this.#watched.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    for (const { pid, memory } of app.getAppMetrics()) {
      const watched = this.#watched.get(pid);
      if (watched === undefined || memory.workingSetSize / 1024 <= watched.limitMb) continue;
      this.forget(pid);
      watched.over();
    }
  }
}
