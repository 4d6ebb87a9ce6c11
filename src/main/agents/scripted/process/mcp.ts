import type { McpServer } from '@agentclientprotocol/sdk';
import { z } from 'zod';

/** An MCP server with an HTTP address. */
export interface McpAddress {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const httpServers = (servers: readonly McpServer[]): McpAddress[] =>
  servers.flatMap((server) =>
    'url' in server && 'type' in server && server.type === 'http'
      ? [
          {
            name: server.name,
            url: server.url,
            headers: Object.fromEntries(server.headers.map(({ name, value }) => [name, value])),
          },
        ]
      : [],
  );

const replySchema = z.object({
  result: z
    .object({
      content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
      isError: z.boolean().optional(),
    })
    .optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Calls a server's tool; an error result is thrown. */
export async function callTool(
  server: McpAddress,
  { name, input, signal }: { name: string; input: Record<string, unknown>; signal: AbortSignal },
): Promise<string> {
  const reply = await fetch(server.url, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...server.headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const { result, error } = replySchema.parse(await reply.json());
  if (error !== undefined) throw new Error(error.message);
  const text = (result?.content ?? []).map((part) => part.text ?? '').join('\n');
  if (result?.isError === true) throw new Error(text);
  return text;
}
