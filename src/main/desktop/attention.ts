import type { GateRow } from '@contract/gate/procedures';
import type { Push } from '@contract/ipc';
import type { RunRow } from '@contract/run/procedures';
import type { Settings } from '@contract/system/procedures';

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** The place in the window that a click opens. */
  readonly place: string;
}

export interface AttentionOptions {
  settings(): Settings;
  /** True while the operator looks at the window, which then shows all of this itself. */
  watched(): boolean;
  notify(notice: Notice): void;
  waiting(gates: number): void;
}

const MOST_TOLD_AT_ONCE = 3;

/** What the operator is to be told outside of the window: new gates, runs that ended, how many gates wait. */
export class Attention {
  readonly #open = new Set<string>();
  readonly #ended = new Map<number, RunRow['outcome']>();

  constructor(private readonly options: AttentionOptions) {}

  /** What there is already when a core comes up is not news. */
  begin(open: readonly GateRow[], runs: readonly RunRow[]): void {
    this.#open.clear();
    for (const gate of open) this.#open.add(keyOf(gate));
    for (const run of runs) this.#ended.set(run.id, run.outcome);
    this.options.waiting(this.#open.size);
  }

  pushed(push: Push): void {
    if (push.topic === 'gates') this.#gates(push.rows);
    else if (push.topic === 'runs') this.#runs(push.rows);
  }

  #gates(rows: readonly GateRow[]): void {
    const fresh: GateRow[] = [];
    for (const gate of rows) {
      const key = keyOf(gate);
      if (gate.status !== 'open') this.#open.delete(key);
      else if (!this.#open.has(key)) {
        this.#open.add(key);
        fresh.push(gate);
      }
    }
    this.options.waiting(this.#open.size);
    if (!this.options.settings().notifyGates || this.options.watched()) return;
    if (fresh.length > MOST_TOLD_AT_ONCE) {
      const body = `${fresh[0]?.title ?? ''} and ${fresh.length - 1} more`;
      this.options.notify({ title: `${fresh.length} gates wait for you`, body, place: '/inbox' });
    } else for (const gate of fresh) this.options.notify(gateNotice(gate));
  }

  #runs(rows: readonly RunRow[]): void {
    for (const run of rows) {
      const before = this.#ended.get(run.id) ?? null;
      this.#ended.set(run.id, run.outcome);
      if (run.outcome === null || run.outcome === before || this.options.watched()) continue;
      const { notifyFailures, notifyFinished } = this.options.settings();
      const bad = run.outcome === 'failed';
      if (bad ? !notifyFailures : !notifyFinished) continue;
      const body = run.reason ?? (bad ? 'It failed.' : `${run.stepsDone} of ${run.steps} steps are done.`);
      this.options.notify({ title: `${run.name}: ${run.outcome}`, body, place: `/run/${run.uid}` });
    }
  }
}

const keyOf = (gate: GateRow): string => `${gate.runId}/${gate.gateId}`;

const gateNotice = (gate: GateRow): Notice => ({
  title: gate.title,
  body: gate.agent === null ? gate.runName : `${gate.agent} in ${gate.runName}`,
  place: `/gate/${keyOf(gate)}`,
});
