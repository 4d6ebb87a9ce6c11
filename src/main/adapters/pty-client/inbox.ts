import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OutputReader } from './output-reader';

const POLL_MS = 400;
/** A longer line is no signal of ours. */
const MOST_LINE = 8 * 1024 * 1024;

/** Tells each line that is appended to a file, from its beginning on. */
export class Inbox {
  readonly #reader: OutputReader;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | null = null;
  #rest = '';

  constructor(
    private readonly path: string,
    private readonly told: (line: string) => void,
  ) {
    this.#reader = new OutputReader(path, 0, (text) => this.#take(text));
    try {
      this.#watcher = watch(path, () => void this.look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Some file systems tell of no change, and some limits allow no watch: then we look now and then.
    }
    this.#timer = setInterval(() => void this.look(), POLL_MS);
    this.#timer.unref();
  }

  /** Resolves when all that is in the file now was told. */
  async look(): Promise<void> {
    const facts = await stat(this.path).catch(() => null);
    if (facts) await this.#reader.upTo(facts.size);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MOST_LINE) this.#rest = '';
    for (const line of lines) if (line.trim() !== '') this.told(line);
  }
}
