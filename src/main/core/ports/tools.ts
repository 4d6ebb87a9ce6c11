import type { Json } from '@contract/ids';

/** One of Muster's own tools for agents. */
interface ServedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, Json>>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** The tools available to the agent of one session. */
export interface SessionTools {
  readonly tools: readonly ServedTool[];
  /** Never rejects. */
  call(name: string, input: unknown): Promise<ToolAnswer>;
}

/**
 * Where a session's tools are served: an MCP server on loopback, and a program that bridges it to standard
 * streams.
 */
export interface ToolEndpoint {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bridge: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
}

export interface ToolServer {
  /**
   * Serves a session's tools at an address with its own token; another call for the key replaces the first.
   */
  serve(key: string, tools: SessionTools): Promise<ToolEndpoint>;
  /** Ends the service; the token becomes invalid. */
  end(key: string): void;
}
