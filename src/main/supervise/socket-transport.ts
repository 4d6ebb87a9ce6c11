import { readFileSync } from 'node:fs';
import { type SocketEndpoint, socketEndpointSchema, socketLineSchema } from '@contract/system/host';
import { CoreSocket, type SocketTrouble } from '../api/client/core-socket';
import type { Transport } from './transport';

/**
 * Another program's core, over its local socket. Messages that only a core's host may send (secrets,
 * shutdown, the terminals' channel) are not sent.
 */
export function attach(endpointFile: string): Transport {
  const messages: ((raw: unknown) => void)[] = [];
  const closes: ((why: string) => void)[] = [];
  const closed = (why: string): void => {
    // Deferred, so that the caller has its listeners in place.
    setImmediate(() => {
      for (const listener of closes) listener(why);
    });
  };
  const endpoint = readEndpoint(endpointFile);
  if (typeof endpoint === 'string') closed(endpoint);
  const socket =
    typeof endpoint === 'string'
      ? null
      : new CoreSocket(endpoint, {
          message: (raw) => {
            for (const listener of messages) listener(raw);
          },
          closed: (trouble) => closed(reasonOf(trouble)),
        });
  return {
    pid: typeof endpoint === 'string' ? null : endpoint.pid,
    post: (message) => {
      const parsed = socketLineSchema.safeParse(message);
      if (parsed.success) socket?.send(parsed.data);
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
    return 'Another Muster uses the database, and has no socket to connect to.';
  }
}

function reasonOf(trouble: SocketTrouble | null): string {
  switch (trouble?.kind) {
    case undefined:
      return 'The core that held the database has ended.';
    case 'error':
      return `The core that holds the database cannot be reached: ${trouble.message}`;
    case 'unreadable':
      return `The other core sent ${trouble.line}`;
  }
}
