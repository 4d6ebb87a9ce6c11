import { type MusterBridge, type Push, pushSchema, type Topic, unpackedPush } from '@contract/ipc';
import type { SystemStatus } from '@contract/system/procedures';
import { isOfRun, pushTopic } from '@contract/wire';

type Bridge = Pick<MusterBridge, 'subscribe' | 'onPush'>;
type PushOf<K extends Push['topic']> = Extract<Push, { topic: K }>;

/**
 * Passes pushes to their subscribers, pushes of a run once a frame, and reports the wanted topics to the
 * bridge. One per window. After a restart of the core, pushes may have been missed: `onLost` makes each
 * reader read again.
 */
export class PushBus {
  readonly #bridge: Bridge;
  readonly #listeners = new Map<Topic, Set<(push: Push) => void>>();
  readonly #lost = new Set<() => void>();
  readonly #inFrame: (run: () => void) => void;
  #telling = false;
  #drawn: Push[] = [];
  #core: string | null = null;

  constructor(bridge: Bridge, inFrame: (run: () => void) => void) {
    this.#bridge = bridge;
    this.#inFrame = inFrame;
    bridge.onPush((pushes) => this.#receive(pushes));
    this.on('system', null, () => {});
  }

  on<K extends Push['topic']>(
    kind: K,
    runId: number | null,
    listener: (push: PushOf<K>) => void,
  ): () => void {
    const topic = runId === null ? kind : `${kind}:${runId}`;
    const heard = (push: Push): void => listener(push as PushOf<K>);
    const set = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, set.add(heard));
    this.#tellBridge();
    return () => {
      set.delete(heard);
      if (set.size > 0 || this.#listeners.get(topic) !== set) return;
      this.#listeners.delete(topic);
      this.#tellBridge();
    };
  }

  onLost(listener: () => void): () => void {
    this.#lost.add(listener);
    return () => this.#lost.delete(listener);
  }

  #tellBridge(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      this.#bridge.subscribe([...this.#listeners.keys()]);
    });
  }

  #receive(pushes: unknown): void {
    for (const raw of Array.isArray(pushes) ? pushes : [pushes]) {
      const parsed = pushSchema.safeParse(unpackedPush(raw));
      if (!parsed.success) {
        console.error('a push with an unexpected form', parsed.error.message);
        continue;
      }
      if (parsed.data.topic === 'system') this.#watchCore(parsed.data);
      if (isOfRun(pushTopic(parsed.data))) this.#draw(parsed.data);
      else this.#hand(parsed.data);
    }
  }

  /** A working run sends several pushes per frame: drawing each of them would be wasted. */
  #draw(push: Push): void {
    this.#drawn.push(push);
    if (this.#drawn.length > 1) return;
    this.#inFrame(() => {
      const pushes = this.#drawn;
      this.#drawn = [];
      for (const one of pushes) this.#hand(one);
    });
  }

  #hand(push: Push): void {
    for (const listener of [...(this.#listeners.get(pushTopic(push)) ?? [])]) listener(push);
  }

  /** The state of the core when the page began: calls made while it was unavailable have failed. */
  begin({ core }: SystemStatus): void {
    if (this.#core === null && (core.state === 'restarting' || core.state === 'failed')) this.#core = 'away';
  }

  /** A new core process, or a new connection to the same one: pushes in between were missed. */
  #watchCore({ status }: PushOf<'system'>): void {
    if (status.core.state !== 'running' && status.core.state !== 'attached') {
      this.#core = 'away';
      return;
    }
    const core = `${status.core.pid}/${status.core.restarts}`;
    const lost = this.#core !== null && this.#core !== core;
    this.#core = core;
    if (!lost) return;
    this.#tellBridge();
    for (const listener of [...this.#lost]) listener();
  }
}
