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
const MOST_TEAMS = 100;

/** As far as a reply shows it. */
interface Team {
  readonly runId: number;
  readonly runName: string;
  readonly projectName: string;
  readonly activationId: number;
  readonly live: boolean;
  readonly members: readonly {
    readonly name: string;
    readonly word: string;
    readonly round: number;
    readonly since: number;
    readonly lastWords: string | null;
  }[];
}

interface AttentionParts {
  readonly store: Pick<Store, 'gates' | 'runs' | 'setting' | 'setSetting'>;
  readonly status: Pick<StatusService, 'waits'>;
  /** The teams of the last runs. */
  teams(limit: number): readonly Team[];
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
    const replies = this.#replies();
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

  #replies(): Attention['replies'] {
    return this.parts
      .teams(MOST_TEAMS)
      .flatMap(({ runId, runName, projectName, activationId, live, members }) =>
        members
          .filter(({ word }) => live && word === 'awaiting_operator')
          .map(({ name, round, since, lastWords }) => ({
            ...{ runId, runName, projectName, activationId },
            ...{ member: name, round, since, lastWords },
          })),
      );
  }

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
