import type { Push, Topic } from '@contract/ipc';
import { maskedEvent } from '@contract/run/masked-event';
import type { CoreInit } from '@contract/system/host';
import { openServers } from '../api/servers';
import type { Core } from './compose';
import { PushHub } from './push/hub';

export interface Servers {
  apiAddress(): string | null;
  guests(): number;
  onWindowPush(listener: (pushes: Push[]) => void): void;
  followForWindow(topics: readonly Topic[]): void;
  close(): Promise<void>;
}

export interface ServersOptions {
  readonly init: CoreInit;
  /** Shares the core's single stream of pushes with other clients. */
  readonly hub?: PushHub;
  readonly onAddress: (address: string | null) => void;
}

/**
 * Opens the servers for other clients than the core's window: the local socket, and the HTTP API if enabled.
 */
export async function startServers(core: Core, options: ServersOptions): Promise<Servers> {
  const { init, onAddress, hub = new PushHub(core) } = options;
  let toWindow: (pushes: Push[]) => void = () => undefined;
  const window = hub.follow([], (pushes) => toWindow(pushes));
  const opened = await openServers({
    core: {
      call: core.router,
      follow: (topics, listener) => hub.follow(topics, listener),
      onEvents: (listener) =>
        core.publisher.onCommitted((_runId, events) => listener(events.map(maskedEvent))),
    },
    init,
    settings: core.settings,
    logger: core.logger,
    apiChanged: (address) => {
      core.answers.setAddress(address);
      onAddress(address);
    },
    trouble: (door, text) => {
      if (text === null) core.status.withdraw(door);
      else core.status.notice({ id: door, level: 'warning', text: `${text}.` });
      core.publisher.statusChanged();
    },
  });
  return {
    apiAddress: () => opened.apiAddress(),
    guests: () => opened.guests(),
    onWindowPush: (listener) => {
      toWindow = listener;
    },
    followForWindow: (topics) => window.change(topics),
    close: async () => {
      window.end();
      await opened.close();
    },
  };
}
