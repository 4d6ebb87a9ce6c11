import type { StoredEvent } from '@contract/run/events';
import { ulids } from '../../src/main/adapters/system/ids';

/** Words that the operator said, each with a token that stands nowhere else. */
export interface Word {
  readonly runId: number;
  readonly token: string;
  /** It is said under this one as often as it must be said. */
  readonly key: string;
  /** Null: no core has answered yet; then the words may or may not be there. */
  taken: boolean | null;
}

/** What the operator said and was told that it is taken, kept outside of the core. */
export class Words {
  readonly said: Word[] = [];
  /** Messages that the core said it had taken back: `RUN/MESSAGE`. */
  readonly withdrawn = new Set<string>();
  /** Ways back that were given out: names of snapshots. */
  readonly waysBack = new Set<string>();

  say(runId: number): Word {
    const word: Word = { runId, token: `[w${this.said.length + 1}]`, key: ulids.ulid(), taken: null };
    this.said.push(word);
    return word;
  }

  countIn(runId: number): number {
    return this.said.filter((word) => word.runId === runId).length;
  }

  get taken(): number {
    return this.said.filter((word) => word.taken === true).length;
  }

  /** Words that are not there as often as the operator was told. */
  misheard(histories: ReadonlyMap<number, readonly StoredEvent[]>): string[] {
    return this.said.flatMap(({ runId, token, taken }) => {
      const found = (histories.get(runId) ?? []).filter(({ event }) => holds(event, token)).length;
      const right = taken === true ? found === 1 : taken === false ? found === 0 : found <= 1;
      return right ? [] : [`run ${runId}: ${token} (taken: ${taken}) is there ${found} times`];
    });
  }
}

/** The words themselves; what a lead is told of them is a message of its own. */
const holds = (event: StoredEvent['event'], token: string): boolean =>
  (event.type === 'prompt.queued' && event.text.includes(token)) ||
  (event.type === 'team.message' && event.text.startsWith(token));
