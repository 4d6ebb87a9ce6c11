import type { AttentionService } from '@areas/attention/node/attention-service';
import type { FeedMarksService } from '@areas/feed/node/feed-marks';
import { ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { runStatus } from '@contract/run/status';
import type { Store } from '@main/core/ports/store/store';
import { HOME_SINCE_MS } from '@main/limits/core';
import { z } from 'zod';
import type { Home } from '../contract/procedures';

/** Setting: when the operator last looked. */
const KEY = 'home.lookedAt';
const storedSchema = z.number().int().nonnegative().nullable().catch(null);

/** Older runs are only in the list of runs. */
const MOST_RUNS = 200;
const MOST_COSTS = 8;

interface HomeParts {
  readonly store: Pick<Store, 'runs' | 'setting' | 'setSetting' | 'spend'>;
  readonly attention: Pick<AttentionService, 'list'>;
  readonly marks: Pick<FeedMarksService, 'marks'>;
  /** All unfinished runs, and some finished ones. */
  runs(): Iterable<{ readonly state: RunState }>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What ended, failed, waits and was spent since the operator last looked. */
export class HomeService {
  constructor(private readonly parts: HomeParts) {}

  async get(): Promise<Result<Home>> {
    const { store, attention, marks } = this.parts;
    const now = this.parts.now();
    const lookedAt = this.#lookedAt();
    const since = lookedAt ?? now - HOME_SINCE_MS;
    const listed = await attention.list({ decisions: true });
    if (!listed.ok) return listed;
    const { decisions, replies, pulls, waits, count } = listed.value;
    const { rows, more } = store.runs({ binned: false, limit: MOST_RUNS, endedSince: since });
    const ended = [...rows].sort((a, b) => endOf(b) - endOf(a));
    const query = { from: since, before: null, projectId: null, limit: MOST_COSTS } as const;
    const { totals, rows: costs } = store.spend({ by: 'run', ...query });
    return ok({
      lookedAt,
      since,
      now,
      more,
      replies,
      pulls,
      waits,
      needs: count,
      ended: ended.filter(({ status }) => !isFailed(status)),
      failed: ended.filter(({ status }) => isFailed(status)),
      decisions: decisions.map(({ runId, gateId, kind, title, runName, openedAt }) => ({
        runId,
        gateId,
        kind,
        title,
        runName,
        openedAt,
      })),
      running: [...this.parts.runs()].filter(({ state }) => runStatus(state) === 'running').length,
      unread: marks.marks().unread,
      spend: { totals, rows: costs },
    });
  }

  /** Also accepts an earlier time, to undo a premature mark. Returns the previous mark. */
  looked(at: number | null): number | null {
    const before = this.#lookedAt();
    this.parts.store.setSetting(KEY, at);
    return before;
  }

  #lookedAt = (): number | null => storedSchema.parse(this.parts.store.setting(KEY) ?? null);
}

const endOf = ({ finishedAt, at }: RunRow): number => finishedAt ?? at;

/** To the operator, an unreadable run has failed too. */
const isFailed = (status: RunRow['status']): boolean => status === 'failed' || status === 'unreadable';
