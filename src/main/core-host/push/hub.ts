import type { Push, Topic } from '@contract/ipc';
import { pushTopic } from '@contract/wire';
import type { Core } from '../compose';
import { PushBatcher } from './push-batcher';

export interface Follower {
  change(topics: readonly Topic[]): void;
  /** Sends pending pushes now. */
  flush(): void;
  /** Drops pending pushes. */
  end(): void;
}

export interface FollowOptions {
  /** Minimum time between two messages. */
  readonly pauseMs?: number;
}

/**
 * Lets several clients (the window, sockets) follow their own topics over the core's single stream of pushes.
 * It is the only place between a commit and the window where pushes wait for each other.
 */
export class PushHub {
  private readonly followers = new Set<{ topics: ReadonlySet<Topic>; readonly batcher: PushBatcher }>();

  constructor(private readonly core: Pick<Core, 'follow' | 'onPush'>) {
    core.onPush((push) => {
      const topic = pushTopic(push);
      for (const { topics, batcher } of this.followers) if (topics.has(topic)) batcher.add(push);
    });
  }

  follow(
    topics: readonly Topic[],
    listener: (pushes: Push[]) => void,
    { pauseMs = 0 }: FollowOptions = {},
  ): Follower {
    const batcher = new PushBatcher(listener, pauseMs);
    const follower = { topics: new Set(topics) as ReadonlySet<Topic>, batcher };
    this.followers.add(follower);
    this.tell();
    return {
      change: (next) => {
        follower.topics = new Set(next);
        this.tell();
      },
      flush: () => batcher.flush(),
      end: () => {
        this.followers.delete(follower);
        batcher.drop();
        this.tell();
      },
    };
  }

  private tell(): void {
    this.core.follow([...this.followers].flatMap((follower) => [...follower.topics]));
  }
}
