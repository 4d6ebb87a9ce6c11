import type { TranscriptItem } from '@areas/sessions/contract/session';
import type { Clock } from '../core/ports/ports';
import { ITEMS_GATHERED_MS } from '../limits/core';

/** Two consecutive pieces of text as one; null if they do not belong together. */
export function mergedItem(before: TranscriptItem, item: TranscriptItem): TranscriptItem | null {
  if (item.type === 'thought' && before.type === 'thought') return { ...item, text: before.text + item.text };
  if (item.type !== 'text' || before.type !== 'text' || item.message !== before.message) return null;
  return { ...item, text: before.text + item.text };
}

/** Merges streamed text and passes it on at a limited rate, the first item immediately. */
export class ItemBuffer {
  #waiting: TranscriptItem[] = [];
  #last = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly emit: (items: readonly TranscriptItem[]) => void,
  ) {}

  add(item: TranscriptItem): void {
    const newest = this.#waiting.at(-1);
    const merged = newest === undefined ? null : mergedItem(newest, item);
    if (merged === null) this.#waiting.push(item);
    else this.#waiting[this.#waiting.length - 1] = merged;
    const due = this.#last + ITEMS_GATHERED_MS;
    if (this.clock.now() >= due) this.flush();
    else this.#cancel ??= this.clock.at(due, () => this.flush());
  }

  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#waiting.length === 0) return;
    this.#last = this.clock.now();
    const items = this.#waiting;
    this.#waiting = [];
    this.emit(items);
  }
}
