import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GithubModel } from './github-model';

interface GithubRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
  readonly status: number;
}

interface Fault {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** The request is carried out, and its answer is lost. */
  readonly loseAnswer?: boolean;
}

export const TOKEN = 'scripted-token';

/**
 * A server that answers like GitHub's REST API, with the fields and statuses of its published description.
 * What it holds is plain data that tests change.
 */
export class ScriptedGithub {
  readonly model = new GithubModel();
  readonly requests: GithubRequest[] = [];
  #faults: {
    readonly fits: (method: string, path: string) => boolean;
    readonly fault: Fault;
    times: number;
  }[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedGithub> {
    const server = createServer();
    const made = new ScriptedGithub(server);
    server.on('request', (request, response) => void made.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get api(): string {
    return `http://${this.host}`;
  }

  /** The next request like this one fails. */
  fail(method: string, path: RegExp, fault: Fault): void {
    this.#faults.push({ fits: (got, at) => got === method && path.test(at), fault, times: 1 });
  }

  /** The writes that arrived, such as `POST /repos/acme/shop/pulls`. */
  writes(): string[] {
    return this.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body: unknown = text === '' ? null : JSON.parse(text);
    const planned = this.#faults.find(({ fits, times }) => times > 0 && fits(method, url));
    if (planned !== undefined) planned.times -= 1;
    const fault = planned?.fault;
    const note = (status: number) => this.requests.push({ method, path: url, body, headers, status });
    if (fault !== undefined && fault.loseAnswer !== true) {
      note(fault.status ?? 500);
      response.writeHead(fault.status ?? 500, {
        'content-type': 'application/json; charset=utf-8',
        ...fault.headers,
      });
      response.end(JSON.stringify(fault.body ?? { message: 'Server Error' }));
      return;
    }
    const answer =
      headers.authorization === `token ${TOKEN}` || headers.authorization === `Bearer ${TOKEN}`
        ? this.model.answer({ method, url: new URL(url, this.api), body })
        : { status: 401, body: { message: 'Bad credentials' } };
    if (fault?.loseAnswer === true) {
      note(0);
      request.socket.destroy();
      return;
    }
    const sent = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const etag = method === 'GET' && answer.status === 200 ? `W/"${hash(sent)}"` : null;
    const unchanged = etag !== null && headers['if-none-match'] === etag;
    note(unchanged ? 304 : answer.status);
    response.writeHead(unchanged ? 304 : answer.status, {
      'content-type': typeof answer.body === 'string' ? 'text/plain' : 'application/json; charset=utf-8',
      ...(etag === null ? {} : { etag }),
      ...answer.headers,
    });
    response.end(unchanged || answer.status === 204 ? undefined : sent);
  }
}

function hash(text: string): string {
  let value = 5381;
  for (let at = 0; at < text.length; at += 1) value = (value * 33 + text.charCodeAt(at)) >>> 0;
  return `${value.toString(16)}-${text.length}`;
}
