import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { PtyClient } from '../../src/main/adapters/pty-client/client';

const AGAIN_MS = 50;

/** Keeps a core connected to the terminal process that listens there. */
export function keepConnected(client: PtyClient, socketPath: string): void {
  const socket: Socket = connect(socketPath);
  socket.on('error', () => undefined);
  socket.once('connect', () => {
    const lines = createInterface({ input: socket });
    lines.on('error', () => undefined);
    client.connect({
      post: (message) => void (socket.writable && socket.write(`${JSON.stringify(message)}\n`)),
      onMessage: (listener) => void lines.on('line', (line) => listener(JSON.parse(line))),
      onClose: (listener) => void socket.once('close', listener),
    });
  });
  socket.once('close', () => setTimeout(() => keepConnected(client, socketPath), AGAIN_MS).unref());
}
