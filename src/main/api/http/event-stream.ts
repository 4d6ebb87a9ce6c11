import { type AppError, appError } from '@contract/errors';
import { STREAM_HEARTBEAT_MS, STREAM_READER_MS } from '../../limits/core';
import { ask, type CoreService } from '../core-service';
import { cursorText, endText, eventText, heartbeatText } from './event-text';

/** A stream's target: the used part of a response. */
export interface StreamTarget {
  /** False if nothing more should be written before `drained`. */
  write(text: string): boolean;
  /** Resolves when there is space again, or the reader is gone. */
  drained(): Promise<void>;
  end(text: string): void;
}

export interface StreamOptions {
  /** The id of the reader's last event. */
  readonly after: number;
  /** Only events of this run. */
  readonly runId: number | undefined;
  readonly pageSize: number;
  /** Approximate bytes per read; held in memory while the reader is full. */
  readonly pageBytes: number;
  readonly heartbeatMs: number;
  /** How long a reader may leave data unread. */
  readonly patienceMs: number;
  /** Whether the reader is still allowed; checked at each heartbeat. */
  readonly allowed: () => boolean;
}

export const streamDefaults = {
  pageSize: 200,
  pageBytes: 256_000,
  heartbeatMs: STREAM_HEARTBEAT_MS,
  patienceMs: STREAM_READER_MS,
  allowed: () => true,
};

/**
 * All events after an id, then future ones. Each is read from the store at the reader's position; commits
 * only wake the reading. So there are neither gaps nor duplicates between stored and live events, and a slow
 * reader costs one page of memory and no queue.
 */
export class EventStream {
  private cursor: number;
  private woken = true;
  private wake: () => void = () => undefined;
  private ended = false;
  private waiting = false;
  private readonly unlisten: () => void;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    private readonly core: CoreService,
    private readonly target: StreamTarget,
    private readonly options: StreamOptions,
  ) {
    this.cursor = options.after;
    this.unlisten = core.onEvents((events) => {
      if (options.runId === undefined || events.some((stored) => stored.runId === options.runId))
        this.awaken();
    });
    this.heartbeat = setInterval(() => {
      if (!options.allowed()) return this.finish(revoked);
      if (!this.waiting) target.write(heartbeatText);
    }, options.heartbeatMs);
  }

  /** Resolves when either side has ended the stream. */
  async run(): Promise<void> {
    this.target.write(cursorText(this.cursor));
    while (!this.ended) {
      this.woken = false;
      const more = await this.page();
      if (more || this.woken || this.ended) continue;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Ends it from the server's side; the reader is told why. */
  finish(error: AppError): void {
    if (this.ended) return;
    this.stop();
    this.target.end(endText(error));
  }

  /** The reader is gone. */
  stop(): void {
    if (this.ended) return;
    this.ended = true;
    this.unlisten();
    clearInterval(this.heartbeat);
    this.wake();
  }

  private awaken(): void {
    this.woken = true;
    this.wake();
  }

  /** Sends the next page; true if another may follow at once. */
  private async page(): Promise<boolean> {
    const { pageSize: limit, pageBytes: bytes, runId } = this.options;
    const page = await ask(this.core, 'event.page', { afterId: this.cursor, limit, bytes, runId });
    if (this.ended) return false;
    if (!page.ok) {
      this.finish(page.error);
      return false;
    }
    for (const stored of page.value.events) {
      this.cursor = stored.id;
      if (!this.target.write(eventText(stored))) await this.room();
      if (this.ended) return false;
    }
    // A page may have fewer events than requested: because of its bytes, or an unreadable event.
    return page.value.events.length > 0 && this.cursor < page.value.lastId;
  }

  private async room(): Promise<void> {
    const slow = setTimeout(() => this.finish(tooSlow), this.options.patienceMs);
    this.waiting = true;
    await this.target.drained();
    this.waiting = false;
    clearTimeout(slow);
  }
}

const revoked = appError('unavailable', 'the token was replaced', {
  mend: 'connect again with the new one; `muster api` shows it',
});

const tooSlow = appError('unavailable', 'the reader is too slow', {
  mend: 'connect again with Last-Event-ID',
});
