import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import type { McpAddress } from './mcp';
import type { State } from './state';
import type { Values } from './template';

/** The context of a turn. */
export interface Stage {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly cwd: string;
  readonly clientCapabilities: ClientCapabilities;
  readonly state: State;
  readonly values: Values;
  /** Aborted by session/cancel. */
  readonly signal: AbortSignal;
  /** What was allowed with "always" in this session. */
  readonly allowed: Set<string>;
  /** It asks before everything that it writes or runs without the client. */
  readonly asks: boolean;
  /** The MCP servers from the client. */
  readonly servers: readonly McpAddress[];
}
