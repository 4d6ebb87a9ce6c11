import { connect, type Socket } from 'node:net';
import { SOCKET_LINE_BYTES } from '@contract/limits';
import type { SocketEndpoint, SocketLine } from '@contract/system/host';
import { LineReader, line, parseLine } from '../socket/lines';

/** Why a connection ended, if the other side did not close it. */
export type SocketTrouble =
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'unreadable'; readonly line: string };

interface CoreSocketListener {
  /** A message of the core. Another process wrote it: the listener validates it. */
  message(raw: unknown): void;
  /** Always called, exactly once. */
  closed(trouble: SocketTrouble | null): void;
}

/** A connection to a core's local socket: first the token, then one JSON line per message. */
export class CoreSocket {
  readonly #socket: Socket;
  readonly #lines = new LineReader(SOCKET_LINE_BYTES);
  #trouble: SocketTrouble | null = null;

  constructor(
    endpoint: SocketEndpoint,
    private readonly listener: CoreSocketListener,
  ) {
    this.#socket = connect(endpoint.path);
    this.#socket.write(line({ token: endpoint.token }));
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', ({ message }) => this.#fail({ kind: 'error', message }));
    this.#socket.on('close', () => listener.closed(this.#trouble));
  }

  send(message: SocketLine): void {
    if (!this.#socket.destroyed) this.#socket.write(line(message));
  }

  /** Flushes what was sent first. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const complete = this.#lines.push(chunk);
    for (const text of complete ?? []) {
      if (this.#socket.destroyed) return;
      const message = parseLine(text);
      if (message === undefined) return this.#fail({ kind: 'unreadable', line: 'a line that is not JSON' });
      this.listener.message(message);
    }
    if (complete === null) this.#fail({ kind: 'unreadable', line: 'a line that is too long' });
  }

  #fail(trouble: SocketTrouble): void {
    this.#trouble ??= trouble;
    this.#socket.destroy();
  }
}
