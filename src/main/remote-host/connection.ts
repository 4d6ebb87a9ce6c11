import type { Socket } from 'node:net';
import {
  CHANGING,
  type FromHost,
  HOST_PREAMBLE,
  HOST_PROTOCOL,
  type HostInput,
  type HostMethod,
  hostMethods,
  type ToHost,
  toHostSchema,
} from '@areas/hosts/contract/wire';
import { FrameReader, frameOf } from '@areas/hosts/node/frames';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { z } from 'zod';
import type { Desktop } from './desktop';

interface HostParts {
  readonly version: string;
  readonly bootId: string;
  desktop(uid: string): Desktop;
  readonly answers: {
    stats(input: HostInput<'stats'>): Promise<Result<unknown>>;
    agents(input: HostInput<'agents'>): Promise<Result<unknown>>;
  };
}

const requestSchema = z.object({ kind: z.literal('request'), id: z.number().int() });

/** A message that is not understood ends the connection: what follows it cannot be trusted. */
class Refused extends Error {}

/** One desktop's connection: hello first, then requests and streams. */
export class HostConnection {
  readonly #reader = new FrameReader();
  #desktop: Desktop | null = null;

  constructor(
    private readonly socket: Socket,
    private readonly parts: HostParts,
  ) {
    socket.write(HOST_PREAMBLE);
    socket.on('data', (chunk) => this.#push(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#desktop?.left(this.#send));
  }

  readonly #send = (message: FromHost): void => {
    if (this.socket.writable) this.socket.write(frameOf(message));
  };

  #push(chunk: Buffer): void {
    const read = this.#reader.push(chunk);
    try {
      if (!read.ok) throw new Refused(read.error.message);
      for (const raw of read.value) {
        const message = toHostSchema.safeParse(raw);
        if (message.success) this.#take(message.data);
        else this.#unread(raw);
      }
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      this.#send({ kind: 'refused', error: appError('host.protocol', cause.message) });
      this.socket.end();
    }
  }

  /** A request of a newer desktop is answered; anything else that is not understood ends the connection. */
  #unread(raw: unknown): void {
    const request = requestSchema.safeParse(raw);
    if (!request.success) throw new Refused('The desktop sent a message that this host does not know.');
    const { id } = request.data;
    const error = appError('host.protocol', 'This host does not know the request.', {
      mend: 'Update Muster there: muster hosts test',
    });
    this.#send({ kind: 'response', id, result: { ok: false, error } });
  }

  #take(message: ToHost): void {
    if (message.kind === 'hello') return this.#greet(message);
    const desktop = this.#desktop;
    if (desktop === null) throw new Refused('The desktop did not say hello.');
    switch (message.kind) {
      case 'request':
        void this.#answer(desktop, message);
        return;
      case 'taken':
        return desktop.taken(message.key);
      case 'in':
        return desktop.streams.get(message.stream)?.write(message.n, message.text);
      case 'acked':
        return desktop.streams.get(message.stream)?.acknowledge(message.n);
      case 'attach':
        return desktop.streams.get(message.stream)?.attach(message.after, this.#send);
    }
  }

  #greet({ protocol, core }: Extract<ToHost, { kind: 'hello' }>): void {
    if (protocol !== HOST_PROTOCOL)
      throw new Refused(`The desktop speaks protocol ${protocol}, this host ${HOST_PROTOCOL}.`);
    if (!/^[A-Za-z0-9-]{1,64}$/.test(core.uid)) throw new Refused('The desktop has no valid name.');
    const desktop = this.parts.desktop(core.uid);
    const joined = desktop.join(core.epoch, { send: this.#send, leave: () => this.socket.end() });
    if (!joined.ok) {
      this.#send({ kind: 'refused', error: joined.error });
      this.socket.end();
      return;
    }
    this.#desktop = desktop;
    this.#send({
      kind: 'hello',
      protocol: HOST_PROTOCOL,
      version: this.parts.version,
      bootId: this.parts.bootId,
      node: process.versions.node,
      streams: [...desktop.streams.values()].map(({ id, taken }) => ({ id, taken })),
    });
  }

  async #answer(desktop: Desktop, request: Extract<ToHost, { kind: 'request' }>): Promise<void> {
    const { id, key, method } = request;
    const work = () => this.#do(desktop, request);
    const result = CHANGING.has(method) && key !== null ? await desktop.once(key, work) : await work();
    this.#send({ kind: 'response', id, result });
  }

  async #do(
    desktop: Desktop,
    { method, params }: Extract<ToHost, { kind: 'request' }>,
  ): Promise<Result<unknown>> {
    const input = hostMethods[method].input.safeParse(params);
    if (!input.success) return fail('host.protocol', `The request ${method} is malformed.`);
    try {
      return await this.#act(desktop, method, input.data);
    } catch (cause) {
      return err(appError('internal', `${method} failed on the host: ${String(cause)}`));
    }
  }

  #act(desktop: Desktop, method: HostMethod, input: unknown): Promise<Result<unknown>> {
    switch (method) {
      case 'process.start':
        return desktop.start(hostMethods[method].input.parse(input), this.#send);
      case 'process.end':
        return desktop.end(hostMethods[method].input.parse(input));
      case 'process.forget':
        desktop.streams.delete(hostMethods[method].input.parse(input).stream);
        return Promise.resolve(ok({}));
      case 'workspace.open':
        return desktop.workspaces.open(hostMethods[method].input.parse(input));
      case 'workspace.put':
        return desktop.put(hostMethods[method].input.parse(input));
      case 'workspace.take':
        return desktop.workspaces.take(hostMethods[method].input.parse(input));
      case 'workspace.clean':
        return desktop.workspaces.clean(hostMethods[method].input.parse(input));
      case 'files.write':
        return desktop.workspaces.write(hostMethods[method].input.parse(input));
      case 'stats':
        return this.parts.answers.stats({});
      case 'agents':
        return this.parts.answers.agents(hostMethods[method].input.parse(input));
    }
  }
}
