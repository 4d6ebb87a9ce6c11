import { join } from 'node:path';
import type { AgentProfile } from '@areas/agents/contract/profile';
import type { CoreInit } from '@contract/system/host';
import { nodeLogFiles } from '../adapters/log-files';
import type { GuardedProcesses } from '../adapters/process';
import { nodeFiles } from '../adapters/process/files';
import { PipeTerminals } from '../adapters/process/terminals';
import type { PtyClient } from '../adapters/pty-client/client';
import { ShellTerminals } from '../adapters/pty-client/shells/shell-terminals';
import { filesThere, onHosts } from '../agents/on-hosts';
import { type AgentPorts, agentsOf } from '../agents/registry';
import { type SecretParts, withSecrets } from '../agents/with-secrets';
import type { AgentPort, Clock, Logger } from '../core/ports/ports';
import type { HostedWork } from '../core/ports/programs/hosted';
import type { Processes } from '../core/ports/programs/process';

interface AgentParts {
  readonly init: CoreInit;
  readonly processes: GuardedProcesses;
  readonly pty: PtyClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secret: (name: string) => string | null;
  readonly redactors: SecretParts['redactors'];
  readonly hosts: { readonly work: HostedWork };
}

interface MadeAgents {
  readonly agents: ReadonlyMap<AgentProfile['kind'], AgentPort>;
  /** The shells of agents' terminals. */
  readonly shells: ShellTerminals;
}

/** All agents, over the core's adapters. */
export function createAgents(parts: AgentParts): MadeAgents {
  const { init, processes, pty, clock, logger, secret, redactors, hosts } = parts;
  // A process that survives this core has none of its marks, or the next core would end it as a leftover.
  const environment = (owner: string) =>
    processes.environment().then((all) => ({ ...all, ...processes.sessionMark(owner) }));
  const shells = new ShellTerminals({ client: pty, environment, instead: new PipeTerminals(processes) });
  const ports: AgentPorts = {
    processes,
    terminals: shells,
    files: nodeFiles,
    logFiles: nodeLogFiles,
    clock,
    logger,
    secret,
    interactive: async () => {
      const { InteractiveTerminals } = await import('../adapters/pty-client/programs/interactive-terminals');
      return new InteractiveTerminals({ client: pty, environment });
    },
    scripts: {
      runtime: init.nodeRuntime,
      entry: join(init.processDir, 'scripted-agent.js'),
      scriptsDir: join(init.resourcesDir, 'scripts'),
    },
  };
  const secrets = { read: secret, redactors };
  const there = (kind: AgentProfile['kind'], programs: Processes) =>
    agentsOf({ ...ports, processes: programs, files: filesThere(nodeFiles), onHost: true }).get(kind);
  const agents = [...agentsOf(ports)].map(([kind, agent]) => {
    const anywhere = onHosts(agent, { work: hosts.work, there });
    return [kind, withSecrets(anywhere, secrets)] as const;
  });
  return { agents: new Map(agents), shells };
}
