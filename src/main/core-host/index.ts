import type { Push } from '@contract/ipc';
import { type FromCore, type ToCore, toCoreSchema } from '@contract/system/host';
import { portChannel } from '../adapters/pty-client/channels';
import { type Core, openCore } from './compose';
import { type Servers, startServers } from './servers';

/** The entry of the core's utility process: the wire of contract/system/host.ts on the port to Electron's main process. */
const parent = process.parentPort;
const say = (message: FromCore): void => parent.postMessage(message);

let core: Core | null = null;
let servers: Servers | null = null;
let waiting: { message: ToCore; ports: Electron.MessagePortMain[] }[] | null = null;

async function begin(init: Extract<ToCore, { kind: 'init' }>): Promise<void> {
  waiting = [];
  const opened = await openCore(init);
  if (!opened.ok) {
    say({ kind: 'fatal', error: opened.error });
    setTimeout(() => process.exit(1), 50);
    return;
  }
  core = opened.value;
  servers = await startServers(core, { init, onAddress: (address) => say({ kind: 'api', address }) });
  servers.onWindowPush((pushes: Push[]) => say({ kind: 'push', pushes }));
  say({ kind: 'ready', pid: process.pid, version: init.version, apiAddress: servers.apiAddress() });
  const early = waiting;
  waiting = null;
  for (const { message, ports } of early) act(core, message, ports);
}

function act(live: Core, message: ToCore, ports: readonly Electron.MessagePortMain[]): void {
  switch (message.kind) {
    case 'init':
      return;
    case 'rpc':
      void live
        .router(message.name, message.input)
        .then((reply) => say({ kind: 'reply', id: message.id, reply }));
      return;
    case 'subscribe':
      servers?.followForWindow(message.topics);
      return;
    case 'secrets':
      live.setSecrets(message.secrets);
      return;
    case 'pty':
      if (ports[0]) live.pty.connect(portChannel(ports[0]));
      return;
    case 'processes':
      live.status.setProcesses(message);
      live.publisher.statusChanged();
      return;
    case 'wake':
      live.wake();
      return;
    case 'shutdown':
      void leave(live, message.stop);
      return;
  }
}

async function leave(live: Core, stop: boolean): Promise<void> {
  await servers?.close();
  await live.shutdown(stop);
  say({ kind: 'stopped' });
  setTimeout(() => process.exit(0), 20);
}

// Ctrl-C in a shell reaches the whole group; whether the core ends, and how, is main's to say.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

parent.on('message', ({ data, ports }) => {
  const parsed = toCoreSchema.safeParse(data);
  if (!parsed.success) return;
  const message = parsed.data;
  if (message.kind === 'init' && core === null && waiting === null) void begin(message);
  else if (waiting !== null) waiting.push({ message, ports });
  else if (core !== null) act(core, message, ports);
});
