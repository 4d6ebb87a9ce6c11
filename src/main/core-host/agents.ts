import type { AgentProfile } from '@contract/catalog/profile';
import type { CoreInit } from '@contract/system/host';
import type { AgentPort } from '../core/ports/ports';
import type { Processes } from '../core/ports/process';

export interface AgentParts {
  readonly init: CoreInit;
  readonly processes: Processes;
  readonly secret: (name: string) => string | null;
}

/** The agents of this Muster by the kind of their profile; one line each. */
export function createAgents(_parts: AgentParts): ReadonlyMap<AgentProfile['kind'], AgentPort> {
  const agents: AgentPort[] = [];
  return new Map(agents.map((agent) => [agent.kind, agent]));
}
