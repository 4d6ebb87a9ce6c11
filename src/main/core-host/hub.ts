import type { Push, Topic } from '@contract/ipc';
import { pushTopic } from '@contract/wire';
import type { Core } from './compose';

export interface Follower {
  change(topics: readonly Topic[]): void;
  end(): void;
}

/** Lets several clients (the window, sockets) follow topics of their own over the core's one stream of pushes. */
export class PushHub {
  private readonly followers = new Set<{ topics: ReadonlySet<Topic>; listener: (pushes: Push[]) => void }>();

  constructor(private readonly core: Pick<Core, 'follow' | 'onPush'>) {
    core.onPush((pushes) => {
      for (const { topics, listener } of [...this.followers]) {
        const wanted = pushes.filter((push) => topics.has(pushTopic(push)));
        if (wanted.length > 0) listener(wanted);
      }
    });
  }

  follow(topics: readonly Topic[], listener: (pushes: Push[]) => void): Follower {
    const follower = { topics: new Set(topics) as ReadonlySet<Topic>, listener };
    this.followers.add(follower);
    this.tell();
    return {
      change: (next) => {
        follower.topics = new Set(next);
        this.tell();
      },
      end: () => {
        this.followers.delete(follower);
        this.tell();
      },
    };
  }

  private tell(): void {
    this.core.follow([...this.followers].flatMap((follower) => [...follower.topics]));
  }
}
