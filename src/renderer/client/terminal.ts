import { type FromTerminal, fromTerminalSchema, type ToTerminal } from '@areas/terminals/contract/view';
import { type AppError, appError } from '@contract/errors';
import { terminalChannel } from '@contract/system/channels';
import { call } from './rpc';

export interface TerminalTarget {
  readonly runId: number;
  readonly name: string;
}

interface TerminalListener {
  message(message: FromTerminal): void;
  /** The terminal process ended, or the terminal could not be opened. */
  lost(error: AppError): void;
}

export interface TerminalLine {
  post(message: ToTerminal): void;
  close(): void;
}

const waiting = new Map<string, (port: MessagePort) => void>();

/** The preload passes ports as messages of this window to itself; messages from elsewhere are ignored. */
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source !== window || event.origin !== window.location.origin) return;
  const { kind, view } = (event.data ?? {}) as { kind?: unknown; view?: unknown };
  const [port] = event.ports;
  if (kind !== terminalChannel || typeof view !== 'string' || !port) return;
  const take = waiting.get(view);
  waiting.delete(view);
  if (take) take(port);
  else port.close();
});

/** A direct connection to a terminal: main only passes the port. Messages sent before that are queued. */
export function openTerminal(target: TerminalTarget, listener: TerminalListener): TerminalLine {
  const view = crypto.randomUUID();
  let early: ToTerminal[] | null = [];
  let port: MessagePort | null = null;
  let over = false;
  waiting.set(view, (given) => {
    if (over) return given.close();
    port = given;
    listen(given, listener);
    for (const message of early ?? []) given.postMessage(message);
    early = null;
  });
  void call('terminal.open', { ...target, view }).then((result) => {
    if (result.ok || over) return;
    waiting.delete(view);
    listener.lost(result.error);
  });
  return {
    post: (message) => (early ? void early.push(message) : port?.postMessage(message)),
    close: () => {
      over = true;
      waiting.delete(view);
      port?.close();
    },
  };
}

function listen(port: MessagePort, listener: TerminalListener): void {
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const parsed = fromTerminalSchema.safeParse(data);
    if (parsed.success) listener.message(parsed.data);
    else console.error('a terminal message with an unexpected form', parsed.error.message);
  });
  // Also called when the other end's process was killed.
  port.addEventListener('close', () => {
    listener.lost(appError('unavailable', 'The terminal host ended.', { mend: 'It is restarting.' }));
  });
  port.start();
}
