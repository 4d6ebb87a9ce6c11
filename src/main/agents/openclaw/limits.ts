import { MIB } from '@contract/size-units';

/** Limits of time and size; tests shorten them. */
export interface OpenclawLimits {
  /** From the socket's start to the gateway's hello. */
  readonly connectMs: number;
  /** How long opening a session waits for a gateway that reports it is still starting. */
  readonly startMs: number;
  /** How long a turn tries to reach a gateway that is gone before giving up. */
  readonly reattachMs: number;
  /** The first and the longest delay between two tries to connect. */
  readonly pauseMs: readonly [first: number, longest: number];
  /** For responses to requests that do not wait for a run. */
  readonly answerMs: number;
  /** One `agent.wait`; they are repeated until the run has ended. */
  readonly waitMs: number;
  /** How long after the events reported a run's end its response may arrive. */
  readonly lateMs: number;
  /** How long a run may take to react to a cancellation before the turn ends without it. */
  readonly cancelMs: number;
  readonly maxFrameBytes: number;
  /** Sockets in a row that close without news of the run before the turn ends. */
  readonly mostLosses: number;
  /** Unreadable frames in a row before the connection ends. */
  readonly mostGarbage: number;
}

export const defaultLimits: OpenclawLimits = {
  connectMs: 10_000,
  startMs: 45_000,
  reattachMs: 5 * 60_000,
  pauseMs: [250, 15_000],
  answerMs: 20_000,
  waitMs: 25_000,
  lateMs: 5000,
  cancelMs: 5000,
  // The gateway's own limit is 25 MiB.
  maxFrameBytes: 32 * MIB,
  mostLosses: 12,
  mostGarbage: 50,
};
