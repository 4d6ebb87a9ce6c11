import type { Result } from '@contract/result';
import type { Session, SessionListener, SessionSpec } from '../ports';

/** How to start an agent with the Agent Client Protocol, whatever its profile's kind. */
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
  /** The command with which the operator logs in. */
  readonly loginCommand: string | null;
  /** What to do if the command is not installed. */
  readonly install: string;
  /** The agent's display name, if its own is unsuitable. */
  readonly label: string | null;
  /** It sends nothing of a turn after the turn's end. */
  readonly inOrder?: boolean;
}

/** Opens a session over the protocol. Injected into the kinds of agents that use the protocol. */
export type OpenAcp = (
  launch: AcpLaunch,
  spec: SessionSpec,
  listener: SessionListener,
) => Promise<Result<Session>>;
