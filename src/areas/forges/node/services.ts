import { fail, ok, type Result } from '@contract/result';
import type { ShownResult } from '@contract/run/results/results';
import type { RunState } from '@contract/run/state';
import type { Clock } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';
import type { Handlers } from '@main/services/router';
import type { forgeProcedures } from '../contract/procedures';
import type { PullItem } from '../contract/pull';
import { itemsOf } from '../contract/verdict';
import { Fixing } from './fixing';
import { Forges } from './forges';
import { type IssueParts, issueHandlers } from './issues';
import type { LoginParts } from './logins';
import { PullPoller } from './poller';
import { noPull, Pulls } from './pulls';
import { ForgeRecords } from './records';

/** What the service of forges is built from. */
interface ForgeParts extends LoginParts, Pick<IssueParts, 'once' | 'startTask'> {
  readonly store: Pick<Store, 'setting' | 'setSetting' | 'project' | 'run'>;
  readonly clock: Clock;
  newKey(): string;
  state(runId: number): RunState | null;
  results(runId: number): Promise<Result<ShownResult[]>>;
  answer(state: RunState): string | null;
  git(cwd: string, ...args: string[]): Promise<Result<string>>;
  prompt(input: { runId: number; sessionId: number; key: string; text: string }): Promise<Result<unknown>>;
  /** A record has changed, and with it what needs the operator. */
  changed(): void;
}

export interface OpenForges {
  readonly handlers: Pick<Handlers, keyof typeof forgeProcedures>;
  /** Changes of pull requests that need the operator. */
  items(): PullItem[];
  /** Finishes what an earlier core was asked for, and watches open pull requests. */
  start(): void;
  /** A run has ended. */
  ended(runId: number): void;
  stop(): void;
}

/** Issues and pull requests in the core's process. */
export function openForges(parts: ForgeParts): OpenForges {
  const { store, clock, newKey } = parts;
  const records: ForgeRecords = new ForgeRecords(store, () => {
    parts.changed();
    poller.look();
  });
  const now = () => clock.now();
  const forges = new Forges({ ...parts, now, hosts: () => records.hosts() });
  const projectName = (runId: number) => store.run(runId)?.projectName ?? null;
  const pulls = new Pulls({ ...parts, records, forges, projectName, now, newKey });
  const fixing = new Fixing({ ...parts, records, pulls, now, newKey });
  const poller: PullPoller = new PullPoller({
    records,
    pulls,
    forges,
    clock,
    read: (runId) => fixing.advance(runId),
  });
  return {
    handlers: {
      ...issueHandlers({ ...parts, records, forges, project: (id) => store.project(id) }),
      'forge.hosts': async () => ok({ hosts: records.hosts() }),
      'forge.setHosts': async ({ hosts }) => {
        records.setHosts(hosts);
        return ok({});
      },
      'pull.preview': ({ runId, text }) => pulls.preview(runId, text),
      'pull.open': ({ runId, text, shown }) => pulls.open(runId, text, shown),
      'pull.list': async () => ok({ rows: records.all().toReversed() }),
      'pull.record': async ({ runId }) => ok({ record: records.of(runId) }),
      'pull.retry': ({ runId }) => pulls.carryOut(runId),
      'pull.get': async ({ runId }) => {
        const read = await pulls.refresh(runId);
        if (!read.ok) return read;
        await fixing.advance(runId);
        return ok(records.of(runId) ?? read.value);
      },
      'pull.merge': ({ runId, method, commit }) => pulls.merge(runId, { method, commit }),
      'pull.fixPreview': ({ runId }) => fixing.preview(runId),
      'pull.fix': ({ runId, key, rounds }) => fixing.fix(runId, { key, rounds }),
      'pull.stopFix': async ({ runId }) => fixing.stop(runId),
      'pull.seen': async ({ runId, items }) => {
        const seen = records.change(runId, ({ handled }) => ({
          handled: [...new Set([...handled, ...items])].slice(-2_000),
        }));
        return seen === null ? fail(noPull(runId).code, noPull(runId).message) : ok({});
      },
    },
    items: () => records.all().flatMap(itemsOf),
    start: () => {
      void pulls.resume().then(() => poller.look());
    },
    ended: (runId) => {
      if (records.of(runId)?.fix?.ended === null) void fixing.advance(runId);
    },
    stop: () => poller.stop(),
  };
}
