import type { AppError } from '@contract/errors';
import { findingsOf } from '@contract/findings';
import type { ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import { atFirstLook } from '@contract/run/features/feature-answers';
import { type RunRow, unreadableSchema } from '@contract/run/procedures';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import type { Store } from '@main/core/ports/store/store';
import { z } from 'zod';

const KEY = 'runs.unreadable';
const storedSchema = z.array(z.object({ runId: z.number(), ...unreadableSchema.unwrap().shape })).catch([]);

type Unreadable = z.infer<typeof unreadableSchema>;

interface UnreadableParts {
  readonly store: Pick<Store, 'log' | 'run' | 'setting' | 'setSetting' | 'endUnread'>;
  readonly now: () => number;
  /** An event was written without the engine. */
  readonly appended: (stored: StoredEvent) => void;
}

/** A run's events up to the first unreadable one, and which one that is. */
export function readablePart(
  store: Pick<Store, 'log'>,
  runId: number,
): { readonly state: RunState | null; readonly seq: number; readonly unreadable: Unreadable | null } {
  let seq = 0;
  const read = function* (): Iterable<StoredEvent> {
    for (const stored of store.log.read(runId)) {
      yield stored;
      seq = stored.seq;
    }
  };
  try {
    return { state: replay(read()), seq, unreadable: null };
  } catch (cause) {
    const last = seq;
    // Folded again: the reducer may have stopped in the middle of an event.
    const state = last === 0 ? null : replay(upTo(store.log.read(runId), last));
    return { state, seq: last, unreadable: { seq: last + 1, why: reasonOf(cause) } };
  }
}

function* upTo(events: Iterable<StoredEvent>, last: number): Iterable<StoredEvent> {
  for (const stored of events) {
    yield stored;
    if (stored.seq >= last) return;
  }
}

function reasonOf(cause: unknown): string {
  const [first] = cause instanceof z.ZodError ? findingsOf(cause) : [];
  if (first !== undefined) return `${first.path}: ${first.message}`;
  return cause instanceof Error ? cause.message.slice(0, 300) : 'it is damaged';
}

/**
 * Runs whose history becomes unreadable at some event. They can be shown up to that event, exported, ended
 * and binned.
 */
export class UnreadableRuns {
  private known: Map<number, Unreadable> | null = null;

  constructor(private readonly parts: UnreadableParts) {}

  /** Records an unreadable run; null if it turns out readable. */
  note(runId: number): Unreadable | null {
    const { unreadable } = readablePart(this.parts.store, runId);
    if (unreadable === null) this.forget(runId);
    else this.keep(new Map(this.all()).set(runId, unreadable));
    return unreadable;
  }

  forget(runId: number): void {
    if (!this.all().has(runId)) return;
    const rest = new Map(this.all());
    rest.delete(runId);
    this.keep(rest);
  }

  /** A run's row for lists: an unreadable run that has not ended is not working. */
  row(row: RunRow): RunRow {
    const unreadable = this.all().get(row.id);
    if (unreadable === undefined) return row;
    return row.finishedAt === null
      ? { ...row, status: 'unreadable', now: null, unreadable }
      : { ...row, unreadable };
  }

  /** The readable part of a run that is unreadable because of `why`. */
  snapshot(runId: number, why: AppError): Result<ProcedureOutput<'run.get'>> {
    const row = this.parts.store.run(runId);
    if (row === null || this.note(runId) === null) return err(why);
    const { state } = readablePart(this.parts.store, runId);
    return state === null ? err(why) : ok({ row: this.row(row), state: atFirstLook(state) });
  }

  /** Ends a run that cannot continue. */
  end(runId: number, why: AppError): Result<Record<string, never>> {
    const row = this.parts.store.run(runId);
    if (why.code !== 'not_found' || row === null || this.note(runId) === null) return err(why);
    if (row.finishedAt !== null) return fail('run.finished', 'the run has already ended');
    const stored = this.parts.store.endUnread(runId, this.parts.now());
    if (stored !== null) this.parts.appended(stored);
    return ok({});
  }

  private all(): ReadonlyMap<number, Unreadable> {
    this.known ??= new Map(
      storedSchema.parse(this.parts.store.setting(KEY) ?? []).map(({ runId, ...rest }) => [runId, rest]),
    );
    return this.known;
  }

  private keep(known: Map<number, Unreadable>): void {
    this.known = known;
    this.parts.store.setSetting(
      KEY,
      [...known].map(([runId, rest]) => ({ runId, ...rest })),
    );
  }
}
