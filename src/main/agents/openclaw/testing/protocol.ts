import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '@contract/own';
import { z } from 'zod';

/** An excerpt of the published schema: the parts that Muster and the fake gateway use. */
const excerptSchema = z.object({ definitions: z.record(z.string(), z.record(z.string(), z.unknown())) });

export const readDefinitions = (file: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> =>
  excerptSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).definitions;

export const excerptFile = join(import.meta.dirname, '..', '__captures__', 'protocol.json');

const checks = new Map(
  Object.entries(readDefinitions(excerptFile)).map(([name, definition]) => [
    name,
    z.fromJSONSchema(definition),
  ]),
);

/** How `value` violates the published schema; null if it does not. */
function faultOf(name: string, value: unknown): string | null {
  const check = checks.get(name);
  if (check === undefined) throw new Error(`the excerpt has no ${name}`);
  const parsed = check.safeParse(value);
  return parsed.success ? null : `${name}: ${z.prettifyError(parsed.error)}\n${JSON.stringify(value)}`;
}

const PARAMS: Readonly<Record<string, string>> = {
  connect: 'ConnectParams',
  agent: 'AgentParams',
  'agent.wait': 'AgentWaitParams',
  'chat.abort': 'ChatAbortParams',
  'chat.history': 'ChatHistoryParams',
  'sessions.describe': 'SessionsDescribeParams',
};

/** For a request of Muster's. A method missing in the excerpt is a violation too. */
export function requestFault(frame: { readonly method: string; readonly params?: unknown }): string | null {
  const name = ownValue(PARAMS, frame.method);
  if (name === undefined) return `no such method in the excerpt: ${frame.method}`;
  return faultOf('RequestFrame', frame) ?? faultOf(name, frame.params);
}

/** Additional fields observed in each `agent` event of openclaw 2026.9.6. */
const SEEN_BESIDE = new Set(['sessionKey', 'sessionId', 'agentId', 'session']);

/** For a frame that the fake gateway is about to send. */
export function frameFault(frame: {
  readonly type: string;
  readonly event?: string;
  readonly payload?: unknown;
}) {
  if (frame.type === 'res') return faultOf('ResponseFrame', frame);
  const fault = faultOf('EventFrame', frame);
  if (fault !== null) return fault;
  if (frame.event === 'chat') return faultOf('ChatEvent', frame.payload);
  if (frame.event === 'tick') return faultOf('TickEvent', frame.payload);
  if (frame.event !== 'agent') return null;
  const fields = Object.entries(frame.payload ?? {}).filter(([name]) => !SEEN_BESIDE.has(name));
  return faultOf('AgentEvent', Object.fromEntries(fields));
}
