import { type Push, packedPush, type Topic } from '@contract/ipc';
import { WINDOW_PUSH_MS } from '../limits/core';
import type { Follower, PushHub } from './hub';

/** What is used of a message port. */
export interface LinePort {
  postMessage(message: unknown): void;
  close(): void;
}

/**
 * The line to the window's page: what the page follows of runs goes there past main, which would have to take each
 * message in and give it out again. What is followed is heard from main, in one order with the calls.
 */
export class WindowLine {
  readonly #follower: Follower;
  #port: LinePort | null = null;

  constructor(hub: Pick<PushHub, 'follow'>) {
    const send = (pushes: Push[]): void => this.#port?.postMessage(pushes.map(packedPush));
    this.#follower = hub.follow([], send, { pauseMs: WINDOW_PUSH_MS });
  }

  /** The page is another. What the one before had still to be told goes to its own port first. */
  connect(port: LinePort): void {
    this.#follower.flush();
    this.#port?.close();
    this.#port = port;
  }

  follow(topics: readonly Topic[]): void {
    this.#follower.change(topics);
  }

  /** Before an answer, so that what happened before it is on its way first. */
  flush(): void {
    this.#follower.flush();
  }

  end(): void {
    this.#follower.flush();
    this.#follower.end();
    this.#port?.close();
    this.#port = null;
  }
}
