import type { Result } from '@contract/result';
import { err, ok } from '@contract/result';
import WebSocket from 'ws';
import { type Frame, frameSchema } from './wire';

interface SocketListener {
  frame(frame: Frame): void;
  /** A frame that violates the protocol. */
  garbage(): void;
  /** Called once, as the last event. */
  closed(cause: unknown): void;
}

export interface FrameSocket {
  send(frame: object): void;
  /** Immediately, without a close handshake. */
  end(): void;
}

interface SocketOptions {
  readonly maxFrameBytes: number;
  readonly connectMs: number;
}

/** Opens a WebSocket to a gateway. Frames are parsed only here. */
export function openSocket(address: string, options: SocketOptions, listener: SocketListener): FrameSocket {
  // The gateway grants nothing to a client with an Origin header, so none is sent.
  const socket = new WebSocket(address, {
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: options.connectMs,
    maxPayload: options.maxFrameBytes,
  });
  let cause: unknown = null;
  socket.on('error', (error) => {
    cause ??= error;
  });
  socket.on('close', (code, reason) => {
    listener.closed(cause ?? `closed with ${code}${reason.length === 0 ? '' : ` (${reason})`}`);
  });
  socket.on('message', (data, binary) => {
    const frame = binary ? null : readFrame(data.toString());
    if (frame?.ok) listener.frame(frame.value);
    else listener.garbage();
  });
  return {
    send: (frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    end: () => socket.terminate(),
  };
}

function readFrame(text: string): Result<Frame, null> {
  try {
    const parsed = frameSchema.safeParse(JSON.parse(text));
    return parsed.success ? ok(parsed.data) : err(null);
  } catch {
    return err(null);
  }
}
