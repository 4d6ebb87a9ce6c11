import { join } from 'node:path';
import { type AgentProfile, CODEX_EXEC } from '@contract/catalog/profile';
import { appError } from '@contract/errors';
import { err } from '@contract/result';
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
import { type SecretParts, withSecrets } from '../agents/with-secrets';
import type { OpenAcp } from '../core/ports/acp';
import type { AgentPort, Clock, Logger, SessionSpec } from '../core/ports/ports';
import { late } from './late';

export interface AgentParts {
  readonly init: CoreInit;
  readonly processes: GuardedProcesses;
  readonly pty: PtyClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secret: (name: string) => string | null;
  readonly redactors: SecretParts['redactors'];
}

export interface MadeAgents {
  readonly agents: ReadonlyMap<AgentProfile['kind'], AgentPort>;
  /** The shells that agents share the terminals of. */
  readonly shells: ShellTerminals;
}

/** The agents of this Muster by the kind of their profile; one line each. */
export function createAgents(parts: AgentParts): MadeAgents {
  const { init, processes, pty, clock, logger, secret, redactors } = parts;
  // What outlives this core bears no mark of it, or the next one would end it as a leftover.
  const environment = (owner: string) =>
    processes.environment().then((all) => ({ ...all, ...processes.sessionMark(owner) }));
  const instead = new PipeTerminals(processes);
  const shells = new ShellTerminals({ client: pty, environment, instead });
  const acp = late(async () => {
    const { createAcpAgent, createOpenAcp } = await import('../agents/acp');
    const openAcp = createOpenAcp({ processes, terminals: shells, files: nodeFiles, logger, clock });
    const open: AgentPort['open'] = createAcpAgent({ openAcp }).open;
    return { openAcp, open };
  });
  const cli = late(async () => {
    const { createCliAgent } = await import('../agents/cli');
    const { InteractiveTerminals } = await import('../adapters/pty-client/interactive-terminals');
    const interactive = new InteractiveTerminals({ client: pty, environment });
    const parts = { processes, terminals: interactive, files: nodeFiles, logger, clock };
    const { createCodexExecAgent } = await import('../agents/codex-exec');
    const exec = createCodexExecAgent({ processes, files: nodeLogFiles, workspace: nodeFiles, clock });
    return withoutTerminal(exec, createCliAgent(parts));
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
    {
      kind: 'cli',
      open: (...opening) => cli.open(...opening),
      reattach: (...past) => cli.reattach(...past),
    },
    gatewayOf(
      createGatewayAgent({ secret, clock, files: nodeFiles }),
      createOpenclawAgent({ secret, clock, files: nodeFiles, logger }),
    ),
  ];
  const secrets = { read: secret, redactors };
  return { agents: new Map(agents.map((agent) => [agent.kind, withSecrets(agent, secrets)])), shells };
}

/** One that has no terminal is another kind of session. */
function withoutTerminal(
  exec: AgentPort,
  terminal: Required<AgentPort>,
): Pick<Required<AgentPort>, 'open' | 'reattach'> {
  const hasNone = ({ profile }: SessionSpec): boolean =>
    profile.kind === 'cli' && profile.preset === CODEX_EXEC;
  return {
    open: (spec, listener) => (hasNone(spec) ? exec : terminal).open(spec, listener),
    reattach: async (spec, past, listener) =>
      hasNone(spec)
        ? err(appError('not_found', 'Its processes end with each turn.'))
        : terminal.reattach(spec, past, listener),
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
