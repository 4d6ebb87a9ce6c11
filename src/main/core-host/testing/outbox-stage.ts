import {
  type DeliveryFilter,
  type DeliveryKind,
  deliveryTargetSchema,
} from '@areas/deliveries/contract/target';
import { type OfferAnswer, UpdateOutbox } from '@areas/deliveries/node/outbox';
import type { Update } from '@areas/feed/contract/update';
import { ownValue, setOwnValue } from '@contract/own';
import { Place } from '../../adapters/sqlite/testing/place';
import { started, Teller, update } from '../../adapters/sqlite/testing/story';
import type { Clock } from '../../core/ports/ports';
import type { Send } from '../../core/ports/store/deliveries';
import type { Store } from '../../core/ports/store/store';

/** A clock advanced by the test. */
class TestClock implements Clock {
  #now = 1_700_000_000_000;
  #timers: { at: number; run: () => void }[] = [];

  now = (): number => this.#now;

  at(at: number, run: () => void): () => void {
    const timer = { at, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  next(): number | null {
    return this.#timers.length === 0 ? null : Math.min(...this.#timers.map(({ at }) => at));
  }

  to(at: number): void {
    this.#now = Math.max(this.#now, at);
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const { run } of due) run();
  }

  forget(): void {
    this.#timers = [];
  }
}

/** Lets everything ready continue. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * The outbox over a real database, with senders of a test. A target named `bad` gets only blocked or failed
 * updates.
 */
export class OutboxStage {
  readonly clock = new TestClock();
  readonly #place = new Place();
  readonly notices: string[] = [];
  readonly takenBack: string[] = [];
  readonly faults: string[] = [];
  store: Store;
  outbox: UpdateOutbox;
  giveUpDays = 90;
  targets: { id: string; enabled: boolean; filter: DeliveryFilter; sends?: DeliveryKind[] }[];
  offer: OfferAnswer = async () => null;
  /** Maximum simultaneous deliveries to one target. */
  atOnce = 0;
  readonly #flying = new Map<string, number>();

  constructor(
    ids: readonly string[],
    private readonly send: Send,
  ) {
    this.targets = ids.map((id) => ({ id, enabled: true, filter: id === 'bad' ? 'trouble' : 'everything' }));
    this.store = this.#place.open();
    this.store.addProject('/projects/sample', 'sample', 1);
    this.outbox = this.#make();
  }

  async start(): Promise<void> {
    this.outbox.start();
    await settled();
  }

  #make(): UpdateOutbox {
    const quiet = () => undefined;
    this.#flying.clear();
    return new UpdateOutbox({
      store: this.store,
      clock: this.clock,
      logger: {
        info: quiet,
        warn: quiet,
        error: (_message, detail) => this.faults.push(JSON.stringify(detail)),
      },
      settings: () => ({
        giveUpDays: this.giveUpDays,
        targets: this.targets.map((target) =>
          deliveryTargetSchema.parse({ kind: 'command', name: target.id, command: 'true', ...target }),
        ),
      }),
      send: async (target, sending) => {
        const flying = (this.#flying.get(target.id) ?? 0) + 1;
        this.#flying.set(target.id, flying);
        this.atOnce = Math.max(this.atOnce, flying);
        const sent = await this.send(target, sending);
        this.#flying.set(target.id, (this.#flying.get(target.id) ?? 1) - 1);
        return sent;
      },
      chance: () => 0.5,
      offer: (...asked) => this.offer(...asked),
      newId: () => '01TEST',
      changed: quiet,
      notice: (text) => this.notices.push(text),
      takeBack: (id) => this.takenBack.push(id),
    });
  }

  /** Advances from one timer to the next. */
  async pass(ms: number, { until = () => false }: { until?: () => boolean } = {}): Promise<void> {
    const end = this.clock.now() + ms;
    await settled();
    for (let next = this.clock.next(); next !== null && next <= end && !until(); next = this.clock.next()) {
      this.clock.to(next);
      await settled();
    }
    if (!until()) this.clock.to(end);
    await settled();
  }

  /** `crash`: nothing of the old outbox continues. `quit`: it is stopped. */
  async restart(how: 'crash' | 'quit'): Promise<void> {
    if (how === 'quit') {
      const stopped = this.outbox.stop();
      await this.pass(5_000);
      await stopped;
    }
    this.clock.forget();
    this.store.close();
    this.store = this.#place.open();
    this.outbox = this.#make();
    await this.start();
  }

  open(): number {
    return this.store.targetStates(this.targets.map(({ id }) => id)).reduce((sum, { open }) => sum + open, 0);
  }

  async end(): Promise<void> {
    this.clock.forget();
    this.#place.remove();
  }
}

/** Updates posted by a test. */
export class PostedUpdates {
  readonly #posted: { run: number; result: Update['result']; text: string }[] = [];
  readonly #tellers = new Map<number, Teller>();

  constructor(private readonly stage: OutboxStage) {}

  async post(
    run: number,
    result: Update['result'] = 'completed',
    source?: Update['storySource'],
  ): Promise<string> {
    const teller = await this.#teller(run);
    const event = update(`run ${run} number ${this.#posted.length}`, result);
    if (event.type !== 'update.posted') throw new Error('no update');
    const own = source === undefined ? event : { ...event, update: { ...event.update, storySource: source } };
    const told = await this.stage.store.log.append(teller.next([own]));
    if (!told.ok) throw new Error(told.error.message);
    this.#posted.push({ run, result, text: event.text });
    this.stage.outbox.posted();
    return event.text;
  }

  async #teller(run: number): Promise<Teller> {
    const known = this.#tellers.get(run);
    if (known) return known;
    const { store } = this.stage;
    const made = new Teller(store);
    const [project] = store.projects();
    const told = await store.log.append(
      made.next([started({ uid: `01RUN${run}`, projectId: project?.id ?? 1, name: `run ${run}` })]),
    );
    if (!told.ok) throw new Error(told.error.message);
    this.#tellers.set(run, made);
    return made;
  }

  texts(result?: Update['result']): string[] {
    return this.#posted
      .filter((one) => result === undefined || one.result === result)
      .map(({ text }) => text);
  }

  /** Each run's texts in the given order. */
  byRun(texts: readonly string[]): Record<string, string[]> {
    const runs: Record<string, string[]> = {};
    for (const text of texts) {
      const run = /run (\d+) number/.exec(text)?.[1] ?? '';
      setOwnValue(runs, run, [...(ownValue(runs, run) ?? []), text]);
    }
    return runs;
  }
}
