import { MIB } from '@contract/size-units';
import { RESPONSE_CHARS } from '../../limits/core-sizes';

/** Limits of time and size; tests shorten them. */
export interface AcpLimits {
  /** From the start of the process to the session. */
  readonly startMs: number;
  /** How long an agent may take to react to a cancellation before its process group is ended. */
  readonly cancelMs: number;
  /** Without text or a tool call for this long after a prompt, the operator is notified. */
  readonly quietMs: number;
  /** How long output is collected before it goes to the window. */
  readonly flushMs: number;
  /** After the end of a turn, updates still belong to it until none came for this long. */
  readonly lateMs: number;
  /** At most this long, however many updates come. */
  readonly mostLateMs: number;
  readonly maxLineBytes: number;
  readonly mostPending: number;
  readonly mostResponse: number;
}

export const defaultLimits: AcpLimits = {
  startMs: 60_000,
  cancelMs: 5000,
  quietMs: 30_000,
  flushMs: 33,
  lateMs: 300,
  mostLateMs: 2000,
  maxLineBytes: 32 * MIB,
  mostPending: 256 * 1024,
  mostResponse: RESPONSE_CHARS,
};

/** Terminal output returned to an agent, unless it requests another size. */
export const TERMINAL_TAIL_BYTES = MIB;

/** Maximum terminal output returned to an agent, even if it requests more. */
export const MOST_TERMINAL_TAIL_BYTES = 8 * MIB;

/** A larger image is passed by name instead of embedded. */
export const IMAGE_BYTES = 8 * MIB;
