import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { attach } from './socket-transport';

const folder = mkdtempSync(join(tmpdir(), 'muster-attach-'));
const endpointFile = join(folder, 'core-endpoint.json');
const path = process.platform === 'win32' ? `\\\\.\\pipe\\muster-attach-${process.pid}` : join(folder, 's');
const sockets: Socket[] = [];
const server = createServer((socket) => void sockets.push(socket));
afterEach(() => server.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listen(): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
  writeFileSync(endpointFile, JSON.stringify({ path, token: 'a-token-of-16-chars', pid: 12, version: '0' }));
}
const closed = (transport: ReturnType<typeof attach>) =>
  new Promise<string>((resolve) => transport.onClose(resolve));
const lines = async (socket: Socket) => {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk
    .toString()
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
};

test('the transport sends the token first, then what a client may say, and hears the core', async () => {
  await listen();
  const transport = attach(endpointFile);
  const heard: unknown[] = [];
  transport.onMessage((raw) => void heard.push(raw));
  transport.post({ kind: 'secrets', secrets: { KEY: 'x' } });
  transport.post({ kind: 'subscribe', topics: ['runs'] });
  await once(server, 'connection');
  const socket = sockets.at(-1) as Socket;
  expect(await lines(socket)).toEqual([
    { token: 'a-token-of-16-chars' },
    { kind: 'subscribe', topics: ['runs'] },
  ]);
  const text = Buffer.from(`{"kind":"first"}\n${JSON.stringify({ kind: 'ready', name: 'ä€' })}\n{"kind":"st`);
  const cut = text.indexOf('€') + 1;
  socket.write(text.subarray(0, cut));
  // It has read up to the middle of a character.
  await expect.poll(() => heard).toEqual([{ kind: 'first' }]);
  socket.write(text.subarray(cut));
  socket.write('opped"}\n');
  await expect
    .poll(() => heard)
    .toEqual([{ kind: 'first' }, { kind: 'ready', name: 'ä€' }, { kind: 'stopped' }]);
  const over = closed(transport);
  socket.end();
  expect(await over).toBe('The core that held the database has ended.');
});

test('the transport ends with the reason of the failure', async () => {
  await listen();
  const transport = attach(endpointFile);
  await once(server, 'connection');
  sockets.at(-1)?.write('garbage\n');
  expect(await closed(transport)).toBe('The other core sent a line that is not JSON');
  writeFileSync(
    endpointFile,
    JSON.stringify({ path: join(folder, 'nobody'), token: 'a-token-of-16-chars', pid: 12, version: '0' }),
  );
  expect(await closed(attach(endpointFile))).toContain('cannot be reached');
  writeFileSync(endpointFile, '{}');
  expect(await closed(attach(endpointFile))).toContain('cannot be read');
  expect(await closed(attach(join(folder, 'none.json')))).toContain('no socket');
});
