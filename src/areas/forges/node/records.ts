import type { Store } from '@main/core/ports/store/store';
import { z } from 'zod';
import { type ForgeHost, forgeHostSchema } from '../contract/forge';
import { type PullRecord, pullRecordSchema } from '../contract/pull';

const PULLS = 'forges.pulls';
const ISSUES = 'forges.issues';
const HOSTS = 'forges.hosts';
/** The oldest finished ones are dropped. */
const MOST_FINISHED = 100;
const MOST_ISSUES = 1_000;

const startedSchema = z.object({
  number: z.number().int(),
  title: z.string(),
  url: z.string(),
  /** The branch that the operator named; null: it is named after the issue. */
  branch: z.string().nullable(),
});
/** The issue that a run was started from. */
export type StartedFrom = z.infer<typeof startedSchema>;

const pullsSchema = z.lazy(() => z.array(pullRecordSchema).catch([]));
const issuesSchema = z.array(z.tuple([z.string(), startedSchema])).catch([]);
const hostsSchema = z.lazy(() => z.array(forgeHostSchema).catch([]));

const isOpen = ({ state, asked }: PullRecord): boolean =>
  state === 'opening' || state === 'open' || asked !== null;

/** What Muster knows of forges, in the database: written before the forge is written to. */
export class ForgeRecords {
  #pulls: Map<number, PullRecord> | null = null;

  constructor(
    private readonly store: Pick<Store, 'setting' | 'setSetting'>,
    private readonly changed: () => void,
  ) {}

  all(): PullRecord[] {
    return [...this.#read().values()];
  }

  /** Those that may still change. */
  open(): PullRecord[] {
    return this.all().filter(isOpen);
  }

  of(runId: number): PullRecord | null {
    return this.#read().get(runId) ?? null;
  }

  put(record: PullRecord): PullRecord {
    const pulls = this.#read();
    pulls.delete(record.runId);
    pulls.set(record.runId, record);
    const finished = [...pulls.values()].filter((one) => !isOpen(one));
    for (const { runId } of finished.slice(0, Math.max(0, finished.length - MOST_FINISHED)))
      pulls.delete(runId);
    this.store.setSetting(PULLS, [...pulls.values()]);
    this.changed();
    return record;
  }

  /** Null if the run has none. */
  change(runId: number, change: (record: PullRecord) => Partial<PullRecord>): PullRecord | null {
    const record = this.of(runId);
    return record === null ? null : this.put({ ...record, ...change(record) });
  }

  startedFrom(uid: string): StartedFrom | null {
    return new Map(this.#issues()).get(uid) ?? null;
  }

  began(uid: string, issue: StartedFrom): void {
    const others = this.#issues().filter(([one]) => one !== uid);
    this.store.setSetting(ISSUES, [...others.slice(1 - MOST_ISSUES), [uid, issue]]);
  }

  hosts(): ForgeHost[] {
    return hostsSchema.parse(this.store.setting(HOSTS) ?? []);
  }

  setHosts(hosts: readonly ForgeHost[]): void {
    this.store.setSetting(HOSTS, hosts);
  }

  #issues = () => issuesSchema.parse(this.store.setting(ISSUES) ?? []);

  #read(): Map<number, PullRecord> {
    this.#pulls ??= new Map(
      pullsSchema.parse(this.store.setting(PULLS) ?? []).map((record) => [record.runId, record]),
    );
    return this.#pulls;
  }
}
