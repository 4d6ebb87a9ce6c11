import type { RoutedPush } from '@contract/ipc';
import { isOfRun, pushTopic, subscribeSchema, type Topic } from '@contract/wire';

interface SubscriptionsOptions {
  /** Topics that main itself follows, whatever the windows want. */
  readonly always: readonly Topic[];
  /** All currently wanted topics: those sent to main, and those sent directly to the window. */
  wanted(wanted: { topics: Topic[]; line: Topic[] }): void;
  /** A new page follows its first topic. */
  fresh(): void;
  send(windowId: number, pushes: RoutedPush[]): void;
}

/** Which window follows what. Messages are passed on at once: the core has already batched them. */
export class Subscriptions {
  readonly #windows = new Map<number, ReadonlySet<Topic>>();
  #sent = '';

  constructor(private readonly options: SubscriptionsOptions) {}

  /** Sets what main itself follows, before any window does. */
  begin(): void {
    this.#tell();
  }

  /** False if the request is invalid; then nothing changes. */
  subscribe(windowId: number, raw: unknown): boolean {
    const parsed = subscribeSchema.safeParse(raw);
    if (!parsed.success) return false;
    const known = this.#windows.has(windowId);
    this.#windows.set(windowId, new Set(parsed.data.topics));
    if (!known) this.options.fresh();
    this.#tell();
    return true;
  }

  /** The window is gone, or its page was reloaded. */
  forget(windowId: number): void {
    this.#windows.delete(windowId);
    this.#tell();
  }

  forward(pushes: readonly RoutedPush[]): void {
    for (const [windowId, topics] of this.#windows) {
      const wantedPushes = pushes.filter((push) => topics.has(pushTopic(push)));
      if (wantedPushes.length > 0) this.options.send(windowId, wantedPushes);
    }
  }

  #tell(): void {
    const union = new Set(this.options.always);
    for (const topics of this.#windows.values()) for (const topic of topics) union.add(topic);
    const sorted = [...union].sort();
    const wanted = sorted.join(' ');
    if (wanted === this.#sent) return;
    this.#sent = wanted;
    this.options.wanted({
      topics: sorted.filter((topic) => !isOfRun(topic)),
      line: sorted.filter(isOfRun),
    });
  }
}
