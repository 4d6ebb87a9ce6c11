import type { AppError } from '@contract/errors';
import type { LocalId } from '@contract/ids';
import type { ExecResult } from '@contract/sandbox/protocol';
import type { Usage } from '@contract/session/session';
import type { RlmDocument, RlmEvent, StoredText } from './events';

type Lost = Extract<RlmEvent, { type: 'rlm.block-lost' }>['reason'];

export interface AnsweredCall {
  readonly ok: boolean;
  readonly answer: StoredText;
  readonly model: string;
  readonly usage: Usage | null;
  readonly durationMs: number;
}

export interface CallBatch {
  readonly prompts: readonly StoredText[];
  /** One place for each prompt; null while it is not answered. */
  readonly answers: readonly (AnsweredCall | null)[];
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
  readonly documents: readonly RlmDocument[] | 'requested' | null;
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  readonly marker: string | null;
  readonly confined: { readonly osSandbox: boolean; readonly detail: string } | null;
  readonly error: AppError | null;
  readonly blocks: readonly BlockState[];
  readonly variables: readonly ReadVariable[];
  /** Turns before whose blocks the variables were lost. */
  readonly lostBefore: readonly LocalId[];
}
