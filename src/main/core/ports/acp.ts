import type { Result } from '@contract/result';
import type { Session, SessionListener, SessionSpec } from './ports';

/** How an agent that speaks the Agent Client Protocol is started, whatever its profile's kind is. */
export interface AcpLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mcpServers: readonly {
    readonly name: string;
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }[];
  /** What the operator types to log in. */
  readonly loginCommand: string | null;
  /** What the operator does where the command is not installed. */
  readonly install: string;
  /** How the agent is called on screen, where its own name will not do. */
  readonly label: string | null;
}

/** Opens a session over the protocol. The kinds that are protocol agents underneath get it injected. */
export type OpenAcp = (
  launch: AcpLaunch,
  spec: SessionSpec,
  listener: SessionListener,
) => Promise<Result<Session>>;
