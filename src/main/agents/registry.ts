import { type AgentKind, agentKinds, kindOf } from '@areas/agents/contract/agent-kinds';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { fail } from '@contract/result';
import type { WorkspaceFiles } from '../core/ports/files';
import type { LogFiles } from '../core/ports/log-files';
import type { AgentPort, Clock, Logger } from '../core/ports/ports';
import type { InteractivePort } from '../core/ports/programs/interactive';
import type { Processes, ScriptRuntime } from '../core/ports/programs/process';
import type { TerminalPort } from '../core/ports/programs/terminal';

/** What agents are built from; each kind takes what it needs. */
export interface AgentPorts {
  readonly processes: Processes;
  /** For commands that agents run through Muster. */
  readonly terminals: TerminalPort;
  /** For programs that are agents themselves. */
  interactive(): Promise<InteractivePort>;
  readonly files: WorkspaceFiles;
  readonly logFiles: LogFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  secret(name: string): string | null;
  /** The processes are those of another machine. */
  readonly onHost?: boolean;
  readonly scripts: {
    readonly runtime: ScriptRuntime;
    readonly entry: string;
    readonly scriptsDir: string;
  };
}

type Load = (ports: AgentPorts) => Promise<AgentPort>;
type Registry = { readonly [K in AgentKind]: Load };

const openAcp = async (ports: AgentPorts) => (await import('./acp')).createOpenAcp(ports);

/**
 * Every kind of agent, with one folder and one line each. `areas/agents/contract/agent-kinds.ts` declares their
 * capabilities. An adapter is loaded when its kind's first session opens, so that a start of Muster does not
 * wait for it.
 */
const registry: Registry = {
  acp: async (ports) => (await import('./acp')).createAcpAgent({ openAcp: await openAcp(ports) }),
  scripted: async (ports) =>
    (await import('./scripted')).createScriptedAgent({
      ...ports,
      ...ports.scripts,
      openAcp: await openAcp(ports),
    }),
  cli: async (ports) =>
    (await import('./cli')).createCliAgent({ ...ports, terminals: await ports.interactive() }),
  'codex-exec': async (ports) => (await import('./codex-exec')).createCodexExecAgent(ports),
  gateway: async (ports) => (await import('./gateway')).createGatewayAgent(ports),
  openclaw: async (ports) => (await import('./openclaw')).createOpenclawAgent(ports),
};

/** All agents, by the kind of their profile. */
export function agentsOf(
  ports: AgentPorts,
  kinds: Registry = registry,
): ReadonlyMap<AgentProfile['kind'], AgentPort> {
  const loading = new Map<AgentKind, Promise<AgentPort>>();
  const agentOf = (profile: AgentProfile): Promise<AgentPort> => {
    const kind = kindOf(profile);
    const known = loading.get(kind) ?? kinds[kind](ports);
    loading.set(kind, known);
    return known;
  };
  const open: AgentPort['open'] = async (spec, listener) =>
    (await agentOf(spec.profile)).open(spec, listener);
  const reattach: NonNullable<AgentPort['reattach']> = async (spec, past, listener) => {
    const agent = await agentOf(spec.profile);
    if (agent.reattach !== undefined) return agent.reattach(spec, past, listener);
    return fail('not_found', 'Its processes end with each turn.');
  };
  const all = Object.values(agentKinds);
  return new Map(
    all.map(({ profile: kind }) => {
      const survives = all.some((one) => one.profile === kind && one.outlivesCore);
      return [kind, { kind, open, ...(survives && { reattach }) }];
    }),
  );
}
