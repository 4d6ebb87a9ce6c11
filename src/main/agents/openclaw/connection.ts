import { randomUUID } from 'node:crypto';
import { messageOf } from '@contract/error-message';
import { err, ok, type Result } from '@contract/result';
import type { z } from 'zod';
import type { Clock } from '../../core/ports/ports';
import { GATEWAY_TICK_MS } from '../../limits/core';
import { proofOf } from './device';
import type { OpenclawLimits } from './limits';
import type { Credentials, GatewayPlace } from './place';
import { away, noGateway, type Refusal, refused, SCOPES, unreached, useless } from './refusal';
import { type FrameSocket, openSocket } from './socket';
import {
  type Challenge,
  challengeSchema,
  type ErrorShape,
  type Frame,
  type Hello,
  helloSchema,
  PROTOCOL,
} from './wire';

/** The result of a request. `lost`: it is unknown whether the gateway executed it. */
export type Reply<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly error: ErrorShape }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'garbled'; readonly why: string };

export interface ConnectionListener {
  event(name: string, payload: unknown): void;
  /** Called once, after the hello. */
  lost(why: string): void;
}

interface ConnectionParts {
  readonly place: GatewayPlace;
  readonly clock: Clock;
  readonly limits: OpenclawLimits;
  readonly listener: ConnectionListener;
}

type Res = Extract<Frame, { type: 'res' }>;
/** Receives the responses to one request until it returns that it needs no more. */
type Waiting = (answer: Res | { readonly lost: string }) => 'more' | 'done';

const CLIENT = { id: 'gateway-client', displayName: 'Muster', version: '0.1.0', mode: 'backend' } as const;
const ROLE = 'operator';
/** A gateway silent for this many of its own ticks counts as gone. */
const MISSED_TICKS = 2.5;

/** One socket to a gateway, from its hello to its end. It is never reconnected: a new one is opened. */
export class Connection {
  readonly #waiting = new Map<string, Waiting>();
  readonly #socket: FrameSocket;
  #hello: Hello | null = null;
  #ended: string | null = null;
  #garbage = 0;
  #lastHeard: number;
  #cancelWatch: () => void = () => {};

  /** Connects and performs the handshake. */
  static async open(parts: ConnectionParts): Promise<Result<Connection, Refusal>> {
    const credentials = parts.place.credentials();
    if (!credentials.ok) return err({ error: credentials.error, again: 'never', afterMs: null });
    let greeted: (greeting: Result<Hello, Refusal>) => void = () => {};
    const greeting = new Promise<Result<Hello, Refusal>>((resolve) => {
      greeted = resolve;
    });
    const connection = new Connection(parts, credentials.value, greeted);
    const { clock, limits, place } = parts;
    const cancel = clock.at(clock.now() + limits.connectMs, () =>
      greeted(err(away(place, `no hello within ${limits.connectMs / 1000} s`))),
    );
    const hello = await greeting;
    cancel();
    const no = hello.ok ? useless(place, hello.value) : hello.error;
    if (hello.ok && no === null) {
      connection.#watch(hello.value);
      return ok(connection);
    }
    connection.end();
    return err(no ?? away(place, 'it said nothing'));
  }

  private constructor(
    private readonly parts: ConnectionParts,
    credentials: Credentials,
    private readonly greeted: (greeting: Result<Hello, Refusal>) => void,
  ) {
    this.#lastHeard = parts.clock.now();
    this.#socket = openSocket(parts.place.address, parts.limits, {
      frame: (frame) => this.#hear(frame, credentials),
      garbage: () => this.#hearGarbage(),
      closed: (cause) => this.#close(cause),
    });
  }

  /** The gateway's description of itself. */
  get hello(): Hello {
    if (this.#hello === null) throw new Error('the gateway has not said hello');
    return this.#hello;
  }

  get open(): boolean {
    return this.#ended === null;
  }

  /** Sends a request and awaits its single response; `lost` if none came within `withinMs`. */
  request<S extends z.ZodType>(
    method: string,
    params: object,
    { schema, withinMs = this.parts.limits.answerMs }: { schema: S; withinMs?: number },
  ): Promise<Reply<z.infer<S>>> {
    const { clock } = this.parts;
    return new Promise((resolve) => {
      let late: () => void = () => {};
      const forget = this.send(method, params, (answer) => {
        late();
        resolve(readReply(answer, schema));
        return 'done';
      });
      if (this.#ended !== null) return;
      late = clock.at(clock.now() + withinMs, () => {
        forget();
        resolve({ kind: 'lost', why: `no answer to ${method} within ${withinMs / 1000} s` });
      });
    });
  }

  /** Sends a request with several responses. The result stops listening, not the gateway's work. */
  send(method: string, params: object, hear: Waiting): () => void {
    const id = randomUUID();
    if (this.#ended !== null) {
      hear({ lost: this.#ended });
      return () => {};
    }
    this.#waiting.set(id, hear);
    this.#socket.send({ type: 'req', id, method, params });
    return () => this.#waiting.delete(id);
  }

  /** Closes the socket. Pending requests are reported as lost. */
  end(): void {
    this.#close('Muster closed it');
    this.#socket.end();
  }

  #hear(frame: Frame, credentials: Credentials): void {
    this.#garbage = 0;
    this.#lastHeard = this.parts.clock.now();
    if (frame.type === 'res') {
      const hear = this.#waiting.get(frame.id);
      if (hear?.(frame) === 'done') this.#waiting.delete(frame.id);
      return;
    }
    if (frame.event === 'connect.challenge') {
      if (this.#hello === null) this.#answer(frame.payload, credentials);
      return;
    }
    if (this.#hello !== null) this.parts.listener.event(frame.event, frame.payload);
  }

  #answer(payload: unknown, credentials: Credentials): void {
    const { place } = this.parts;
    const challenge = challengeSchema.safeParse(payload);
    if (!challenge.success) return this.greeted(err(noGateway(place, 'its challenge is unreadable')));
    this.send('connect', connectParams(challenge.data, credentials), (answer) => {
      if ('lost' in answer) return 'done';
      if (!answer.ok) {
        this.greeted(err(refused(place, answer.error ?? { code: 'UNKNOWN', message: 'it gave no reason' })));
        return 'done';
      }
      const hello = helloSchema.safeParse(answer.payload);
      if (!hello.success) {
        this.greeted(err(noGateway(place, 'its hello is unreadable')));
        return 'done';
      }
      this.#hello = hello.data;
      this.greeted(ok(hello.data));
      return 'done';
    });
  }

  #hearGarbage(): void {
    this.#garbage += 1;
    const { place, limits } = this.parts;
    if (this.#hello === null) this.greeted(err(noGateway(place, 'it sent an invalid frame')));
    else if (this.#garbage >= limits.mostGarbage) {
      this.#close('it repeatedly sent invalid frames');
      this.#socket.end();
    }
  }

  #close(cause: unknown): void {
    if (this.#ended !== null) return;
    const why = messageOf(cause);
    this.#ended = why;
    this.#cancelWatch();
    for (const hear of [...this.#waiting.values()]) hear({ lost: why });
    this.#waiting.clear();
    this.greeted(err(unreached(this.parts.place, cause)));
    if (this.#hello !== null) this.parts.listener.lost(why);
  }

  /** A machine that disappeared sends nothing, while its socket stays open. */
  #watch(hello: Hello): void {
    const limit = (hello.policy.tickIntervalMs ?? GATEWAY_TICK_MS) * MISSED_TICKS;
    const { clock } = this.parts;
    const look = (): void => {
      const due = this.#lastHeard + limit;
      if (clock.now() < due) {
        this.#cancelWatch = clock.at(due, look);
        return;
      }
      this.#close(`the gateway did not respond for ${Math.round(limit / 1000)} s`);
      this.#socket.end();
    };
    if (this.#ended === null) this.#cancelWatch = clock.at(this.#lastHeard + limit, look);
  }
}

function readReply<S extends z.ZodType>(
  answer: Res | { readonly lost: string },
  schema: S,
): Reply<z.infer<S>> {
  if ('lost' in answer) return { kind: 'lost', why: answer.lost };
  if (!answer.ok) {
    return { kind: 'refused', error: answer.error ?? { code: 'UNKNOWN', message: 'it gave no reason' } };
  }
  const parsed = schema.safeParse(answer.payload);
  if (parsed.success) return { kind: 'answer', value: parsed.data };
  return { kind: 'garbled', why: parsed.error.issues[0]?.message ?? 'it cannot be read' };
}

function connectParams(challenge: Challenge, { token, device }: Credentials): object {
  const client = { ...CLIENT, platform: process.platform };
  const scopes = [...SCOPES];
  const signed = {
    clientId: CLIENT.id,
    mode: CLIENT.mode,
    role: ROLE,
    scopes,
    platform: client.platform,
    token,
  };
  return {
    minProtocol: PROTOCOL,
    maxProtocol: PROTOCOL,
    client,
    role: ROLE,
    scopes,
    caps: ['tool-events'],
    ...(token === null ? {} : { auth: { token } }),
    ...(device === null ? {} : { device: proofOf(device, challenge, signed) }),
  };
}
