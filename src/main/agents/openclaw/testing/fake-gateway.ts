/** A gateway on loopback that speaks OpenClaw's protocol over a real socket, with configurable faults. */
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Plan } from './plan';
import { frameFault, requestFault } from './protocol';
import { FakeRun, type Owner, type Row } from './runs';

export interface FakeOptions {
  readonly token?: string | undefined;
  /** Number of connections to refuse as still starting. */
  starting?: number;
  readonly scopes?: readonly string[];
  readonly protocol?: number;
  /** Refuses each connection this way. */
  refuse?: { readonly code: string; readonly message: string; readonly details?: object };
  readonly tickMs?: number;
  readonly maxPayload?: number;
  /** Closes the sockets at each turn, before it starts. */
  readonly dropsTurns?: boolean;
  /** Number of turns that start over a socket which closes before acknowledging them. */
  loseAcks?: number;
  readonly plan?: (message: string) => Plan;
  /** Sends these texts instead of a challenge. */
  readonly babble?: readonly string[];
}

const requestSchema = z.object({
  type: z.literal('req'),
  id: z.string(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});
type Request = z.infer<typeof requestSchema>;

const deviceSchema = z.object({
  id: z.string(),
  publicKey: z.string(),
  signature: z.string(),
  signedAt: z.number(),
  nonce: z.string(),
});

interface Client {
  readonly socket: WebSocket;
  readonly owner: { connection: number; device: string | null };
  readonly nonce: string;
  greeted: boolean;
}

type Answer =
  | { readonly payload: unknown }
  | { readonly error: { code: string; message: string; details?: object } };

const MAIN = 'agent:main:main';
const CHALLENGE_TS = 1_795_000_000_000;

export class FakeGateway {
  readonly requests: Request[] = [];
  readonly runs = new Map<string, FakeRun>();
  readonly transcripts = new Map<string, Row[]>();
  /** Violations of the published schema, sent or received. */
  readonly faults: string[] = [];
  /** How often each run was actually started. */
  readonly begun: string[] = [];
  plan: (message: string) => Plan;
  readonly #clients = new Set<Client>();
  #server: WebSocketServer | null = null;
  #boot = randomUUID();
  #connections = 0;
  #port = 0;

  constructor(readonly options: FakeOptions = {}) {
    this.plan = options.plan ?? ((message) => ({ steps: [{ say: `You said: ${message}` }] }));
  }

  static async start(options: FakeOptions = {}): Promise<FakeGateway> {
    const gateway = new FakeGateway(options);
    await gateway.listen();
    return gateway;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  get connections(): number {
    return this.#connections;
  }

  listen(): Promise<void> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: this.#port, perMessageDeflate: false });
    this.#server = server;
    server.on('connection', (socket) => this.#welcome(socket));
    return new Promise((listening, failed) => {
      server.once('error', failed);
      server.once('listening', () => {
        this.#port = (server.address() as AddressInfo).port;
        listening();
      });
    });
  }

  /** Closes all sockets; runs continue. */
  drop(): void {
    for (const { socket } of this.#clients) socket.terminate();
    this.#clients.clear();
  }

  /** Stops listening; `listen` starts it again. */
  async close(): Promise<void> {
    this.drop();
    await new Promise<void>((closed) => {
      if (this.#server === null) closed();
      else this.#server.close(() => closed());
    });
  }

  /** What a real process loses at its end: runs and idempotency keys. Transcripts stay. */
  async restart(): Promise<void> {
    await this.close();
    for (const run of this.runs.values()) run.forget();
    this.runs.clear();
    this.#boot = randomUUID();
    await this.listen();
  }

  /** Sends raw text to all, valid or not. */
  raw(text: string): void {
    for (const { socket } of this.#clients) socket.send(text);
  }

  event(event: string, payload: unknown): void {
    for (const { socket, greeted } of this.#clients) {
      if (greeted) this.#send(socket, { type: 'event', event, payload });
    }
  }

  #welcome(socket: WebSocket): void {
    this.#connections += 1;
    const owner = { connection: this.#connections, device: null };
    const client: Client = { socket, owner, nonce: randomUUID(), greeted: false };
    this.#clients.add(client);
    socket.on('close', () => this.#clients.delete(client));
    socket.on('message', (data) => this.#hear(client, String(data)));
    const { babble } = this.options;
    if (babble !== undefined) {
      for (const text of babble) socket.send(text);
      return;
    }
    const payload = { nonce: client.nonce, ts: CHALLENGE_TS };
    this.#send(socket, { type: 'event', event: 'connect.challenge', payload });
  }

  #hear(client: Client, text: string): void {
    const request = requestSchema.parse(JSON.parse(text));
    const fault = requestFault(request);
    if (fault !== null) this.faults.push(fault);
    this.requests.push(request);
    if (!client.greeted) return this.#greet(client, request);
    if (request.method === 'agent' && this.options.dropsTurns === true) return this.drop();
    if (request.method === 'agent') return this.#begin(client, request);
    void this.#answer(client, request).then((answer) => this.#reply(client, request.id, answer));
  }

  #reply({ socket }: Client, id: string, answer: Answer): void {
    if ('error' in answer) this.#send(socket, { type: 'res', id, ok: false, error: answer.error });
    else this.#send(socket, { type: 'res', id, ok: true, payload: answer.payload });
  }

  #greet(client: Client, { id, params }: Request): void {
    const refusal = this.#refusal(client, params);
    if (refusal === null) {
      client.greeted = true;
      return this.#reply(client, id, { payload: this.#hello(client) });
    }
    this.#reply(client, id, { error: refusal });
    client.socket.close(1008, 'refused');
  }

  #refusal(client: Client, params: Request['params']): Extract<Answer, { error: unknown }>['error'] | null {
    const { options } = this;
    if (options.refuse !== undefined) return options.refuse;
    if ((options.starting ?? 0) > 0) {
      options.starting = (options.starting ?? 0) - 1;
      const details = { reason: 'startup-sidecars' };
      return Object.assign(
        { code: 'UNAVAILABLE', message: 'gateway starting; retry shortly', details },
        {
          retryable: true,
          retryAfterMs: 5,
        },
      );
    }
    const token = z.object({ token: z.string() }).safeParse(params.auth);
    if (options.token !== undefined && token.data?.token !== options.token) {
      const details = { code: 'AUTH_TOKEN_MISMATCH' };
      return { code: 'INVALID_REQUEST', message: 'unauthorized: gateway token mismatch', details };
    }
    if (params.device === undefined) return null;
    client.owner.device = provenDevice(params, client.nonce);
    const bad = { code: 'INVALID_REQUEST', message: 'device signature invalid' };
    return client.owner.device === null
      ? { ...bad, details: { code: 'DEVICE_AUTH_SIGNATURE_INVALID' } }
      : null;
  }

  #hello(client: Client): object {
    const { protocol = 4, scopes = ['operator.read', 'operator.write'], tickMs = 30_000 } = this.options;
    const hello = {
      type: 'hello-ok',
      protocol,
      server: { version: '2026.9.6', bootId: this.#boot, connId: String(client.owner.connection) },
      features: { methods: ['agent', 'agent.wait'], events: ['agent', 'chat', 'tick'] },
      snapshot: {
        presence: [],
        health: {},
        stateVersion: { presence: 0, health: 0 },
        uptimeMs: 1,
        sessionDefaults: { defaultAgentId: 'main', mainKey: 'main', mainSessionKey: MAIN },
      },
      auth: { method: 'token', role: 'operator', scopes: [...scopes] },
      policy: {
        maxPayload: this.options.maxPayload ?? 26_214_400,
        maxBufferedBytes: 52_428_800,
        tickIntervalMs: tickMs,
      },
    };
    return hello;
  }

  #begin(client: Client, { id, params }: Request): void {
    const {
      message,
      idempotencyKey: runId,
      sessionKey,
      inputProvenance: provenance,
    } = agentSchema.parse(params);
    const known = this.runs.get(runId);
    const accepted = { runId, sessionKey, agentId: 'main', status: 'accepted', acceptedAt: CHALLENGE_TS };
    if (known !== undefined) {
      const payload = known.final ?? { ...accepted, status: 'in_flight' };
      return this.#reply(client, id, { payload });
    }
    const rows = this.transcripts.get(sessionKey) ?? [];
    this.transcripts.set(sessionKey, rows);
    rows.push({ role: 'user', content: message, idempotencyKey: `${runId}:user`, provenance });
    this.begun.push(runId);
    const plan = this.plan(message);
    const run = new FakeRun({
      runId,
      sessionKey,
      owner: client.owner,
      plan,
      rows,
      emit: ({ event, payload }) => this.event(event, payload),
      drop: () => this.drop(),
    });
    this.runs.set(runId, run);
    if ((this.options.loseAcks ?? 0) > 0) {
      this.options.loseAcks = (this.options.loseAcks ?? 0) - 1;
      this.drop();
    }
    this.#reply(client, id, { payload: accepted });
    void run.done.then(() => {
      if (plan.mute === true) return;
      const { fail } = plan;
      const frame = { type: 'res', id, payload: run.final };
      const error = { code: 'UNAVAILABLE', message: fail?.message ?? '' };
      this.#send(client.socket, fail === undefined ? { ...frame, ok: true } : { ...frame, ok: false, error });
    });
    void run.play();
  }

  async #answer(client: Client, { method, params }: Request): Promise<Answer> {
    const { runId = '', timeoutMs = 0, sessionKey = '', key = '' } = queriesSchema.parse(params);
    const run = this.runs.get(runId);
    switch (method) {
      case 'agent.wait':
        await Promise.race([run?.done, new Promise((late) => setTimeout(late, timeoutMs).unref())]);
        return { payload: run?.wait ?? { runId, status: 'timeout' } };
      case 'chat.abort':
        return abort(run, client.owner);
      case 'chat.history': {
        const flying = [...this.runs.values()].find(
          (one) => one.parts.sessionKey === sessionKey && !one.final,
        );
        const inFlightRun = flying && { runId: flying.parts.runId, text: flying.text };
        return { payload: { sessionKey, messages: this.transcripts.get(sessionKey) ?? [], inFlightRun } };
      }
      case 'sessions.describe':
        return { payload: { session: this.transcripts.has(key) ? { key } : null } };
      default:
        return { error: { code: 'INVALID_REQUEST', message: `unknown method: ${method}` } };
    }
  }

  #send(socket: WebSocket, frame: SentFrame): void {
    const fault = frameFault(frame);
    if (fault !== null) this.faults.push(fault);
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  }
}

interface SentFrame {
  readonly type: string;
  readonly event?: string;
  readonly payload?: unknown;
  readonly [more: string]: unknown;
}

const agentSchema = z.object({
  message: z.string(),
  idempotencyKey: z.string(),
  sessionKey: z.string(),
  inputProvenance: z.unknown(),
});

const queriesSchema = z.object({
  runId: z.string().optional(),
  timeoutMs: z.number().optional(),
  sessionKey: z.string().optional(),
  key: z.string().optional(),
});

/** Only the connection or device that started a run may end it. */
function abort(run: FakeRun | undefined, by: Owner): Answer {
  if (run === undefined || run.final !== null) return { payload: { ok: true, aborted: false, runIds: [] } };
  const { connection, device } = run.parts.owner;
  if (connection !== by.connection && (device === null || device !== by.device)) {
    return { error: { code: 'INVALID_REQUEST', message: 'unauthorized' } };
  }
  run.abort();
  return { payload: { ok: true, aborted: true, runIds: [run.parts.runId] } };
}

const signedSchema = z.object({
  client: z.object({ id: z.string(), mode: z.string(), platform: z.string() }),
  role: z.string(),
  scopes: z.array(z.string()),
  auth: z.object({ token: z.string() }).optional(),
  device: deviceSchema,
});

/** The device's id, if its signature is valid. */
function provenDevice(params: unknown, nonce: string): string | null {
  const { client, role, scopes, auth, device } = signedSchema.parse(params);
  const raw = Buffer.from(device.publicKey, 'base64url');
  const signed = ['v3', device.id, client.id, client.mode, role, scopes.join(','), device.signedAt];
  const text = [...signed, auth?.token ?? '', nonce, client.platform, ''].join('|');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const valid = verify(null, Buffer.from(text), key, Buffer.from(device.signature, 'base64url'));
  const id = createHash('sha256').update(raw).digest('hex');
  return valid && id === device.id && device.signedAt === CHALLENGE_TS ? id : null;
}
