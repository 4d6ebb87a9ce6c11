import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { SocketEndpoint } from '@contract/system/host';
import type { CoreCalls } from '../core-service';
import { type SocketAddress, socketAddress } from './address';
import { Connection } from './connection';
import { removeEndpoint, writeEndpoint } from './endpoint-file';

interface LocalSocketParts {
  readonly core: CoreCalls;
  /** In the data folder; the socket is beside it. */
  readonly endpointFile: string;
  readonly version: string;
  readonly dbPath?: string;
  readonly host?: number | undefined;
  readonly apiAddress: () => string | null;
}

/** The server for the command line and for a window that finds this core already running. */
export class LocalSocket {
  private readonly connections = new Set<Connection>();

  private constructor(
    private readonly server: Server,
    private readonly place: { address: SocketAddress; endpointFile: string; endpoint: SocketEndpoint },
  ) {}

  static async open(parts: LocalSocketParts): Promise<Result<LocalSocket>> {
    const folder = dirname(parts.endpointFile);
    const address = await socketAddress(folder).catch((cause: unknown) => err(cannotOpen(cause, folder)));
    if (!address.ok) return address;
    const { path } = address.value;
    const server = createServer();
    try {
      await listen(server, path);
      if (process.platform !== 'win32') chmodSync(path, 0o600);
      const endpoint = {
        path,
        token: randomBytes(32).toString('hex'),
        pid: process.pid,
        version: parts.version,
        ...(parts.dbPath === undefined ? {} : { dbPath: parts.dbPath }),
        ...(parts.host === undefined ? {} : { host: parts.host }),
      };
      const socket = new LocalSocket(server, {
        address: address.value,
        endpointFile: parts.endpointFile,
        endpoint,
      });
      server.on('connection', (client) => {
        const connection = new Connection(client, {
          core: parts.core,
          endpoint,
          apiAddress: parts.apiAddress,
        });
        socket.connections.add(connection);
        client.on('close', () => socket.connections.delete(connection));
      });
      writeEndpoint(parts.endpointFile, endpoint);
      return ok(socket);
    } catch (cause) {
      server.close();
      address.value.remove();
      return err(cannotOpen(cause, path));
    }
  }

  /** Number of connected programs: windows and command lines. */
  get guests(): number {
    return this.connections.size;
  }

  tellApi(address: string | null): void {
    for (const connection of this.connections) connection.tellApi(address);
  }

  /** First removes the endpoint, so that no one connects any more; then disconnects clients. */
  async close(): Promise<void> {
    removeEndpoint(this.place.endpointFile, this.place.endpoint.token);
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.connections)
      connection.end(appError('unavailable', 'this Muster is shutting down'));
    await closed;
    this.place.address.remove();
  }
}

const cannotOpen = (cause: unknown, file: string) =>
  appError('unavailable', `the local socket cannot be opened: ${String(cause)}`, { where: { file } });

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}
