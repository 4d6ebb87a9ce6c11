import type { AppError } from '@contract/errors';
import type { LocalId } from '@contract/ids';
import type { ExecResult, ReplSeed } from '@contract/sandbox/protocol';
import type {
  AnsweredCall,
  CheckedCitations,
  RlmDocument,
  RlmEvent,
  StoredText,
  Verification,
} from './events';

type Lost = Extract<RlmEvent, { type: 'rlm.block-lost' }>['why'];

export interface SubCall {
  readonly prompt: StoredText;
  /** It was sent, or is being sent. */
  readonly started: boolean;
  /**
   * Its answer was there when it was requested: taken over from a block that was lost and repeated, or a refusal
   * because of the limit. The sub-model was not asked, and nothing was paid.
   */
  readonly unasked: boolean;
  readonly answer: AnsweredCall | null;
}

export interface CallBatch {
  readonly calls: readonly SubCall[];
}

export interface BlockState {
  readonly turnId: LocalId;
  readonly block: number;
  readonly code: string;
  readonly batches: readonly CallBatch[];
  /** When it ended, with its sub-calls; null while it runs. */
  readonly endedAt: number | null;
  readonly end:
    | { readonly kind: 'finished'; readonly result: ExecResult; readonly timedOut: boolean }
    | { readonly kind: 'lost'; readonly reason: Lost; readonly detail?: string | undefined }
    | null;
}

interface ReadVariable {
  readonly turnId: LocalId;
  readonly name: string;
  /** `undefined` while being read, null if there is none. */
  readonly text: string | null | undefined;
}

/** One question over documents: the history of its REPL. The root model's turns belong to the platform. */
export interface RlmState {
  readonly activationId: LocalId;
  readonly documents: readonly RlmDocument[] | null;
  /** The documents being copied; null before and after. */
  readonly freezing: Omit<Extract<RlmEvent, { type: 'rlm.documents-requested' }>, 'type'> | null;
  /** `ready`: one has started. If it has ended since, it is replaced when needed. */
  readonly sandbox: 'none' | 'requested' | 'ready';
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  readonly marker: string | null;
  /** Null: the code uses the machine's clock and random numbers. */
  readonly fixed: ReplSeed | null;
  readonly confined: { readonly osSandbox: boolean; readonly detail: string } | null;
  readonly error: AppError | null;
  /** Why no text can be written at present. */
  readonly held: AppError | null;
  readonly blocks: readonly BlockState[];
  readonly variables: readonly ReadVariable[];
  /** Turns whose blocks start without the earlier variables. */
  readonly lostBefore: readonly LocalId[];
  /** Index, over all iterations, of the first block whose variables still exist. */
  readonly variablesFrom: number;
  /** Index of the first block whose death counts: those before a resumption are forgiven. */
  readonly deathsFrom: number;
  /** The citations being checked; null before and after. */
  readonly citing: Omit<Extract<RlmEvent, { type: 'rlm.citations-requested' }>, 'type'> | null;
  /** Null: not checked yet, or the answer cites nothing. */
  readonly citations: CheckedCitations | null;
  /** The verification in progress; null before and after. */
  readonly verifying: Omit<Extract<RlmEvent, { type: 'rlm.verification-requested' }>, 'type'> | null;
  /** Null: not verified yet, or not requested. */
  readonly verification: Verification | null;
  /** The second check, for an answer about source code; null if there was none. */
  readonly codeVerification: Verification | null;
  /** Number of all requested sub-calls. */
  readonly asked: number;
}
