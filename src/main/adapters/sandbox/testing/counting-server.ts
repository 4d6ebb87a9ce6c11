import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingServer {
  readonly port: number;
  /** Connections and datagrams since the start. */
  count(): number;
  close(): Promise<void>;
}

/** Counts everything that reaches a loopback port, by TCP and UDP, and answers requests with open CORS. */
export async function countingServer(): Promise<CountingServer> {
  let seen = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.end('REACHED');
  });
  server.on('connection', () => {
    seen += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket('udp4');
  datagrams.on('message', () => {
    seen += 1;
  });
  await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve));
  return {
    port,
    count: () => seen,
    close: async () => {
      server.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => server.close(() => resolve())),
        new Promise<void>((resolve) => datagrams.close(() => resolve())),
      ]);
    },
  };
}
