import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentProfile } from '@contract/catalog/profile';
import { z } from 'zod';

const messageSchema = z.object({
  from: z.enum(['muster', 'agent']),
  message: z.looseObject({
    id: z.unknown().optional(),
    method: z.string().optional(),
    params: z.looseObject({}).optional(),
    result: z.unknown().optional(),
    error: z.looseObject({ message: z.string() }).optional(),
  }),
});
export type WireMessage = z.infer<typeof messageSchema>;

/** The same agent, with everything that passes between Muster and it written down. */
export function tapped(profile: AgentProfile, file: string): AgentProfile {
  if (profile.kind !== 'acp') throw new Error(`${profile.id} does not speak ACP`);
  const tap = join(import.meta.dirname, 'tap.mjs');
  return { ...profile, command: process.execPath, args: [tap, file, profile.command, ...profile.args] };
}

export function readWire(file: string): WireMessage[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => messageSchema.parse(JSON.parse(line)));
}
