import type { Socket } from 'node:net';
import { type AppError, appError } from '@contract/errors';
import { SOCKET_LINE_BYTES } from '@contract/limits';
import {
  type FromCore,
  type SocketEndpoint,
  socketHelloSchema,
  socketLineSchema,
} from '@contract/system/host';
import { CLIENT_FAREWELL_MS, CLIENT_GREETS_MS } from '../../limits/core';
import { SOCKET_PAUSE_BYTES, SOCKET_UNREAD_BYTES } from '../../limits/core-sizes';
import type { CoreCalls, Following } from '../core-service';
import { secretEquals } from '../secret-equals';
import { LineReader, line, parseLine } from './lines';

interface ConnectionParts {
  readonly core: CoreCalls;
  readonly endpoint: SocketEndpoint;
  readonly apiAddress: () => string | null;
}
const HELLO_LIMIT = 4_096;
/**
 * Beyond this many calls nothing more is read from the client; beyond the next limit it has stopped reading
 * and is disconnected.
 */
const CALLS_AT_ONCE = 64;

/** A client of the local socket, from its hello to its end. */
export class Connection {
  private readonly reader = new LineReader(HELLO_LIMIT);
  private following: Following | null = null;
  private calls = 0;
  private state: 'new' | 'ready' | 'ended' = 'new';
  private timer: NodeJS.Timeout;

  constructor(
    private readonly socket: Socket,
    private readonly parts: ConnectionParts,
  ) {
    this.timer = setTimeout(() => this.fail('no token came'), CLIENT_GREETS_MS);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('drain', () => this.goOn());
    socket.on('error', () => undefined);
    socket.on('close', () => this.gone());
  }

  /** Reports the HTTP API's new address. */
  tellApi(address: string | null): void {
    if (this.state === 'ready') this.send({ kind: 'api', address });
  }

  /** Sends the error, flushes, and closes. */
  end(error: AppError): void {
    if (this.state === 'ended') return;
    this.send({ kind: 'fatal', error });
    this.gone();
    this.socket.end();
    this.timer = setTimeout(() => this.socket.destroy(), CLIENT_FAREWELL_MS);
    this.timer.unref();
  }

  private gone(): void {
    clearTimeout(this.timer);
    this.state = 'ended';
    this.following?.end();
    this.following = null;
  }

  private fail(message: string): void {
    this.end(appError('input.invalid', message));
  }

  private read(chunk: Buffer): void {
    if (this.state === 'ended') return;
    const lines = this.reader.push(chunk);
    if (lines === null) return this.fail('a line was too long');
    for (const text of lines) if (text !== '') this.take(parseLine(text));
    if (this.state === 'ready' && this.isFull()) this.socket.pause();
  }

  private take(message: unknown): void {
    if (this.state === 'new') return this.greet(message);
    if (this.state === 'ended') return;
    const parsed = socketLineSchema.safeParse(message);
    if (!parsed.success) return this.fail('a line was neither a call nor a subscription');
    if (parsed.data.kind === 'rpc') return void this.answer(parsed.data);
    this.following?.change(parsed.data.topics);
  }

  private greet(message: unknown): void {
    const hello = socketHelloSchema.safeParse(message);
    if (!hello.success || !secretEquals(hello.data.token, this.parts.endpoint.token))
      return this.fail('the token is wrong');
    clearTimeout(this.timer);
    this.state = 'ready';
    this.reader.limit = SOCKET_LINE_BYTES;
    const { pid, version } = this.parts.endpoint;
    this.send({ kind: 'ready', pid, version, apiAddress: this.parts.apiAddress() });
    this.following = this.parts.core.follow([], (pushes) => this.push(pushes));
  }

  private push(pushes: Parameters<Parameters<CoreCalls['follow']>[1]>[0]): void {
    this.send({ kind: 'push', pushes: [...pushes] });
    if (this.socket.writableLength > SOCKET_UNREAD_BYTES) {
      this.end(appError('unavailable', 'the client does not read its messages', { mend: 'connect again' }));
    }
  }

  private async answer({ id, name, input }: { id: number; name: string; input: unknown }): Promise<void> {
    this.calls += 1;
    const given = this.parts.core.call(name, input);
    const reply = given instanceof Promise ? await given : given;
    this.calls -= 1;
    if (this.state !== 'ready') return;
    const text = line({ kind: 'reply', id, reply });
    if (Buffer.byteLength(text) <= SOCKET_LINE_BYTES) this.socket.write(text);
    else
      this.send({
        kind: 'reply',
        id,
        reply: { ok: false, error: appError('unavailable', `the answer to ${name} is too long`) },
      });
    this.goOn();
  }

  private isFull(): boolean {
    return this.calls >= CALLS_AT_ONCE || this.socket.writableLength > SOCKET_PAUSE_BYTES;
  }

  private goOn(): void {
    if (this.socket.isPaused() && !this.isFull()) this.socket.resume();
  }

  private send(message: FromCore): void {
    if (this.socket.writable) this.socket.write(line(message));
  }
}
