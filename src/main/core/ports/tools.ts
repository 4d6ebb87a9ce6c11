import type { Json } from '@contract/ids';

/** A tool that Muster gives to an agent of its own. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, Json>>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** What the agent of one session may call. */
export interface SessionTools {
  readonly tools: readonly ServedTool[];
  /** Never rejects. */
  call(name: string, input: unknown): Promise<ToolAnswer>;
}

/** Where a session's tools are: an MCP server on loopback, and a program that carries it over standard streams. */
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
  /** Gives a session's tools at an address with a token of its own; a second call for the key replaces the first. */
  serve(key: string, tools: SessionTools): Promise<ToolEndpoint>;
  /** The token is worth nothing afterwards. */
  end(key: string): void;
}
