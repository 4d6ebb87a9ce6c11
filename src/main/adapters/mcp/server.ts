import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../core/ports/ports';
import type { ScriptRuntime } from '../../core/ports/programs/process';
import type { SessionTools, ToolEndpoint, ToolServer } from '../../core/ports/tools';
import { TOOL_CALL_BYTES } from '../../limits/core-sizes';

export interface McpToolsOptions {
  readonly logger: Logger;
  /** How to start the bridge, for agents that only support standard streams. */
  readonly runtime: ScriptRuntime;
  /** The bridge's bundle: out/main/mcp-bridge.js. */
  readonly bridge: string;
}

/** The server's name for agents; its tools are then called `muster_team_spawn` and the like. */
const SERVER = 'muster';
/** Some agents show their model only the names of MCP tools, and the model must search for the rest. */
const SHOWN = { 'anthropic/alwaysLoad': true };

interface Served {
  readonly token: Buffer;
  readonly tools: SessionTools;
}

/**
 * All sessions' tools on one loopback address, each behind its own token. Requests are independent (no
 * protocol session), so that nothing is lost when an agent reconnects.
 */
export class McpTools implements ToolServer {
  readonly #served = new Map<string, Served>();
  #http: Promise<HttpServer> | null = null;

  constructor(private readonly options: McpToolsOptions) {}

  async serve(key: string, tools: SessionTools): Promise<ToolEndpoint> {
    this.#http ??= this.#listen();
    const { port } = (await this.#http).address() as AddressInfo;
    const token = randomBytes(32).toString('base64url');
    this.#served.set(key, { token: Buffer.from(token), tools });
    const url = `http://127.0.0.1:${port}/mcp/${encodeURIComponent(key)}`;
    const { runtime, bridge } = this.options;
    return {
      name: SERVER,
      url,
      headers: { authorization: `Bearer ${token}` },
      bridge: {
        command: runtime.execPath,
        args: [bridge],
        env: { ...runtime.env, MUSTER_MCP_URL: url, MUSTER_MCP_TOKEN: token },
      },
    };
  }

  end(key: string): void {
    this.#served.delete(key);
  }

  async close(): Promise<void> {
    const http = await this.#http;
    this.#served.clear();
    http?.closeAllConnections();
    await new Promise<void>((resolve) => (http ? http.close(() => resolve()) : resolve()));
  }

  #listen(): Promise<HttpServer> {
    return new Promise((resolve, reject) => {
      const http = createServer((request, response) => {
        this.#answer(request, response).catch((cause: unknown) => {
          this.options.logger.error('a tool call threw', { cause: String(cause) });
          refuse(response, 500, 'an unexpected error occurred');
        });
      });
      http.once('error', reject);
      // Only from this machine, and only with the session's token.
      http.listen(0, '127.0.0.1', () => resolve(http));
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const served = this.#find(request);
    if (served === null) return refuse(response, 401, 'no such session, or its token is wrong');
    if (request.method !== 'POST') return refuse(response, 405, 'only POST');
    const body = await readBody(request);
    if (body === null) return refuse(response, 413, 'the request is too large');
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      return refuse(response, 400, 'the request is not JSON');
    }
    const server = serverOf(served.tools);
    // Without a generator the transport keeps no protocol session.
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once('close', () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, parsed);
  }

  /** A page in a browser can reach loopback too, but has no token and sends its origin. */
  #find(request: IncomingMessage): Served | null {
    const key = /^\/mcp\/([^/?]+)$/.exec(request.url ?? '')?.[1];
    const served = key === undefined ? undefined : this.#served.get(decodeURIComponent(key));
    const given = Buffer.from(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (served === undefined || request.headers.origin !== undefined) return null;
    return given.length === served.token.length && timingSafeEqual(given, served.token) ? served : null;
  }
}

function serverOf(tools: SessionTools): Server {
  const server = new Server({ name: SERVER, version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
      _meta: SHOWN,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { text, isError } = await tools.call(params.name, params.arguments ?? {});
    return { content: [{ type: 'text' as const, text }], isError };
  });
  return server;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > TOOL_CALL_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}
