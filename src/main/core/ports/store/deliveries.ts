import type { AnswerOffer } from '@areas/deliveries/contract/answer';
import type { DeliveryRow, DeliveryState, TargetState } from '@areas/deliveries/contract/procedures';
import type { DeliveryFilter, DeliveryKind, DeliveryTarget } from '@areas/deliveries/contract/target';
import type { Update } from '@areas/feed/contract/update';
import type { GateOption } from '@areas/gates/contract/gate';
import type { AppError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { Result } from '@contract/result';
import type { ActivationOutcome } from '@contract/run/activation/events';

/** The next due delivery of a target, with everything a sender needs. */
export interface NextDelivery {
  readonly id: number;
  readonly key: string;
  readonly attempts: number;
  readonly queuedAt: number;
  readonly nextAt: number;
  readonly runId: number;
  readonly runUid: string;
  readonly runName: string;
  readonly projectName: string | null;
  /** The event that it reports. */
  readonly eventId: number;
  /** The originating session; null if it comes from no turn. */
  readonly sessionId: number | null;
  readonly news: News;
}

/** The loop or team that a delivery is about. */
export interface NewsStep {
  readonly type: string;
  readonly title: string;
}

/** What happened, from its event. */
export type News =
  /** `text`: exactly as in the feed. */
  | { readonly subject: 'update'; readonly update: Update; readonly text: string }
  | { readonly subject: 'question'; readonly step: NewsStep; readonly gateId: number }
  | { readonly subject: 'wait'; readonly step: NewsStep; readonly dueAt: number }
  | {
      readonly subject: 'end';
      readonly step: NewsStep;
      readonly outcome: ActivationOutcome;
      readonly error: AppError | null;
      readonly receipt: Readonly<Record<string, Json>>;
    };

export interface DeliveryQuery {
  readonly eventId?: number;
  readonly target?: string;
  readonly state?: DeliveryState;
  readonly before?: number;
  readonly limit: number;
}

/** The result of a try. */
export type Tried =
  | { readonly kind: 'delivered'; readonly at: number; readonly receipt: string }
  | { readonly kind: 'failed'; readonly error: string; readonly nextAt: number }
  | { readonly kind: 'given_up'; readonly at: number; readonly error: string }
  /** The question was answered or withdrawn meanwhile, so it is not sent any more. */
  | { readonly kind: 'obsolete'; readonly at: number; readonly why: string }
  /** Interrupted by the core's end: does not count as a try. */
  | { readonly kind: 'cut_off' };

export interface DeliveryReader {
  /** The next delivery due. Only the oldest open delivery of each run may be sent. */
  nextDelivery(target: string): NextDelivery | null;
  deliveries(query: DeliveryQuery): { rows: DeliveryRow[]; more: boolean };
  targetStates(targets: readonly string[]): TargetState[];
}

/**
 * None of these writes syncs by itself. After a power failure, cursor and rows are both as before, and the
 * delivery is sent again with the same key.
 */
export interface DeliveryWriter {
  /**
   * Creates deliveries for the updates and announcements that each target has not seen, a few hundred at a
   * time, and returns whether there are more. A new target starts with the next one; a removed target loses
   * its position. Events of imported histories are skipped.
   */
  takeInNews(
    targets: readonly {
      readonly id: string;
      readonly filter: DeliveryFilter;
      readonly sends: readonly DeliveryKind[];
    }[],
    now: number,
  ): boolean;
  /** Deliveries that an earlier core was sending become due again. */
  recoverDeliveries(): void;
  beginDelivery(id: number, at: number): void;
  endDelivery(id: number, tried: Tried): void;
  /** Reopens given-up deliveries and makes waiting ones due at `at`; returns how many. */
  retryDeliveries(which: { readonly id: number } | { readonly target: string }, at: number): number;
  /** Gives up the open deliveries of all targets not in `known`. */
  dropDeliveries(known: readonly string[], at: number): void;
}

/** A question as sent to a target. */
export interface AskedQuestion {
  /** `RUN/GATE`, as on the command line. */
  readonly gate: string;
  readonly title: string;
  readonly message: string;
  /** What is asked about, such as the question on a terminal's screen; null if it is too much for a message. */
  readonly evidence: string | null;
  /** The agent, member, step, run and project that it comes from. */
  readonly origin: string;
  readonly options: readonly GateOption[];
  /** How it can be answered from the target; null if only in Muster. */
  readonly answer: AnswerOffer | null;
}

/** The content of a delivery, for programs. */
export type SentContent =
  | { readonly kind: 'update'; readonly update: Update }
  | { readonly kind: 'question'; readonly question: AskedQuestion }
  | { readonly kind: 'wait'; readonly wait: { readonly until: string } }
  | { readonly kind: 'end'; readonly end: { readonly outcome: ActivationOutcome } };

/**
 * What a sender receives: the text for a person (for an update, exactly that of the feed), and its content.
 */
export interface Sending {
  readonly key: string;
  readonly text: string;
  readonly content: SentContent;
  readonly run: { readonly id: number; readonly uid: string; readonly name: string };
  readonly sourceSessionKey: string | null;
  /** Resolves when no one waits for the answer any more, for example at the core's end. */
  readonly cut: Promise<void>;
}

export interface Undelivered {
  readonly error: AppError;
  /** `target`: the target would accept nothing now. `update`: it rejected this one. */
  readonly concerns: 'target' | 'update';
  /** False if only the operator can fix it. Retries continue, but rarely; an update is given up at once. */
  readonly again: boolean;
  /** Milliseconds that the target asks to wait; null if it does not say. */
  readonly afterMs: number | null;
}

/** Sends one text to one target. `receipt` is the target's response. Never rejects, except for bugs. */
export type Send = (
  target: DeliveryTarget,
  sending: Sending,
) => Promise<Result<{ readonly receipt: string }, Undelivered>>;
