import type { Attention } from '@contract/attention/procedures';
import { allGates } from '@contract/gate/pages';
import { ok, type Result } from '@contract/result';
import { z } from 'zod';
import type { Store } from '../core/ports/store';
import type { StatusService } from './status-service';

const KEY = 'attention.seenTo';
const storedSchema = z.number().int().nonnegative().catch(0);

/** Older failures are found in the list of runs. */
const MOST_FAILURES = 100;
const MOST_RUNS = 100;

interface AttentionParts {
  readonly store: Pick<Store, 'gates' | 'runs' | 'setting' | 'setSetting'>;
  readonly status: Pick<StatusService, 'waits'>;
  /** What waits for the operator's word in the last runs and is no gate. */
  replies(runs: number): Attention['replies'];
  /** Milliseconds since 1970. */
  now(): number;
}

/** What needs the operator: the one query that every list of it asks. */
export class AttentionService {
  constructor(private readonly parts: AttentionParts) {}

  async list(): Promise<Result<Attention>> {
    const { store, status, now } = this.parts;
    const gates = await allGates(async (page) =>
      ok(store.gates({ status: 'open', limit: 200, ...given(page) })),
    );
    if (!gates.ok) return gates;
    const decisions = gates.value.filter(({ snoozedUntil }) => (snoozedUntil ?? 0) <= now());
    const replies = this.parts.replies(MOST_RUNS);
    const failures = this.#failures();
    return ok({
      ...{ decisions, replies, failures, waits: status.waits() },
      snoozed: gates.value.length - decisions.length,
      count: decisions.length + replies.length + failures.length,
    });
  }

  /** Never back: what was seen stays seen. */
  markSeen(upTo: number): void {
    if (upTo > this.#seenTo()) this.parts.store.setSetting(KEY, upTo);
  }

  #seenTo = (): number => storedSchema.parse(this.parts.store.setting(KEY) ?? 0);

  #failures(): Attention['failures'] {
    const seenTo = this.#seenTo();
    const { rows } = this.parts.store.runs({ status: 'failed', limit: MOST_FAILURES, binned: false });
    return rows
      .filter(({ at, finishedAt }) => (finishedAt ?? at) > seenTo)
      .map(({ id, name, projectName, at, finishedAt, reason }) => ({
        ...{ runId: id, runName: name, projectName, at: finishedAt ?? at, reason },
      }));
  }
}

const given = <T extends object>(page: T): Partial<T> =>
  Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined)) as Partial<T>;
