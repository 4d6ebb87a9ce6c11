import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk';
import type { McpAddress } from './mcp';
import type { State } from './state';
import type { Values } from './template';

/** Where a turn is played. */
export interface Stage {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly cwd: string;
  readonly clientCapabilities: ClientCapabilities;
  readonly state: State;
  readonly values: Values;
  /** Aborted by session/cancel. */
  readonly signal: AbortSignal;
  /** What "always" was answered to, in this session. */
  readonly allowed: Set<string>;
  /** It asks before all that it writes or runs past the client. */
  readonly asks: boolean;
  /** The MCP servers that the client named. */
  readonly servers: readonly McpAddress[];
}
