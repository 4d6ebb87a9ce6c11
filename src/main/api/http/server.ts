import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { appError } from '@contract/errors';
import { fail, ok, type Result } from '@contract/result';
import { HTTP_STOP_MS } from '../../limits/core';
import type { CoreService } from '../core-service';
import { readBody } from './body';
import { ConnectionLimit } from './connection-limit';
import type { EventStream } from './event-stream';
import { type Fault, faultOf } from './fault';
import { pageRefusal, tokenRefusal } from './guard';
import { match } from './match';
import type { Answer, Route } from './route';
import { openEventStream, stopping } from './routes/event-route';
import { routes } from './routes/routes';

interface HttpServerParts {
  readonly core: CoreService;
  /** Read for each request, because the operator may revoke it at any time. */
  readonly token: () => string;
  /** 0: any free port. */
  readonly port: number;
  /** Receives unexpected errors. */
  readonly failed: (cause: unknown) => void;
  /** How long an event reader may leave data unread. */
  readonly patienceMs?: number;
}

const EVENTS: Route = { method: 'GET', path: '/events', handle: async () => ok({ body: {} }) };
const ALL = [EVENTS, ...routes];
/** Paths whose requests carry their own authorisation. */
const OPEN: ReadonlySet<string> = new Set(
  routes.filter(({ needsToken }) => needsToken === false).map(({ path }) => path),
);
const MOST_CONNECTIONS = 128;
/** Fewer than connections, so that requests get through beside streams. */
const MOST_STREAMS = 64;
const tooManyStreams = faultOf(
  appError('unavailable', `${MOST_STREAMS} event streams are open, the maximum`, {
    mend: 'close a stream you do not need, then connect again with Last-Event-ID',
  }),
);

/** The HTTP API, on the loopback address only. */
export class HttpServer {
  private readonly streams = new Set<EventStream>();
  /** Streams that are open or being opened. */
  private streaming = 0;
  private readonly connections = new ConnectionLimit(MOST_CONNECTIONS);
  private readonly server: Server;
  private port = 0;

  private constructor(private readonly parts: HttpServerParts) {
    this.server = createServer({
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 5_000,
      // Node checks timeouts only at this interval.
      connectionsCheckingInterval: 5_000,
    });
    this.server.on('connection', (socket) => this.connections.opened(socket));
    this.server.on('request', (request, response) => void this.serve(request, response));
  }

  static async open(parts: HttpServerParts): Promise<Result<HttpServer>> {
    const http = new HttpServer(parts);
    try {
      http.port = await listen(http.server, parts.port);
      return ok(http);
    } catch (cause) {
      const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
      const why = taken ? `port ${parts.port} is in use` : String(cause);
      return fail('unavailable', `the HTTP API cannot listen: ${why}`, {
        mend: 'choose another port, or 0 for any',
      });
    }
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Notifies open streams, completes answers in progress, and resolves when all connections are closed. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const stream of this.streams) stream.finish(stopping);
    this.server.closeIdleConnections();
    const last = setTimeout(() => this.server.closeAllConnections(), HTTP_STOP_MS);
    await closed;
    clearTimeout(last);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const fault = await this.handle(request, response);
      if (fault !== null) sendFault(response, fault);
    } catch (cause) {
      this.parts.failed(cause);
      const fault = faultOf(appError('internal', 'an unexpected error occurred; see the log'));
      if (!response.headersSent) sendFault(response, fault);
      else response.destroy();
    }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<Fault | null> {
    const { pathname, query } = addressOf(request.url ?? '/');
    const isOpen = OPEN.has(pathname);
    const refused =
      pageRefusal(request, this.port) ?? (isOpen ? null : tokenRefusal(request, this.parts.token()));
    if (refused !== null) return refused;
    if (!isOpen) this.connections.proven(request.socket);
    const found = match(ALL, request.method ?? '', pathname);
    if (!found.ok) return found.error;
    const { core } = this.parts;
    const { route, words } = found.value;
    if (route === EVENTS) {
      if (this.streaming >= MOST_STREAMS) return tooManyStreams;
      this.streaming += 1;
      return this.stream(request, response, query).finally(() => {
        this.streaming -= 1;
      });
    }
    const body = route.method === 'POST' ? await readBody(request, route.bodyLimit) : ok({});
    if (!body.ok) return body.error;
    const answer = await route.handle({ core, words, query, body: body.value });
    if (!answer.ok) return answer.error;
    sendAnswer(response, answer.value);
    return null;
  }

  private async stream(
    request: IncomingMessage,
    response: ServerResponse,
    query: unknown,
  ): Promise<Fault | null> {
    const { token } = this.parts;
    const known = token();
    // If permission cannot be checked, it is denied; an allowed reader can continue from its position.
    const allowed = (): boolean => {
      try {
        return token() === known;
      } catch {
        return false;
      }
    };
    const opened = await openEventStream(this.parts.core, {
      request,
      response,
      query,
      allowed,
      ...(this.parts.patienceMs === undefined ? {} : { patienceMs: this.parts.patienceMs }),
    });
    if (!opened.ok) return opened.error;
    this.streams.add(opened.value);
    try {
      await opened.value.run();
    } finally {
      opened.value.stop();
      this.streams.delete(opened.value);
    }
    return null;
  }
}

/** The path and query of a request line; never throws, whatever a client sends. */
function addressOf(target: string): { pathname: string; query: Record<string, string> } {
  const cut = target.indexOf('?');
  const pathname = cut === -1 ? target : target.slice(0, cut);
  const query = cut === -1 ? {} : Object.fromEntries(new URLSearchParams(target.slice(cut)));
  return { pathname, query };
}

function sendAnswer(response: ServerResponse, { status = 200, body, headers = {} }: Answer): void {
  if (response.destroyed) return;
  const text = Buffer.from(`${JSON.stringify(body)}\n`);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': text.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

const sendFault = (response: ServerResponse, { status, error, headers = {} }: Fault): void =>
  sendAnswer(response, { status, body: { error }, headers });

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
