import type { LocalId } from '@contract/ids';
import type { OfType, Reducer, Reducers } from '@contract/run/event-table';
import { defineFeature } from '@contract/run/feature';
import { type RlmEvent, rlmEvents } from './events';
import type { AnsweredCall, BlockState, CallBatch, RlmState } from './state';

type Slice = Record<LocalId, RlmState>;

const blank = (activationId: LocalId): RlmState => ({
  activationId,
  documents: null,
  leftOut: [],
  marker: null,
  confined: null,
  error: null,
  blocks: [],
  variables: [],
  lostBefore: [],
});

/** Replaces the entry of the event's activation with what the event changes in it. */
const changing =
  <E extends RlmEvent>(change: (rlm: RlmState, event: E) => Partial<RlmState>): Reducer<Slice, E> =>
  (slice, event) => {
    const rlm = slice[event.activationId] ?? blank(event.activationId);
    slice[event.activationId] = { ...rlm, ...change(rlm, event) };
  };

type OfBlock = Extract<RlmEvent, { block: number }>;

/** The same for the event's block. */
const changingBlock = <E extends OfBlock>(
  change: (block: BlockState, event: E) => Partial<BlockState>,
): Reducer<Slice, E> =>
  changing<E>(({ blocks }, event) => ({
    blocks: blocks.map((block) =>
      block.turnId === event.turnId && block.block === event.block
        ? { ...block, ...change(block, event) }
        : block,
    ),
  }));

function answered({ batches }: BlockState, event: OfType<RlmEvent, 'rlm.call-answered'>): CallBatch[] {
  const { ok, answer, model, usage, durationMs } = event;
  const call: AnsweredCall = { ok, answer, model, usage, durationMs };
  return batches.map((batch, at) =>
    at === event.batch
      ? { ...batch, answers: batch.answers.map((known, index) => (index === event.index ? call : known)) }
      : batch,
  );
}

const reducers: Reducers<Slice, RlmEvent> = {
  'rlm.documents-requested': changing(() => ({ documents: 'requested', error: null })),
  'rlm.documents-frozen': changing((_, { documents, leftOut, marker }) => ({ documents, leftOut, marker })),
  'rlm.documents-refused': changing((_, { error }) => ({ documents: null, error })),
  'rlm.sandbox-started': changing((_, { confined }) => ({ confined })),
  'rlm.sandbox-refused': changing((_, { error }) => ({ error })),
  'rlm.block-started': changing(({ blocks }, { turnId, block, code }) => ({
    blocks: [...blocks, { turnId, block, code, batches: [], end: null }],
  })),
  'rlm.calls-asked': changingBlock(({ batches }, { prompts }) => ({
    batches: [...batches, { prompts, answers: prompts.map(() => null) }],
  })),
  'rlm.call-answered': changingBlock((block, event) => ({ batches: answered(block, event) })),
  'rlm.block-finished': changingBlock((_, { result, timedOut }) => ({
    end: { kind: 'finished', result, timedOut },
  })),
  'rlm.block-lost': changingBlock((_, { reason }) => ({ end: { kind: 'lost', reason } })),
  'rlm.variables-lost': changing(({ lostBefore }, { turnId }) => ({ lostBefore: [...lostBefore, turnId] })),
  'rlm.variable-requested': changing(({ variables }, { turnId, name }) => ({
    variables: [...variables, { turnId, name, text: undefined }],
  })),
  'rlm.variable-read': changing(({ variables }, { turnId, name, text }) => ({
    variables: variables.map((known) =>
      known.turnId === turnId && known.name === name ? { ...known, text } : known,
    ),
  })),
};

/** What the platform asks of this feature. Its line in the registry joins it with the runs. */
export const rlmFeature = defineFeature({
  slice: 'rlm',
  events: rlmEvents,
  reducers,
  follows: {},
  works: ({ documents, blocks, variables }: RlmState) =>
    documents === 'requested' ||
    blocks.at(-1)?.end === null ||
    variables.some(({ text }) => text === undefined),
  rests: () => false,
  stoppedLanes: () => [],
  resumedLanes: [],
});
