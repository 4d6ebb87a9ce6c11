import type { RoutedPush } from '@contract/ipc';
import { isOfRun, pushTopic, subscribeSchema, type Topic } from '@contract/wire';

export interface SubscriptionsOptions {
  /** What main itself wants to hear, whatever the windows want. */
  readonly always: readonly Topic[];
  /** The topics that anyone wants now: of what main is told, and of what goes past it to the window. */
  wanted(wanted: { topics: Topic[]; line: Topic[] }): void;
  /** A new page follows its first topic. */
  fresh(): void;
  send(windowId: number, pushes: RoutedPush[]): void;
}

/** Which window follows what. Each is told at once: the core has put together already what goes together. */
export class Subscriptions {
  readonly #windows = new Map<number, ReadonlySet<Topic>>();
  #told = '';

  constructor(private readonly options: SubscriptionsOptions) {}

  /** Tells what main itself wants, before any window does. */
  begin(): void {
    this.#tell();
  }

  /** False where the request could not be read; then all stays as it was. */
  subscribe(windowId: number, raw: unknown): boolean {
    const parsed = subscribeSchema.safeParse(raw);
    if (!parsed.success) return false;
    const known = this.#windows.has(windowId);
    this.#windows.set(windowId, new Set(parsed.data.topics));
    if (!known) this.options.fresh();
    this.#tell();
    return true;
  }

  /** The window is gone, or shows its page again. */
  forget(windowId: number): void {
    this.#windows.delete(windowId);
    this.#tell();
  }

  forward(pushes: readonly RoutedPush[]): void {
    for (const [windowId, topics] of this.#windows) {
      const own = pushes.filter((push) => topics.has(pushTopic(push)));
      if (own.length > 0) this.options.send(windowId, own);
    }
  }

  #tell(): void {
    const union = new Set(this.options.always);
    for (const topics of this.#windows.values()) for (const topic of topics) union.add(topic);
    const sorted = [...union].sort();
    const told = sorted.join(' ');
    if (told === this.#told) return;
    this.#told = told;
    this.options.wanted({
      topics: sorted.filter((topic) => !isOfRun(topic)),
      line: sorted.filter(isOfRun),
    });
  }
}
