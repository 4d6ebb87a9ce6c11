/**
 * Bridges a session's tools to standard streams, for agents that start MCP servers as programs: each input
 * line is posted to Muster's server, and the answer is written as a line.
 */
import { createInterface } from 'node:readline';
import { messageOf } from '@contract/error-message';

const url = process.env.MUSTER_MCP_URL ?? '';
const token = process.env.MUSTER_MCP_TOKEN ?? '';

const idOf = (line: string): string | number | null => {
  try {
    const { id } = JSON.parse(line) as { id?: string | number };
    return id ?? null;
  } catch {
    return null;
  }
};

async function carry(line: string): Promise<void> {
  const id = idOf(line);
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: line,
    });
    const text = (await reply.text()).trim();
    if (text !== '' && id !== null) process.stdout.write(`${text}\n`);
  } catch (error) {
    if (id === null) return;
    const message = `Muster cannot be reached: ${messageOf(error)}`;
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } })}\n`);
  }
}

const pending = new Set<Promise<void>>();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  if (line.trim() === '') return;
  const one = carry(line).finally(() => pending.delete(one));
  pending.add(one);
});
lines.on('close', () => void Promise.all(pending).then(() => process.exit(0)));
