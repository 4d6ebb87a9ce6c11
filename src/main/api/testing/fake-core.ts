import { appError } from '@contract/errors';
import type { Push, RpcReply, Topic } from '@contract/ipc';
import { ownValue } from '@contract/own';
import type { RunEvent, StoredEvent } from '@contract/run/events';
import type { CoreService } from '../core-service';

type Procedure = (input: never) => unknown;

interface PageInput {
  readonly afterId: number;
  readonly limit?: number;
  readonly bytes?: number;
  readonly runId?: number;
}

/** An in-memory core: an event log with pages and notifications, and the procedures that a test provides. */
export class FakeCore implements CoreService {
  readonly log: StoredEvent[] = [];
  readonly calls: { name: string; input: unknown }[] = [];
  readonly followed: Topic[][] = [];
  private readonly listeners = new Set<(events: readonly StoredEvent[]) => void>();
  private readonly followers = new Set<(pushes: readonly Push[]) => void>();

  constructor(
    private readonly procedures: Readonly<Record<string, Procedure>> = {},
    /** The delay of an answer. */
    private readonly pause: () => Promise<void> = async () => undefined,
  ) {}

  /** Number of active listeners. */
  get listening(): number {
    return this.listeners.size + this.followers.size;
  }

  async call(name: string, input: unknown): Promise<RpcReply> {
    this.calls.push({ name, input });
    await this.pause();
    if (name === 'event.page') return { ok: true, value: this.page(input as PageInput) };
    const procedure = ownValue(this.procedures, name);
    if (procedure === undefined) return { ok: false, error: appError('not_found', `no ${name} here`) };
    const value: unknown = Reflect.apply(procedure, undefined, [input]);
    return isReply(value) ? value : { ok: true, value };
  }

  follow(topics: readonly Topic[], listener: (pushes: readonly Push[]) => void) {
    this.followed.push([...topics]);
    this.followers.add(listener);
    return {
      change: (next: readonly Topic[]) => void this.followed.push([...next]),
      end: () => void this.followers.delete(listener),
    };
  }

  onEvents(listener: (events: readonly StoredEvent[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  push(...pushes: Push[]): void {
    for (const follower of [...this.followers]) follower(pushes);
  }

  /** Commits events of one run; their ids need not be consecutive. */
  commit(runId: number, events: readonly RunEvent[], skipIds = 0): StoredEvent[] {
    const stored = events.map((event): StoredEvent => {
      const id = (this.log.at(-1)?.id ?? 0) + 1 + skipIds;
      const seq = this.log.filter((other) => other.runId === runId).length + 1;
      const row = { id, runId, seq, at: 1_700_000_000_000 + id, event };
      this.log.push(row);
      return row;
    });
    for (const listener of [...this.listeners]) listener(stored);
    return stored;
  }

  private page({ afterId, limit = 1000, bytes = Number.POSITIVE_INFINITY, runId }: PageInput) {
    const events = this.log.filter((row) => row.id > afterId && (runId === undefined || row.runId === runId));
    const fitting: StoredEvent[] = [];
    for (let sum = 0; sum < bytes && fitting.length < limit; ) {
      const next = events[fitting.length];
      if (next === undefined) break;
      fitting.push(next);
      sum += JSON.stringify(next.event).length;
    }
    return { events: fitting, lastId: this.log.at(-1)?.id ?? 0 };
  }
}

const isReply = (value: unknown): value is RpcReply =>
  typeof value === 'object' && value !== null && 'ok' in value;
