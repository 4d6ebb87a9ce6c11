import type { Push } from '@contract/ipc';
import { MAIN_PUSH_MS } from '../limits/core';

type RunEvents = Extract<Push, { topic: 'run' }>['events'];

/** Pushes on their way to the window: at once where nothing was sent just now, else together with what comes soon. */
export class PushBatcher {
  private queued: Push[] = [];
  /** The events that wait of each run, as long as more may be added to them. */
  private readonly last = new Map<number, RunEvents>();
  private timer: NodeJS.Timeout | null = null;
  private sentAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly send: (pushes: Push[]) => void,
    private readonly pauseMs = MAIN_PUSH_MS,
  ) {}

  add(pushes: readonly Push[]): void {
    for (const push of pushes) this.join(push);
    if (this.timer !== null) return;
    const left = this.sentAt + this.pauseMs - performance.now();
    if (left <= 0) this.flush();
    else this.timer = setTimeout(() => this.flush(), left);
  }

  /** One push for each run where nothing that streamed lies between: fewer to check, and one look at the run. */
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
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.queued.length === 0) return;
    const pushes = this.queued;
    this.queued = [];
    this.last.clear();
    this.sentAt = performance.now();
    this.send(pushes);
  }
}
