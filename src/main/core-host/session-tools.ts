import type { ToolServer } from '../core/ports/tools';

type Closing = ToolServer & { close(): Promise<void> };

/** The tool server, read and opened when the first session is given tools. */
export class LateTools implements ToolServer {
  #opened: Promise<Closing> | null = null;
  #ready: Closing | null = null;

  constructor(private readonly open: () => Promise<Closing>) {}

  async serve(...given: Parameters<ToolServer['serve']>): ReturnType<ToolServer['serve']> {
    this.#opened ??= this.open();
    this.#ready = await this.#opened;
    return this.#ready.serve(...given);
  }

  end(key: string): void {
    this.#ready?.end(key);
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }
}
