import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GateRow } from '@areas/gates/contract/procedures';
import type { RunEvent, StoredEvent } from '@contract/run/events';

/** What the core said that it had committed, kept outside of it: in memory, and in a file that is only ever added to. */
export class Witness {
  readonly acknowledged = new Map<string, StoredEvent>();
  /** Gates that were said to be open and that no one has begun to answer. */
  readonly waiting = new Set<string>();
  readonly answered = new Set<string>();
  private readonly file: string;
  private fresh: StoredEvent[] = [];

  constructor(folder: string) {
    this.file = join(folder, 'witness.jsonl');
  }

  committed(events: readonly StoredEvent[]): void {
    appendFileSync(this.file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    for (const stored of events) {
      this.acknowledged.set(`${stored.runId}/${stored.seq}`, stored);
      this.fresh.push(stored);
      this.follow(stored.runId, stored.event);
    }
  }

  /** From now on nothing can be said about it: the answer may or may not have arrived. */
  answering({ runId, gateId }: Pick<GateRow, 'runId' | 'gateId'>): void {
    this.waiting.delete(`${runId}/${gateId}`);
  }

  /** The core said that it has taken the answer. */
  answerTaken({ runId, gateId }: Pick<GateRow, 'runId' | 'gateId'>): void {
    this.answered.add(`${runId}/${gateId}`);
  }

  /** What was acknowledged since the last time that this was asked. */
  takeFresh(): StoredEvent[] {
    const fresh = this.fresh;
    this.fresh = [];
    return fresh;
  }

  private follow(runId: number, event: RunEvent): void {
    if (event.type === 'gate.opened') this.waiting.add(`${runId}/${event.gateId}`);
    if (event.type === 'gate.resolved' || event.type === 'gate.withdrawn') {
      this.waiting.delete(`${runId}/${event.gateId}`);
    }
  }
}
