import type { FromPtyHost } from '@areas/terminals/contract/host';
import type { FromTerminal } from '@areas/terminals/contract/view';
import { type MessagePortLike, portChannel } from '../adapters/pty-client/port-channel';

/** A channel: a message port, or the IPC channel of the forking program. */
export interface ClientPort {
  post(message: FromPtyHost | FromTerminal): void;
  onMessage(listener: (raw: unknown) => void): void;
  onClose(listener: () => void): void;
}

/** The parent process. */
export interface ParentLink {
  post(message: unknown): void;
  onMessage(listener: (raw: unknown, ports: readonly ClientPort[]) => void): void;
  onClose(listener: () => void): void;
  /** Set if the parent is also the client. */
  readonly client: ClientPort | null;
}

interface ParentPortLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: MessagePortLike[] }) => void): unknown;
}

export function childOfUtility(): ParentLink | null {
  const port = (process as unknown as { parentPort?: ParentPortLike }).parentPort;
  if (!port) return null;
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', ({ data, ports }) => listener(data, ports.map(portChannel))),
    // Chromium ends a utility process when its parent is gone; the guard ends its child processes.
    onClose: () => undefined,
    client: null,
  };
}

export function childOfFork(): ParentLink | null {
  if (!process.send) return null;
  const post = (message: unknown): void => {
    // The parent may already be gone: 'disconnect' reports that.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  const onMessage = (listener: (raw: unknown) => void): void => void process.on('message', listener);
  const client: ClientPort = { post, onMessage, onClose: () => undefined };
  return {
    post,
    onMessage: (listener) => onMessage((raw) => listener(raw, [])),
    onClose: (listener) => void process.on('disconnect', listener),
    client,
  };
}
