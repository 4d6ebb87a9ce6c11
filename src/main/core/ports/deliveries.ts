import type { AnswerOffer } from '@contract/delivery/answer';
import type { DeliveryRow, DeliveryState, TargetState } from '@contract/delivery/procedures';
import type { DeliveryFilter, DeliveryKind, DeliveryTarget } from '@contract/delivery/target';
import type { AppError } from '@contract/errors';
import type { GateOption } from '@contract/gate/gate';
import type { Json } from '@contract/ids';
import type { Result } from '@contract/result';
import type { ActivationOutcome } from '@contract/run/activation/events';
import type { Update } from '@contract/update/update';

/** The delivery of a target whose turn it is, with all that a sender needs. */
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
  /** The event that it tells of. */
  readonly eventId: number;
  /** Of the session that it comes from; null where it comes from no turn. */
  readonly sessionId: number | null;
  readonly news: News;
}

/** The loop or team that a delivery is about. */
export interface NewsStep {
  readonly type: string;
  readonly title: string;
}

/** What happened, as its event has it. */
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

/** How a try ended. */
export type Tried =
  | { readonly kind: 'delivered'; readonly at: number; readonly receipt: string }
  | { readonly kind: 'failed'; readonly error: string; readonly nextAt: number }
  | { readonly kind: 'given_up'; readonly at: number; readonly error: string }
  /** The question was answered or withdrawn meanwhile: it is not sent any more. */
  | { readonly kind: 'obsolete'; readonly at: number; readonly why: string }
  /** Cut off by the end of the core: it counts as not tried. */
  | { readonly kind: 'cut_off' };

export interface DeliveryReader {
  /** The oldest open delivery of each run is the only one of that run that may go; of those the one due first. */
  nextDelivery(target: string): NextDelivery | null;
  deliveries(query: DeliveryQuery): { rows: DeliveryRow[]; more: boolean };
  targetStates(targets: readonly string[]): TargetState[];
}

/**
 * None of these writes syncs by itself. If power fails the cursor and the rows are both as before, and what was sent is
 * sent once more with the same key.
 */
export interface DeliveryWriter {
  /**
   * Makes deliveries of the updates and announcements that each target has not seen, some hundred at a time, and says
   * whether there are more. A target that is named for the first time begins with the next one; a target that is no
   * longer named forgets where it was. What an imported history tells is passed over.
   */
  takeInNews(
    targets: readonly {
      readonly id: string;
      readonly filter: DeliveryFilter;
      readonly sends: readonly DeliveryKind[];
    }[],
    now: number,
  ): boolean;
  /** What an earlier core was sending is to be sent again. */
  recoverDeliveries(): void;
  beginDelivery(id: number, at: number): void;
  endDelivery(id: number, tried: Tried): void;
  /** Opens what was given up and makes what waits due at `at`: how many. */
  retryDeliveries(which: { readonly id: number } | { readonly target: string }, at: number): number;
  /** Gives up what is open for any target that is not named. */
  dropDeliveries(known: readonly string[], at: number): void;
}

/** A question as a target gets it. */
export interface AskedQuestion {
  /** `RUN/GATE`, as the command line names it. */
  readonly gate: string;
  readonly title: string;
  readonly message: string;
  /** The agent, member, step, run and project that it comes from. */
  readonly origin: string;
  readonly options: readonly GateOption[];
  /** How it can be answered from the target; null where it can be answered in Muster only. */
  readonly answer: AnswerOffer | null;
}

/** What a delivery is about, for programs. */
export type SentContent =
  | { readonly kind: 'update'; readonly update: Update }
  | { readonly kind: 'question'; readonly question: AskedQuestion }
  | { readonly kind: 'wait'; readonly wait: { readonly until: string } }
  | { readonly kind: 'end'; readonly end: { readonly outcome: ActivationOutcome } };

/** What a sender is given: the text for a person (of an update exactly that of the feed), and what it is about. */
export interface Sending {
  readonly key: string;
  readonly text: string;
  readonly content: SentContent;
  readonly run: { readonly id: number; readonly uid: string; readonly name: string };
  readonly sourceSessionKey: string | null;
  /** Resolves when no one waits for the answer any more, as at the core's end. */
  readonly cut: Promise<void>;
}

export interface Undelivered {
  readonly error: AppError;
  /** `target`: nothing else would arrive there now either. `update`: this one is what the target did not take. */
  readonly concerns: 'target' | 'update';
  /** False where only the operator can mend it: it is still tried, but seldom; an update is given up at once. */
  readonly again: boolean;
  /** Milliseconds that the target asks to wait; null where it does not say. */
  readonly afterMs: number | null;
}

/** Sends one text to one target. `receipt` is what the target answered. Never rejects, unless by a bug. */
export type Send = (
  target: DeliveryTarget,
  sending: Sending,
) => Promise<Result<{ readonly receipt: string }, Undelivered>>;
