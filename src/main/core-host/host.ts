import { packedPush } from '@contract/ipc';
import { type CoreInit, type FromCore, type ToCore, toCoreSchema } from '@contract/system/host';
import { portChannel } from '../adapters/pty-client/channels';
import { beginCore, type Core } from './compose';
import { type Follower, PushHub } from './hub';
import { Outbox } from './outbox';
import type { Servers } from './servers';

/** The core in its utility process: the wire of contract/system/host.ts on the port to Electron's main process. */
const parent = process.parentPort;
type CoreCall = Extract<ToCore, { kind: 'rpc' }>;
const say = (message: FromCore): void => parent.postMessage(message);

/**
 * Answered from the store alone, and right even while what an earlier core left is still being ended and the runs are
 * not taken up yet. Everything else waits for that.
 */
const EARLY: ReadonlySet<string> = new Set(['feed.list', 'gate.list', 'project.list', 'settings.get']);

/** Asked beside what is drawn first, and nobody misses it yet. */
const PATIENT: ReadonlySet<string> = new Set(['feed.marks', 'feed.sources', 'system.status']);

/** What the window draws first is drawn first, where nobody waits for more: looking for what an earlier core left takes a processor. */
const SETTLE_AFTER_MS = 200;

interface Live {
  readonly core: Core;
  readonly window: Follower;
  readonly outbox: Outbox;
  /** Somebody waits: settling begins at once. */
  hurry(): void;
  /** What an earlier core left is ended, and the runs are taken up. */
  readonly settled: Promise<void>;
  /** Then others than the window are let in. */
  readonly servers: Promise<Servers>;
}

let live: Live | null = null;

function begin(init: Extract<ToCore, { kind: 'init' }>): void {
  const opened = beginCore(init);
  if (!opened.ok) {
    say({ kind: 'fatal', error: opened.error });
    setTimeout(() => process.exit(1), 50);
    return;
  }
  const core = opened.value;
  const hub = new PushHub(core);
  const outbox = new Outbox((pushes) => say({ kind: 'packed', pushes: pushes.map(packedPush) }));
  const window = hub.follow([], (pushes) => outbox.add(pushes));
  say({ kind: 'ready', pid: process.pid, version: init.version, apiAddress: null });
  let hurry: () => void = () => undefined;
  const wanted = new Promise<void>((resolve) => {
    hurry = resolve;
    setTimeout(resolve, SETTLE_AFTER_MS);
  });
  const settled = wanted.then(() => settle(core));
  const servers = settled.then(() => openDoors(core, hub, init));
  live = { core, window, outbox, hurry, settled, servers };
}

async function settle(core: Core): Promise<void> {
  await core.settle();
  await core.takeUp();
  core.publisher.statusChanged();
}

async function openDoors(core: Core, hub: PushHub, init: CoreInit): Promise<Servers> {
  const { startServers } = await import('./servers');
  const onAddress = (address: string | null): void => say({ kind: 'api', address });
  const servers = await startServers(core, { init, hub, onAddress });
  onAddress(servers.apiAddress());
  return servers;
}

async function answer({ core, outbox, hurry, settled }: Live, { id, name, input }: CoreCall): Promise<void> {
  if (!EARLY.has(name)) {
    if (!PATIENT.has(name)) hurry();
    await settled;
  }
  const reply = await core.router(name, input);
  outbox.flush();
  say({ kind: 'reply', id, reply });
}

function act(message: ToCore, ports: readonly Electron.MessagePortMain[]): void {
  if (message.kind === 'init' && live === null) begin(message);
  if (live === null) return;
  const { core, window } = live;
  switch (message.kind) {
    case 'init':
      return;
    case 'rpc':
      void answer(live, message);
      return;
    case 'subscribe':
      window.change(message.topics);
      return;
    case 'secrets':
      core.setSecrets(message.secrets);
      return;
    case 'pty':
      if (ports[0]) core.pty.connect(portChannel(ports[0]));
      return;
    case 'processes':
      core.status.setProcesses(message);
      // Before, it would say that nothing runs.
      void live.settled.then(() => core.publisher.statusChanged());
      return;
    case 'wake':
      core.wake();
      return;
    case 'shutdown':
      void leave(live, message.stop);
      return;
  }
}

async function leave({ core, window, hurry, servers }: Live, stop: boolean): Promise<void> {
  hurry();
  const doors = await servers;
  window.end();
  await doors.close();
  await core.shutdown(stop);
  say({ kind: 'stopped' });
  setTimeout(() => process.exit(0), 20);
}

// Ctrl-C in a shell reaches the whole group; whether the core ends, and how, is main's to say.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

parent.on('message', ({ data, ports }) => {
  const parsed = toCoreSchema.safeParse(data, { jitless: true });
  if (parsed.success) act(parsed.data, ports);
});
