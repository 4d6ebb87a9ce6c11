import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ok, type Result } from '@contract/result';
import type { CoreInit } from '@contract/system/host';
import type { Core } from '../../core-host/compose';
import { endpointFile, type Folders } from '../folders';
import type { Link } from './link';

/** Variables by which this executable runs a script as this process does: Electron needs one, Node none. */
export const AS_NODE: Readonly<Record<string, string>> =
  process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };

/** This program's location: out/main, beside the other processes. */
export interface Installation {
  readonly processDir: string;
  readonly resourcesDir: string;
  readonly version: string;
}

interface HostOptions {
  readonly folders: Folders;
  readonly installation: Installation;
  /** Nothing is resumed or started: the store is only read, or changed a little. */
  readonly readOnly: boolean;
}

/** A core in this process. Loaded only here, since most commands find one running. */
export async function hostCore({ folders, installation, readOnly }: HostOptions): Promise<Result<Link>> {
  const init = initOf(folders, installation);
  const { openCore } = await import('../../core-host/compose');
  const opened = await openCore(init, { takeUp: false });
  if (!opened.ok) return opened;
  const core = opened.value;
  // Pending deliveries are sent from here too.
  if (!readOnly) await core.takeUp([]);
  const reach = readOnly ? await alone(core) : await openToOthers(core, init);
  return ok({
    kind: 'hosted',
    pid: process.pid,
    lost: new Promise(() => undefined),
    apiAddress: reach.apiAddress,
    call: core.router,
    follow: reach.follow,
    takeUp: (runIds) => core.takeUp(runIds),
    working: () => core.working(),
    guests: reach.guests,
    close: async () => {
      await reach.close();
      await core.shutdown(false);
      await reach.endTerminals();
    },
  });
}

/** What a hosted core has in addition. */
interface Reach extends Pick<Link, 'apiAddress' | 'follow' | 'guests'> {
  close(): Promise<void>;
  endTerminals(): Promise<void>;
}

async function alone(core: Core): Promise<Reach> {
  const { PushHub } = await import('../../core-host/push/hub');
  const hub = new PushHub(core);
  return {
    apiAddress: () => null,
    guests: () => 0,
    follow: (topics, listener) => hub.follow(topics, listener),
    close: async () => undefined,
    endTerminals: async () => undefined,
  };
}

/** A terminal process, and the socket by which a window or another command line finds this core. */
async function openToOthers(core: Core, init: CoreInit): Promise<Reach> {
  const { ForkedPtyHost } = await import('../../adapters/pty-client/channels');
  const { startServers } = await import('../../core-host/servers');
  const terminals = new ForkedPtyHost(
    { entry: join(init.processDir, 'pty-host.js'), dataDir: init.dataDir, env: AS_NODE },
    core.pty,
  );
  terminals.start();
  const ptyHost = { state: 'running', since: Date.now(), detail: null, unsteady: null } as const;
  core.status.setProcesses({ ptyHost, restarts: 0 });
  const servers = await startServers(core, { init, onAddress: () => undefined });
  return {
    apiAddress: () => servers.apiAddress(),
    guests: () => servers.guests(),
    follow: (topics, listener) => {
      servers.onWindowPush(listener);
      servers.followForWindow(topics);
      return { change: (next) => servers.followForWindow(next), end: () => servers.followForWindow([]) };
    },
    close: () => servers.close(),
    endTerminals: () => terminals.stop(),
  };
}

function initOf({ dataDir, dbPath }: Folders, { processDir, resourcesDir, version }: Installation): CoreInit {
  return {
    kind: 'init',
    version,
    dataDir,
    dbPath,
    instanceId: randomUUID(),
    resourcesDir,
    processDir,
    nodeRuntime: { execPath: process.execPath, env: AS_NODE },
    secrets: {},
    socket: { endpointFile: endpointFile(dataDir) },
  };
}
