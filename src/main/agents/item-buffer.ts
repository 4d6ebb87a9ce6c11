import type { TranscriptItem } from '@contract/session/session';
import type { Clock } from '../core/ports/ports';

/** About thirty calls a second. */
const HOLD_MS = 33;

/** Merges what streams in word by word and hands it on at a bearable rate, the first at once. */
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
    if ((item.type === 'text' || item.type === 'thought') && newest?.type === item.type) {
      this.#waiting[this.#waiting.length - 1] = { type: item.type, text: newest.text + item.text };
    } else {
      this.#waiting.push(item);
    }
    const due = this.#last + HOLD_MS;
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
