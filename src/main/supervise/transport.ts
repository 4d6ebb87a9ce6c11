/**
 * The connection to a process that main hosts or is attached to. Incoming messages were written by another
 * process, so they are unknown until validated. An existing transport is connected; `onClose` reports its end
 * once.
 */
export interface Transport {
  readonly pid: number | null;
  /** `port` is one end of a message channel; a transport over a socket cannot carry it. */
  post(message: unknown, port?: TransferredPort): void;
  onMessage(listener: (raw: unknown) => void): void;
  onClose(listener: (why: string) => void): void;
  kill(): void;
}

/** A message port, whose type belongs to Electron. */
export type TransferredPort = object;

export interface Clock {
  now(): number;
  later(ms: number, run: () => void): () => void;
}

export const wallClock: Clock = {
  now: () => Date.now(),
  later: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Main's log. */
export type Log = (level: 'info' | 'warn' | 'error', message: string) => void;
