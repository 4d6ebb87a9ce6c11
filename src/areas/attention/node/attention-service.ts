import { allGates } from '@areas/gates/contract/pages';
import type { StatusService } from '@areas/runs/node/status-service';
import { ok, type Result } from '@contract/result';
import { rowAsks } from '@contract/run/status';
import type { Store } from '@main/core/ports/store/store';
import { z } from 'zod';
import { attentionCount, isSnoozed } from '../contract/count';
import type { Attention, BesidesDecisions, Failure, Wait } from '../contract/procedures';

/** Setting: failures up to this time were seen. */
const KEY = 'attention.seenTo';
const storedSchema = z.number().int().nonnegative().catch(0);

/** Setting: individually seen failures, as the time of failure by run number. */
const EACH = 'attention.seenRuns';
const eachSchema = z.record(z.string(), z.number()).catch({});

/** Older failures are only in the list of runs. */
const MOST_FAILURES = 100;
const MOST_RUNS = 100;

interface AttentionParts {
  readonly store: Pick<Store, 'gates' | 'run' | 'runs' | 'setting' | 'setSetting'>;
  readonly status: Pick<StatusService, 'waits'>;
  /** What waits for a message of the operator in the latest runs and is not a gate. */
  replies(runs: number): BesidesDecisions['replies'];
  /** Changes of pull requests that need the operator. */
  pulls(): BesidesDecisions['pulls'];
  /** Milliseconds since 1970. */
  now(): number;
  /** Something was marked as seen. */
  changed(): void;
}

/** What needs the operator: the single source for every list of it. */
export class AttentionService {
  #lastSent = '';

  constructor(private readonly parts: AttentionParts) {}

  async list({ decisions: listed = true } = {}): Promise<Result<Attention>> {
    const { store, now } = this.parts;
    const gates = listed
      ? await allGates(async (page) => ok(store.gates({ status: 'open', limit: 200, ...given(page) })))
      : ok([]);
    if (!gates.ok) return gates;
    const decisions = gates.value.filter((gate) => !isSnoozed(gate, now()));
    const besides = this.besides();
    const snoozed = gates.value.length - decisions.length;
    return ok({ decisions, ...besides, snoozed, count: attentionCount(decisions, besides, now()) });
  }

  /** Everything listed beside the decisions. */
  besides(): BesidesDecisions {
    return {
      replies: this.parts.replies(MOST_RUNS),
      failures: this.#failures(),
      pulls: this.parts.pulls(),
      waits: this.#waits(),
    };
  }

  /** The same if it has changed since the last call; else null. */
  news(): BesidesDecisions | null {
    const besides = this.besides();
    const json = JSON.stringify(besides);
    if (json === this.#lastSent) return null;
    this.#lastSent = json;
    return besides;
  }

  /** An earlier time changes nothing: what was seen stays seen. */
  markSeen(upTo: number, runId?: number): void {
    const { store, changed } = this.parts;
    if (runId === undefined) {
      if (upTo > this.#seenTo()) store.setSetting(KEY, upTo);
    } else {
      const newer = Object.entries(this.#seenRuns()).filter(([, at]) => at > this.#seenTo());
      store.setSetting(EACH, { ...Object.fromEntries(newer), [runId]: upTo });
    }
    changed();
  }

  #seenTo = (): number => storedSchema.parse(this.parts.store.setting(KEY) ?? 0);
  #seenRuns = (): Record<string, number> => eachSchema.parse(this.parts.store.setting(EACH) ?? {});

  #waits(): Wait[] {
    const { store, status } = this.parts;
    return status
      .waits()
      .map((wait) => ({ ...wait, projectName: store.run(wait.runId)?.projectName ?? null }));
  }

  /** A failed run that still asks is left out: its question is a decision. */
  #failures(): Failure[] {
    const seenTo = this.#seenTo();
    const each = new Map(Object.entries(this.#seenRuns()));
    const { rows } = this.parts.store.runs({ status: 'failed', limit: MOST_FAILURES, binned: false });
    return rows
      .filter((row) => !rowAsks(row))
      .map(({ id, name, projectName, at, finishedAt, reason }) => ({
        runId: id,
        runName: name,
        projectName,
        at: finishedAt ?? at,
        reason,
      }))
      .filter(({ runId, at }) => at > Math.max(seenTo, each.get(String(runId)) ?? 0));
  }
}

const given = <T extends object>(page: T): Partial<T> =>
  Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined)) as Partial<T>;
