import type { Push } from '@contract/ipc';

/**
 * At least so long lies between two messages with pushes. A frame lasts twice as long, so nobody sees it; but each
 * message costs main a turn of its loop, and a busy core has something to tell hundreds of times a second.
 */
const PAUSE_MS = 8;

/** Pushes on their way to the window: at once where nothing was sent just now, else together with what comes soon. */
export class Outbox {
  private queued: Push[] = [];
  private timer: NodeJS.Timeout | null = null;
  private sentAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly send: (pushes: Push[]) => void) {}

  add(pushes: readonly Push[]): void {
    this.queued.push(...pushes);
    if (this.timer !== null) return;
    const left = this.sentAt + PAUSE_MS - performance.now();
    if (left <= 0) this.flush();
    else this.timer = setTimeout(() => this.flush(), left);
  }

  /** Before anything else is said, so that no answer overtakes what happened before it. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.queued.length === 0) return;
    const pushes = this.queued;
    this.queued = [];
    this.sentAt = performance.now();
    this.send(pushes);
  }
}
