import { join } from 'node:path';
import type { AgentProfile } from '@contract/catalog/profile';
import type { CoreInit } from '@contract/system/host';
import type { GuardedProcesses } from '../adapters/process';
import { nodeFiles } from '../adapters/process/files';
import { PipeTerminals } from '../adapters/process/terminals';
import type { PtyClient } from '../adapters/pty-client/client';
import { ShellTerminals } from '../adapters/pty-client/shell-terminals';
import { createAcpAgent, createOpenAcp } from '../agents/acp';
import { createGatewayAgent } from '../agents/gateway';
import { createScriptedAgent } from '../agents/scripted';
import type { AgentPort, Clock, Logger } from '../core/ports/ports';

export interface AgentParts {
  readonly init: CoreInit;
  readonly processes: GuardedProcesses;
  readonly pty: PtyClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secret: (name: string) => string | null;
}

/** The agents of this Muster by the kind of their profile; one line each. */
export function createAgents(parts: AgentParts): ReadonlyMap<AgentProfile['kind'], AgentPort> {
  const { init, processes, pty, clock, logger, secret } = parts;
  const terminals = new ShellTerminals({
    client: pty,
    environment: (owner) => processes.environment().then((all) => ({ ...all, ...processes.marks(owner) })),
    instead: new PipeTerminals(processes),
  });
  const openAcp = createOpenAcp({ processes, terminals, files: nodeFiles, logger, clock });
  const scripted = {
    openAcp,
    files: nodeFiles,
    runtime: init.nodeRuntime,
    entry: join(init.processDir, 'scripted-agent.js'),
    scriptsDir: join(init.resourcesDir, 'scripts'),
  };
  const agents = [
    createAcpAgent({ openAcp }),
    createScriptedAgent(scripted),
    createGatewayAgent({ secret, clock, files: nodeFiles }),
  ];
  return new Map(agents.map((agent) => [agent.kind, withSecrets(agent, secret)]));
}

/** Fills the environment variables that a profile names as secrets; they live in the agent's process and nowhere else. */
function withSecrets(agent: AgentPort, secret: (name: string) => string | null): AgentPort {
  return {
    kind: agent.kind,
    open: (spec, listener) => {
      const found = spec.profile.secrets.flatMap((name): [string, string][] => {
        const value = secret(name);
        return value === null ? [] : [[name, value]];
      });
      return agent.open({ ...spec, env: { ...Object.fromEntries(found), ...spec.env } }, listener);
    },
  };
}
