import { dirname } from 'node:path';
import type { CoreInit } from '@contract/system/host';
import type { Settings } from '@contract/system/procedures';
import type { Logger } from '../core/ports/ports';
import type { CoreService } from './core-service';
import { HttpSwitch } from './http/switch';
import { LocalSocket } from './socket/server';

export type Door = 'http-api' | 'local-socket';

interface ServersParts {
  readonly core: CoreService;
  readonly init: Pick<CoreInit, 'dataDir' | 'dbPath' | 'version' | 'socket' | 'hostPid'>;
  readonly settings: {
    get(): Settings;
    onChange(listener: (settings: Settings) => void): void;
  };
  readonly logger: Logger;
  /** The HTTP API's address, when it changes. */
  readonly apiChanged: (address: string | null) => void;
  /** Why a server that should be open is not, for the operator; null if it is. */
  readonly trouble: (door: Door, text: string | null) => void;
}

interface Servers {
  apiAddress(): string | null;
  /** Number of other connected programs. */
  guests(): number;
  close(): Promise<void>;
}

/**
 * Opens the local socket, and the HTTP API if the settings enable it. A server that cannot be opened is
 * logged and stays closed; the core works without it.
 */
export async function openServers({
  core,
  init,
  settings,
  logger,
  apiChanged,
  trouble,
}: ServersParts): Promise<Servers> {
  let socket: LocalSocket | null = null;
  const changed = (address: string | null): void => {
    socket?.tellApi(address);
    apiChanged(address);
  };
  const http = new HttpSwitch({
    core,
    dataDir: init.dataDir,
    logger,
    changed,
    trouble: (text) => trouble('http-api', text),
  });
  settings.onChange(({ httpApi }) => void http.apply(httpApi));
  await http.apply(settings.get().httpApi);
  const { endpointFile } = init.socket;
  const opened = await LocalSocket.open({
    core,
    endpointFile,
    version: init.version,
    dbPath: init.dbPath,
    host: init.hostPid,
    apiAddress: () => http.address,
  });
  if (opened.ok) socket = opened.value;
  else {
    logger.warn('no local socket', { folder: dirname(endpointFile), why: opened.error.message });
    trouble('local-socket', `The command line does not reach this Muster: ${opened.error.message}`);
  }
  return {
    apiAddress: () => http.address,
    guests: () => socket?.guests ?? 0,
    close: async () => void (await Promise.all([http.close(), socket?.close()])),
  };
}
