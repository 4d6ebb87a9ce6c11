import { formatUpdate, type Update } from '@areas/feed/contract/update';
import type { GateRow } from '@areas/gates/contract/procedures';
import { gateOrigin } from '@areas/gates/contract/requester';
import { err, fail, ok, type Result } from '@contract/result';
import type { Settings } from '@contract/system/procedures';
import { DAY_MS } from '@contract/time-units';
import type { Clock, Logger } from '@main/core/ports/ports';
import type {
  AskedQuestion,
  DeliveryQuery,
  NewsStep,
  NextDelivery,
  Send,
  Sending,
  Undelivered,
} from '@main/core/ports/store/deliveries';
import type { Store } from '@main/core/ports/store/store';
import { LAST_DELIVERIES_MS, OUTBOX_FAULT_MS, UPDATES_GATHERED_MS } from '@main/limits/core';
import type { AnswerOffer } from '../contract/answer';
import type { DeliveryTarget } from '../contract/target';
import { endText, evidenceToSend, questionText, waitText } from '../core/news-text';
import { Lane, type LaneParts, type Sent } from './outbox-lane';

interface OutboxParts {
  readonly store: Pick<
    Store,
    | 'gate'
    | 'takeInNews'
    | 'recoverDeliveries'
    | 'beginDelivery'
    | 'endDelivery'
    | 'retryDeliveries'
    | 'dropDeliveries'
    | 'nextDelivery'
    | 'deliveries'
    | 'targetStates'
  >;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: () => Settings['deliveries'];
  readonly send: Send;
  /** How a question can be answered from a target. */
  readonly offer: OfferAnswer;
  /** Random number from 0 to 1. */
  readonly chance: () => number;
  readonly newId: () => string;
  readonly changed: () => void;
  readonly notice: (text: string, id: string) => void;
  readonly takeBack: (id: string) => void;
}

export type OfferAnswer = (
  target: DeliveryTarget,
  gate: GateRow,
  delivery: Pick<NextDelivery, 'runUid' | 'queuedAt'>,
) => Promise<AnswerOffer | null>;

/**
 * Sends updates and announcements to the targets in the settings: at least once, one at a time per target,
 * each run's in order. What to send is derived from stored events by a cursor per target, separately from
 * their commits, so neither loops nor the store wait for a target. A delivery keeps its key: one interrupted
 * by the core's death is sent again with the same key.
 */
export class UpdateOutbox {
  private readonly lanes = new Map<string, Lane>();
  private state: 'new' | 'running' | 'stopped' = 'new';
  private gathering: (() => void) | null = null;
  /** The settings last applied. */
  private heeded = '';

  constructor(private readonly parts: OutboxParts) {}

  /** Starts sending. Call only when no delivery of an earlier core can be in progress. */
  start(): void {
    if (this.state !== 'new') return;
    this.state = 'running';
    this.safely(() => this.parts.store.recoverDeliveries());
    this.settingsChanged();
  }

  /** Tries due deliveries a moment longer, then interrupts the one in progress, which stays open. */
  async stop(): Promise<void> {
    const running = this.state === 'running';
    if (running) this.safely(() => this.takeInAll());
    this.state = 'stopped';
    this.gathering?.();
    const until = this.parts.clock.now() + LAST_DELIVERIES_MS;
    await Promise.all([...this.lanes.values()].map((lane) => lane.stop(until)));
  }

  /** An event with a delivery was committed. */
  posted(): void {
    if (this.state !== 'running' || this.gathering !== null) return;
    if (this.targets().length > 0) this.gather(UPDATES_GATHERED_MS);
  }

  settingsChanged(): void {
    if (this.state !== 'running') return;
    const { targets, giveUpDays } = this.parts.settings();
    const now = JSON.stringify({ targets, giveUpDays });
    if (now === this.heeded) return;
    this.heeded = now;
    const ids = targets.map(({ id }) => id);
    this.safely(() => this.parts.store.dropDeliveries(ids, this.parts.clock.now()));
    for (const [id, lane] of this.lanes) {
      if (!targets.some((target) => target.id === id && target.enabled)) lane.rest();
    }
    // A changed address or secret may be the fix.
    for (const lane of this.lanes.values()) lane.release();
    this.takeIn();
    this.parts.changed();
  }

  states() {
    return this.parts.store.targetStates(this.parts.settings().targets.map(({ id }) => id));
  }

  list(query: DeliveryQuery) {
    return this.parts.store.deliveries(query);
  }

  retry(which: { readonly id: number } | { readonly target: string }): Result<{ count: number }> {
    const count = this.parts.store.retryDeliveries(which, this.parts.clock.now());
    if (count === 0) return fail('not_found', 'There is nothing to retry.');
    for (const lane of this.lanes.values()) lane.release();
    this.parts.changed();
    return ok({ count });
  }

  /** Sends a five-line test message. */
  async test(target: DeliveryTarget): Promise<Result<{ receipt: string }>> {
    const update: Update = {
      iteration: 1,
      of: 1,
      retry: 0,
      story: { id: 'test', title: 'A test of this target' },
      storySource: 'none',
      result: 'no-op',
      commit: null,
      summary: ['Sent from the settings of Muster.'],
    };
    const uid = this.parts.newId();
    const sent = await this.parts.send(target, {
      key: `muster:test:${uid}:${target.id}`,
      text: formatUpdate(update),
      content: { kind: 'update', update },
      run: { id: 0, uid, name: 'test' },
      sourceSessionKey: null,
      cut: new Promise(() => undefined),
    });
    return sent.ok ? sent : err(sent.error.error);
  }

  private targets(): readonly DeliveryTarget[] {
    return this.parts.settings().targets.filter(({ enabled }) => enabled);
  }

  private gather(ms: number): void {
    const { clock } = this.parts;
    this.gathering = clock.at(clock.now() + ms, () => {
      this.gathering = null;
      this.takeIn();
    });
  }

  private takeIn(): void {
    if (this.state !== 'running') return;
    const more = this.safely(() => this.parts.store.takeInNews(this.targets(), this.parts.clock.now()));
    if (more !== false && this.gathering === null)
      this.gather(more === null ? OUTBOX_FAULT_MS : UPDATES_GATHERED_MS);
    this.pump();
    this.parts.changed();
  }

  private takeInAll(): void {
    const targets = this.targets();
    while (this.parts.store.takeInNews(targets, this.parts.clock.now()));
    this.pump();
  }

  private pump(): void {
    for (const target of this.targets()) {
      const lane = this.lanes.get(target.id) ?? new Lane(this.laneParts(target.id));
      this.lanes.set(target.id, lane);
      lane.pump();
    }
  }

  private laneParts(id: string): LaneParts {
    const { store, clock, chance, logger, changed, notice, takeBack } = this.parts;
    const target = () => this.targets().find((one) => one.id === id) ?? null;
    return {
      id,
      store,
      clock,
      chance,
      logger,
      changed,
      notice,
      takeBack,
      target,
      giveUpMs: () => this.parts.settings().giveUpDays * DAY_MS,
      send: (to, next, cut) => this.send(to, next, cut),
    };
  }

  private async send(
    target: DeliveryTarget,
    next: NextDelivery,
    cut: Promise<void>,
  ): Promise<Result<Sent, Undelivered>> {
    const what = await this.contentOf(target, next);
    if ('obsolete' in what) return ok(what);
    const sent = await this.parts.send(target, {
      key: next.key,
      ...what,
      run: { id: next.runId, uid: next.runUid, name: next.runName },
      sourceSessionKey: next.sessionId === null ? null : `${next.runUid}/s${next.sessionId}`,
      cut,
    });
    return what.content.kind === 'question' ? withoutToken(sent, what.content.question) : sent;
  }

  private async contentOf(
    target: DeliveryTarget,
    next: NextDelivery,
  ): Promise<Pick<Sending, 'text' | 'content'> | { readonly obsolete: string }> {
    const { news, runName, projectName } = next;
    const names = [runName, projectName];
    switch (news.subject) {
      case 'update':
        return { text: news.text, content: { kind: 'update', update: news.update } };
      case 'question':
        return this.questionOf(target, next, news);
      case 'wait': {
        if (news.dueAt <= this.parts.clock.now()) return { obsolete: 'The wait ended before it was sent.' };
        const until = new Date(news.dueAt).toISOString();
        return { text: waitText(news.step, until, names), content: { kind: 'wait', wait: { until } } };
      }
      case 'end':
        return { text: endText(news, names), content: { kind: 'end', end: { outcome: news.outcome } } };
    }
  }

  private async questionOf(
    target: DeliveryTarget,
    next: NextDelivery,
    { gateId, step }: { readonly gateId: number; readonly step: NewsStep },
  ): Promise<Pick<Sending, 'text' | 'content'> | { readonly obsolete: string }> {
    const gate = this.parts.store.gate(next.runId, gateId);
    if (gate?.status !== 'open') return { obsolete: 'It was answered or withdrawn before it was sent.' };
    const question: AskedQuestion = {
      gate: `${gate.runId}/${gate.gateId}`,
      title: gate.title,
      message: gate.message,
      evidence: evidenceToSend(gate),
      origin: gateOrigin(gate),
      options: gate.options,
      answer: await this.parts.offer(target, gate, next),
    };
    return { text: questionText(gate, step, question), content: { kind: 'question', question } };
  }

  /** The store may fail temporarily, as on a full disk: then it is retried. Null if it failed. */
  private safely<T>(work: () => T): T | null {
    try {
      return work();
    } catch (fault) {
      this.parts.logger.error('the outbox could not be written', { fault: String(fault) });
      return null;
    }
  }
}

/** A target's response may contain what it was sent: keeps the token out of the database and notices. */
function withoutToken(sent: Awaited<ReturnType<Send>>, { answer }: AskedQuestion): typeof sent {
  if (answer === null) return sent;
  const masked = (text: string): string => text.replaceAll(answer.token, '(answer token)');
  if (sent.ok) return ok({ receipt: masked(sent.value.receipt) });
  const { error, ...rest } = sent.error;
  return err({ ...rest, error: { ...error, message: masked(error.message) } });
}
