import type { Push } from '@contract/ipc';

type RunEvents = Extract<Push, { topic: 'run' }>['events'];

/**
 * Pushes on their way to one follower. What is committed together goes together, before any input that waits; what comes
 * within the pause after it goes together at its end.
 */
export class PushBatcher {
  private queued: Push[] = [];
  /** The events that wait of each run, as long as more may be added to them. */
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
    const left = this.sentAt + this.pauseMs - performance.now();
    if (left <= 0) process.nextTick(() => this.flush());
    else this.timer = setTimeout(() => this.flush(), left);
  }

  /** One push for each run where nothing that streamed is between: fewer to check, and one look at the run. */
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

  /** Before anything else is said, so that no answer overtakes what happened before it. */
  flush(): void {
    const pushes = this.queued;
    this.drop();
    if (pushes.length === 0) return;
    this.sentAt = performance.now();
    this.send(pushes);
  }

  /** Forgets what waits. */
  drop(): void {
    clearTimeout(this.timer);
    this.waits = false;
    this.queued = [];
    this.last.clear();
  }
}
