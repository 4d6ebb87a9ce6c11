import type { Push } from '@contract/ipc';

type RunEvents = Extract<Push, { topic: 'run' }>['events'];

/**
 * Collects pushes for one follower. What is committed together is sent together, before any pending input;
 * pushes during the following pause are sent together at its end.
 */
export class PushBatcher {
  private queued: Push[] = [];
  /** Each run's pending events, while more may be added. */
  private readonly last = new Map<number, RunEvents>();
  private waits = false;
  private timer: NodeJS.Timeout | undefined;
  private sentAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly send: (pushes: Push[]) => void,
    private readonly pauseMs: number,
  ) {}

  add(push: Push): void {
    this.join(push);
    if (this.waits) return;
    this.waits = true;
    const waitMs = this.sentAt + this.pauseMs - performance.now();
    if (waitMs <= 0) process.nextTick(() => this.flush());
    else this.timer = setTimeout(() => this.flush(), waitMs);
  }

  /** One push per run if no streamed push comes in between: fewer validations, and one update of the run. */
  private join(push: Push): void {
    if (push.topic === 'stream') this.last.delete(push.runId);
    const before = push.topic === 'run' ? this.last.get(push.runId) : undefined;
    if (push.topic === 'run' && before !== undefined) {
      before.push(...push.events);
      return;
    }
    if (push.topic !== 'run') this.queued.push(push);
    else {
      const events = [...push.events];
      this.last.set(push.runId, events);
      this.queued.push({ ...push, events });
    }
  }

  /** Called before any other message, so that no answer overtakes earlier pushes. */
  flush(): void {
    const pushes = this.queued;
    this.drop();
    if (pushes.length === 0) return;
    this.sentAt = performance.now();
    this.send(pushes);
  }

  /** Drops pending pushes. */
  drop(): void {
    clearTimeout(this.timer);
    this.waits = false;
    this.queued = [];
    this.last.clear();
  }
}
