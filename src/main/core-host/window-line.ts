import { packedPush, type Topic } from '@contract/ipc';
import { WINDOW_PUSH_MS } from '../limits/core';
import type { Follower, PushHub } from './hub';
import { PushBatcher } from './push-batcher';

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
  readonly #batcher: PushBatcher;
  readonly #follower: Follower;
  #port: LinePort | null = null;

  constructor(hub: Pick<PushHub, 'follow'>) {
    this.#batcher = new PushBatcher(
      (pushes) => this.#port?.postMessage(pushes.map(packedPush)),
      WINDOW_PUSH_MS,
    );
    this.#follower = hub.follow([], (pushes) => this.#batcher.add(pushes));
  }

  /** The page is another. What the one before had still to be told is no one's any more. */
  connect(port: LinePort): void {
    this.#batcher.flush();
    this.#port?.close();
    this.#port = port;
  }

  follow(topics: readonly Topic[]): void {
    this.#follower.change(topics);
  }

  /** Before an answer, so that what happened before it is on its way first. */
  flush(): void {
    this.#batcher.flush();
  }

  end(): void {
    this.#follower.end();
    this.flush();
    this.#port?.close();
    this.#port = null;
  }
}
