import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { SOCKET_LINE_BYTES } from '@contract/limits';
import { type SocketEndpoint, socketEndpointSchema, socketLineSchema } from '@contract/system/host';
import { LineReader, line, parseLine } from '../api/socket/lines';
import type { Transport } from './transport';

/**
 * The core that another program hosts, over its local socket: the same messages as JSON lines, after a line with the
 * token. What only the host of a core may say (secrets, shutdown, the terminals' channel) is not sent.
 */
export function attach(endpointFile: string): Transport {
  const messages: ((raw: unknown) => void)[] = [];
  let ended: string | null = null;
  const closes: ((why: string) => void)[] = [];
  const end = (why: string): void => {
    if (ended !== null) return;
    ended = why;
    // Later, so that the caller has its listeners in place.
    setImmediate(() => {
      for (const listener of closes) listener(why);
    });
  };
  const tell = (raw: unknown): void => {
    for (const listener of messages) listener(raw);
  };
  const endpoint = readEndpoint(endpointFile);
  const socket = typeof endpoint === 'string' ? null : open(endpoint, tell, end);
  if (typeof endpoint === 'string') end(endpoint);
  return {
    pid: typeof endpoint === 'string' ? null : endpoint.pid,
    post: (message) => {
      const parsed = socketLineSchema.safeParse(message);
      if (parsed.success) socket?.write(line(parsed.data));
    },
    onMessage: (listener) => void messages.push(listener),
    onClose: (listener) => void closes.push(listener),
    kill: () => socket?.destroy(),
  };
}

function readEndpoint(file: string): SocketEndpoint | string {
  try {
    const parsed = socketEndpointSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : `${file} cannot be read: ${parsed.error.message}`;
  } catch {
    return 'Another Muster holds the database, and it has no socket to attach to.';
  }
}

function open(endpoint: SocketEndpoint, tell: (raw: unknown) => void, end: (why: string) => void): Socket {
  const socket = connect(endpoint.path);
  const lines = new LineReader(SOCKET_LINE_BYTES);
  let trouble: string | null = null;
  const giveUp = (why: string): void => {
    trouble = why;
    socket.destroy();
  };
  socket.write(line({ token: endpoint.token }));
  socket.on('data', (chunk) => {
    const complete = lines.push(chunk);
    if (complete === null) return giveUp('the other core sent a line that is too long');
    for (const text of complete) {
      const message = parseLine(text);
      if (message === undefined) return giveUp('the other core sent a line that is not JSON');
      tell(message);
    }
  });
  socket.on('error', (error) =>
    giveUp(`the core that holds the database cannot be reached: ${error.message}`),
  );
  socket.on('close', () => end(trouble ?? 'the core that held the database has ended'));
  return socket;
}
