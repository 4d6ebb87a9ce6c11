import { join } from 'node:path';
import { type AgentProfile, CODEX_EXEC } from '@contract/catalog/profile';
import type { CoreInit } from '@contract/system/host';
import { nodeLogFiles } from '../adapters/loop-files';
import type { GuardedProcesses } from '../adapters/process';
import { nodeFiles } from '../adapters/process/files';
import { PipeTerminals } from '../adapters/process/terminals';
import type { PtyClient } from '../adapters/pty-client/client';
import { ShellTerminals } from '../adapters/pty-client/shell-terminals';
import { createGatewayAgent } from '../agents/gateway';
import { createOpenclawAgent } from '../agents/openclaw';
import { createScriptedAgent } from '../agents/scripted';
import type { OpenAcp } from '../core/ports/acp';
import type { AgentPort, Clock, Logger } from '../core/ports/ports';
import { late } from './late';

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
  const environment = (owner: string) =>
    processes.environment().then((all) => ({ ...all, ...processes.marks(owner) }));
  const instead = new PipeTerminals(processes);
  const terminals = new ShellTerminals({ client: pty, environment, instead });
  const acp = late(async () => {
    const { createAcpAgent, createOpenAcp } = await import('../agents/acp');
    const openAcp = createOpenAcp({ processes, terminals, files: nodeFiles, logger, clock });
    const open: AgentPort['open'] = createAcpAgent({ openAcp }).open;
    return { openAcp, open };
  });
  const cli = late(async () => {
    const { createCliAgent } = await import('../agents/cli');
    const { InteractiveTerminals } = await import('../adapters/pty-client/interactive-terminals');
    const interactive = new InteractiveTerminals({ client: pty, environment });
    const parts = { processes, terminals: interactive, files: nodeFiles, logger, clock };
    const { createCodexExecAgent } = await import('../agents/codex-exec');
    const exec = createCodexExecAgent({ processes, files: nodeLogFiles });
    const open: AgentPort['open'] = withoutTerminal(exec, createCliAgent(parts)).open;
    return { open };
  });
  const openAcp: OpenAcp = (...opening) => acp.openAcp(...opening);
  const scripted = {
    openAcp,
    files: nodeFiles,
    runtime: init.nodeRuntime,
    entry: join(init.processDir, 'scripted-agent.js'),
    scriptsDir: join(init.resourcesDir, 'scripts'),
  };
  const agents: AgentPort[] = [
    { kind: 'acp', open: (...opening) => acp.open(...opening) },
    createScriptedAgent(scripted),
    { kind: 'cli', open: (...opening) => cli.open(...opening) },
    gatewayOf(
      createGatewayAgent({ secret, clock, files: nodeFiles }),
      createOpenclawAgent({ secret, clock, files: nodeFiles, logger }),
    ),
  ];
  return new Map(agents.map((agent) => [agent.kind, withSecrets(agent, secret)]));
}

/** One that has no terminal is another kind of session. */
function withoutTerminal(exec: AgentPort, terminal: AgentPort): AgentPort {
  return {
    kind: 'cli',
    open: (spec, listener) => {
      const { profile } = spec;
      const agent = profile.kind === 'cli' && profile.preset === CODEX_EXEC ? exec : terminal;
      return agent.open(spec, listener);
    },
  };
}

/** Gateways differ by what they speak. */
function gatewayOf(models: AgentPort, openclaw: AgentPort): AgentPort {
  return {
    kind: 'gateway',
    open: (spec, listener) => {
      const { profile } = spec;
      const agent = profile.kind === 'gateway' && profile.api === 'openclaw' ? openclaw : models;
      return agent.open(spec, listener);
    },
  };
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
