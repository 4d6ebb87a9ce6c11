import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { z } from 'zod';
import type { Facts } from './agents';

const resultSchema = z.object({
  agentCapabilities: z.object({ loadSession: z.boolean().optional() }).optional(),
});

const messageSchema = z.object({
  from: z.enum(['muster', 'agent']),
  message: z.object({
    method: z.string().optional(),
    params: z
      .object({ update: z.object({ cost: z.object({ amount: z.number() }).optional() }).optional() })
      .optional(),
    result: resultSchema.nullish(),
  }),
});
type WireMessage = z.infer<typeof messageSchema>;

/** The same agent, with all messages between Muster and it recorded. */
export function tapped(profile: AgentProfile, file: string): AgentProfile {
  if (profile.kind !== 'acp') throw new Error(`${profile.id} does not speak ACP`);
  const tap = join(import.meta.dirname, 'tap.mjs');
  return { ...profile, command: process.execPath, args: [tap, file, profile.command, ...profile.args] };
}

export function readWire(file: string): WireMessage[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => messageSchema.parse(JSON.parse(line)));
}

export function factsOf(wire: readonly WireMessage[]): Omit<Facts, 'api' | 'tokens'> {
  const sent = wire.filter(({ from }) => from === 'agent').map(({ message }) => message);
  const methods = sent.flatMap(({ method }) => (method?.match(/^(fs|terminal)\//) ? [method] : []));
  const results = sent.flatMap(({ result }) => result ?? []);
  return {
    clientMethods: [...new Set(methods)],
    loads: results.some(({ agentCapabilities }) => agentCapabilities?.loadSession === true),
    tellsCost: sent.some(({ params }) => params?.update?.cost !== undefined),
  };
}
