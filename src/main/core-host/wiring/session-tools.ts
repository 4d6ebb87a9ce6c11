import type { Redactor } from '../../agents/redact';
import type { SessionTools, ToolServer } from '../../core/ports/tools';

type Closing = ToolServer & { close(): Promise<void> };

/**
 * The tool server, loaded and opened when the first session is given tools. What an agent says through them
 * is logged, so its secrets are removed.
 */
export class LateTools implements ToolServer {
  #opened: Promise<Closing> | null = null;
  #ready: Closing | null = null;

  constructor(
    private readonly redactors: Map<string, Redactor>,
    private readonly open: () => Promise<Closing>,
  ) {}

  async serve(key: string, { tools, call }: SessionTools): ReturnType<ToolServer['serve']> {
    this.#opened ??= this.open();
    this.#ready = await this.#opened;
    return this.#ready.serve(key, {
      tools,
      call: (name, input) => call(name, this.redactors.get(key)?.deep(input) ?? input),
    });
  }

  end(key: string): void {
    this.redactors.delete(key);
    this.#ready?.end(key);
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }
}
