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
  readonly end:
    | { readonly kind: 'finished'; readonly result: ExecResult; readonly timedOut: boolean }
    | { readonly kind: 'lost'; readonly reason: Lost }
    | null;
}

export interface ReadVariable {
  readonly turnId: LocalId;
  readonly name: string;
  /** `undefined` while it is being read, null where there is none. */
  readonly text: string | null | undefined;
}

/** One question over documents: what happened in its REPL. The turns of the root model are the platform's. */
export interface RlmState {
  readonly activationId: LocalId;
  readonly documents: readonly RlmDocument[] | null;
  /** What is being frozen; null before and after. */
  readonly freezing: Omit<Extract<RlmEvent, { type: 'rlm.documents-requested' }>, 'type'> | null;
  /** `ready`: one has started. It may be gone by now, and is then replaced when it is needed. */
  readonly sandbox: 'none' | 'requested' | 'ready';
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  readonly marker: string | null;
  /** Null: clock and random numbers of the code are the machine's. */
  readonly fixed: ReplSeed | null;
  readonly confined: { readonly osSandbox: boolean; readonly detail: string } | null;
  readonly error: AppError | null;
  /** Why no text can be written at present. */
  readonly held: AppError | null;
  readonly blocks: readonly BlockState[];
  readonly variables: readonly ReadVariable[];
  /** Turns before whose blocks the variables were lost. */
  readonly lostBefore: readonly LocalId[];
  /** Blocks before this one, counted over all iterations, left no variables. */
  readonly variablesFrom: number;
  /** What the answer cites and is being looked up; null before and after. */
  readonly citing: Omit<Extract<RlmEvent, { type: 'rlm.citations-requested' }>, 'type'> | null;
  /** Null: not checked yet, or the answer cites nothing. */
  readonly citations: CheckedCitations | null;
  /** What a second model is asked to refute; null before and after. */
  readonly verifying: Omit<Extract<RlmEvent, { type: 'rlm.verification-requested' }>, 'type'> | null;
  /** Null: not verified yet, or not to be. */
  readonly verification: Verification | null;
  /** The second look, at an answer about source code; null where there was none. */
  readonly codeVerification: Verification | null;
  /** All sub-calls that were asked for. */
  readonly asked: number;
}
