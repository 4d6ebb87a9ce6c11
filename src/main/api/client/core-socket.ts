import { connect, type Socket } from 'node:net';
import { SOCKET_LINE_BYTES } from '@contract/limits';
import type { SocketEndpoint, SocketLine } from '@contract/system/host';
import { LineReader, line, parseLine } from '../socket/lines';

/** Why a connection ended, where the other side did not end it. */
export type SocketTrouble =
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'unreadable'; readonly line: string };

export interface CoreSocketListener {
  /** A message of the core. It was written by another process: the listener parses it. */
  message(raw: unknown): void;
  /** Called once, and always. */
  closed(trouble: SocketTrouble | null): void;
}

/** A connection to the local socket of a core: the token first, then one JSON line for each message. */
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

  /** Lets what was sent go out first. */
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
