import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionTools } from '../../core/ports/tools';
import { McpTools } from './server';

const folder = mkdtempSync(join(tmpdir(), 'muster-mcp-'));
const server = new McpTools({
  logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  // Under Electron's Node the bridge is started as Node too.
  runtime: {
    execPath: process.execPath,
    env: process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  },
  bridge: join(folder, 'bridge.mjs'),
});

const called: unknown[] = [];
const tools: SessionTools = {
  tools: [
    {
      name: 'team_message',
      description: 'says something',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    },
  ],
  call: async (name, input) => {
    called.push([name, input]);
    return { text: `said by ${name}`, isError: JSON.stringify(input).includes('bad') };
  },
};

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, 'bridge.ts'),
      outDir: folder,
      rolldownOptions: { output: { entryFileNames: 'bridge.mjs' } },
    },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const post = (url: string, headers: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  }).then((reply) => reply.status);

describe("a session's tools, with the official client", () => {
  test.each(['over HTTP', 'over standard streams'])(
    'the official client lists and calls the tools of a session %s',
    async (how) => {
      const { url, headers, bridge } = await server.serve(`run/s1 ${how}`, tools);
      const transport =
        how === 'over HTTP'
          ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
          : new StdioClientTransport({
              command: bridge.command,
              args: [...bridge.args],
              env: { ...bridge.env },
            });
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      const listed = await client.listTools();
      expect(listed.tools).toMatchObject([{ name: 'team_message', _meta: { 'anthropic/alwaysLoad': true } }]);
      const reply = await client.callTool({ name: 'team_message', arguments: { text: 'hello' } });
      expect(reply).toMatchObject({ content: [{ text: 'said by team_message' }], isError: false });
      expect(await client.callTool({ name: 'team_message', arguments: { text: 'bad' } })).toMatchObject({
        isError: true,
      });
      await client.close();
    },
  );

  test('the tools of a session are for the owner of the token, and never for a page of a browser', async () => {
    const { url, headers } = await server.serve('run/s2', tools);
    expect(await post(url, { ...headers })).toBe(200);
    expect(await post(url, {})).toBe(401);
    expect(await post(url, { authorization: 'Bearer wrong' })).toBe(401);
    expect(await post(url, { ...headers, origin: 'https://example.org' })).toBe(401);
    const other = await server.serve('run/s3', tools);
    expect(await post(other.url, { ...headers })).toBe(401);
    server.end('run/s2');
    expect(await post(url, { ...headers })).toBe(401);
  });
});
