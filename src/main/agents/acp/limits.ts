import { MIB } from '@contract/size-units';
import { RESPONSE_CHARS } from '../../limits/core-sizes';

/** Limits of time and size; tests shorten them. */
export interface AcpLimits {
  /** From the start of the process to the session. */
  readonly startMs: number;
  /** How long an agent may take to heed a cancel before its group is ended. */
  readonly cancelMs: number;
  /** Without a word or a tool call for so long after a prompt, the operator is told. */
  readonly quietMs: number;
  /** Output is gathered this long before it goes to the window. */
  readonly flushMs: number;
  readonly maxLineBytes: number;
  readonly mostPending: number;
  readonly mostResponse: number;
}

export const defaultLimits: AcpLimits = {
  startMs: 60_000,
  cancelMs: 5000,
  quietMs: 30_000,
  flushMs: 33,
  maxLineBytes: 32 * MIB,
  mostPending: 256 * 1024,
  mostResponse: RESPONSE_CHARS,
};

/** The output of a terminal that an agent is given back, where it asks for no other size. */
export const TERMINAL_TAIL_BYTES = MIB;

/** The most that an agent gets of a terminal's output, also where it asks for more. */
export const MOST_TERMINAL_TAIL_BYTES = 8 * MIB;

/** A larger image is named to the agent instead of embedded. */
export const IMAGE_BYTES = 8 * MIB;
