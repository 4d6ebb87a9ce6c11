import { type Push, packedPush, type Topic } from '@contract/ipc';
import { WINDOW_PUSH_MS } from '../../limits/core';
import type { Follower, PushHub } from './hub';

/** The used part of a message port. */
interface LinePort {
  postMessage(message: unknown): void;
  close(): void;
}

/**
 * The line to the window's page: run pushes bypass main, which would have to deserialise and serialise each
 * message. Main sends the followed topics, in order with the calls.
 */
export class WindowLine {
  readonly #follower: Follower;
  #port: LinePort | null = null;

  constructor(hub: Pick<PushHub, 'follow'>) {
    const send = (pushes: Push[]): void => this.#port?.postMessage(pushes.map(packedPush));
    this.#follower = hub.follow([], send, { pauseMs: WINDOW_PUSH_MS });
  }

  /** The page was replaced. The previous page's pending pushes go to its own port first. */
  connect(port: LinePort): void {
    this.#follower.flush();
    this.#port?.close();
    this.#port = port;
  }

  follow(topics: readonly Topic[]): void {
    this.#follower.change(topics);
  }

  /** Called before an answer, so that earlier pushes are sent first. */
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
