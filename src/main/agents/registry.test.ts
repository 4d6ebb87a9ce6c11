import { type AgentKind, agentKinds, kindOf } from '@areas/agents/contract/agent-kinds';
import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import { appError } from '@contract/errors';
import { err } from '@contract/result';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import type { AgentPort, SessionListener, SessionSpec, SessionsPast } from '../core/ports/ports';
import type { CliDependencies } from './cli/open';
import type { ExecDependencies } from './codex-exec';
import { type AgentPorts, agentsOf } from './registry';

const common = { id: 'a', name: 'A' };
/** A profile of each kind: a new kind does not compile without one. */
const profiles: Readonly<Record<AgentKind, AgentProfile>> = {
  acp: agentProfileSchema.parse({ ...common, kind: 'acp', command: 'x' }),
  scripted: agentProfileSchema.parse({ ...common, kind: 'scripted', script: 'x' }),
  cli: agentProfileSchema.parse({ ...common, kind: 'cli', command: 'x' }),
  'codex-exec': agentProfileSchema.parse({ ...common, kind: 'cli', preset: 'codex-exec', command: 'x' }),
  gateway: agentProfileSchema.parse({ ...common, kind: 'gateway', api: 'openai', base_url: 'http://x' }),
  openclaw: agentProfileSchema.parse({ ...common, kind: 'gateway', api: 'openclaw', base_url: 'ws://x' }),
};
const kinds = Object.keys(agentKinds) as AgentKind[];
const listener = {} as SessionListener;
const specOf = (kind: AgentKind) => ({ profile: profiles[kind] }) as SessionSpec;

test.each(kinds)(
  'a profile of %s is recognized as its kind, and has the fields that its kind declares',
  (kind) => {
    expect(kindOf(profiles[kind])).toBe(kind);
    expect(profiles[kind].kind).toBe(agentKinds[kind].profile);
  },
);

test.each(kinds)('a session of %s is opened by its own adapter, which is loaded once', async (kind) => {
  const loaded: string[] = [];
  const opened: string[] = [];
  const load = (name: AgentKind) => async (): Promise<AgentPort> => {
    loaded.push(name);
    const refuse = async () => {
      opened.push(name);
      return err(appError('internal', name));
    };
    return {
      kind: agentKinds[name].profile,
      open: refuse,
      ...(agentKinds[name].outlivesCore && { reattach: refuse }),
    };
  };
  const made: unknown = Object.fromEntries(kinds.map((name) => [name, load(name)]));
  const registry = made as Parameters<typeof agentsOf>[1];
  const port = agentsOf({} as AgentPorts, registry).get(profiles[kind].kind);
  await port?.open(specOf(kind), listener);
  await port?.open(specOf(kind), listener);
  expect([loaded, opened]).toEqual([[kind], [kind, kind]]);
  const past = double<SessionsPast>({ turn: null });
  const again = await port?.reattach?.(specOf(kind), past, listener);
  if (agentKinds[kind].outlivesCore) expect(again).toMatchObject({ error: { code: 'internal' } });
  else expect(again ?? { error: { code: 'not_found' } }).toMatchObject({ error: { code: 'not_found' } });
});

test('each adapter can take up a session of an earlier core where its kind declares that', async () => {
  const { createCliAgent } = await import('./cli');
  const { createAcpAgent } = await import('./acp');
  const { createCodexExecAgent } = await import('./codex-exec');
  expect(createCliAgent(double<CliDependencies>({})).reattach).toBeDefined();
  expect(
    createAcpAgent({ openAcp: () => Promise.reject(new Error('not opened here')) }).reattach,
  ).toBeUndefined();
  expect(
    createCodexExecAgent(double<ExecDependencies>({ processes: {}, logFiles: {}, files: {}, clock: {} }))
      .reattach,
  ).toBeUndefined();
});
