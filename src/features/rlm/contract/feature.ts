import type { LocalId } from '@contract/ids';
import type { OfType, Reducer, Reducers } from '@contract/run/event-table';
import { defineFeature, worksIf } from '@contract/run/features/feature';
import type { PlatformEventOf } from '@contract/run/platform-events';
import { type RlmEvent, rlmEvents } from './events';
import type { BlockState, CallBatch, RlmState, SubCall } from './state';

type Slice = Record<LocalId, RlmState>;

const blank = (activationId: LocalId): RlmState => ({
  activationId,
  documents: null,
  freezing: null,
  sandbox: 'none',
  leftOut: [],
  marker: null,
  fixed: null,
  confined: null,
  error: null,
  held: null,
  blocks: [],
  variables: [],
  lostBefore: [],
  variablesFrom: 0,
  deathsFrom: 0,
  citing: null,
  citations: null,
  verifying: null,
  verification: null,
  codeVerification: null,
  asked: 0,
});

/** Changes the entry of the event's activation. */
const changing =
  <E extends RlmEvent>(
    change: (rlm: RlmState, event: E, at: number) => Partial<RlmState>,
  ): Reducer<Slice, E> =>
  (slice, event, at) => {
    const rlm = slice[event.activationId] ?? blank(event.activationId);
    slice[event.activationId] = { ...rlm, ...change(rlm, event, at) };
  };

type OfBlock = Extract<RlmEvent, { block: number }>;

/** Changes the event's block. Only the last block can still change. */
const changingBlock = <E extends OfBlock>(
  change: (block: BlockState, event: E, at: number) => Partial<BlockState>,
): Reducer<Slice, E> =>
  changing<E>(({ blocks }, event, at) => {
    const index = blocks.findLastIndex(
      ({ turnId, block }) => turnId === event.turnId && block === event.block,
    );
    const found = blocks[index];
    return found === undefined
      ? {}
      : { blocks: blocks.with(index, { ...found, ...change(found, event, at) }) };
  });

type OfCall = OfType<RlmEvent, 'rlm.call-started'> | OfType<RlmEvent, 'rlm.call-answered'>;

/** Changes the event's sub-call, unless the block has since asked something else in its place. */
const changingCall = <E extends OfCall>(change: (event: E) => Partial<SubCall>): Reducer<Slice, E> =>
  changingBlock<E>(({ batches }, event) => {
    const batch = batches[event.batch];
    const call = batch?.calls[event.index];
    if (call === undefined || call.prompt.sha256 !== event.prompt) return {};
    const calls = batch?.calls.with(event.index, { ...call, ...change(event) }) ?? [];
    return { batches: batches.with(event.batch, { calls }) };
  });

const asked = (
  { batches }: BlockState,
  { batch, calls }: OfType<RlmEvent, 'rlm.calls-asked'>,
): CallBatch[] => [
  ...batches.slice(0, batch),
  { calls: calls.map((call) => ({ ...call, started: call.answer !== null, unasked: call.answer !== null })) },
];

const reducers: Reducers<Slice, RlmEvent> = {
  'rlm.documents-requested': changing((_, { type: __, ...freezing }) => ({ freezing, error: null })),
  'rlm.documents-frozen': changing((_, { documents, leftOut, marker, fixed = null }) => ({
    documents,
    leftOut,
    marker,
    fixed,
    freezing: null,
  })),
  'rlm.documents-refused': changing((_, { error }) => ({ documents: null, freezing: null, error })),
  'rlm.sandbox-requested': changing(() => ({ sandbox: 'requested', error: null })),
  'rlm.sandbox-started': changing((_, { confined }) => ({ sandbox: 'ready', confined })),
  'rlm.sandbox-refused': changing(({ blocks }, { error }) => ({
    sandbox: 'none',
    error,
    // The block that needed it has not run, and will run once the step is resumed.
    blocks: blocks.at(-1)?.end === null ? blocks.slice(0, -1) : blocks,
  })),
  'rlm.block-started': changing(({ blocks }, { turnId, block, code }) => ({
    blocks: [...blocks, { turnId, block, code, batches: [], endedAt: null, end: null }],
  })),
  'rlm.calls-asked': (slice, event, at) => {
    changingBlock<typeof event>((block, one) => ({ batches: asked(block, one) }))(slice, event, at);
    changing<typeof event>((rlm, { calls }) => ({
      asked: rlm.asked + calls.filter(({ answer }) => answer === null).length,
    }))(slice, event, at);
  },
  'rlm.call-started': changingCall(() => ({ started: true })),
  'rlm.call-answered': changingCall(({ ok, answer, model, usage, durationMs }) => ({
    answer: { ok, answer, model, usage, durationMs },
  })),
  'rlm.block-finished': changingBlock((_, { result, timedOut }, at) => ({
    end: { kind: 'finished', result, timedOut },
    endedAt: at,
  })),
  'rlm.block-lost': changingBlock((_, { why, detail }, at) => ({
    end: { kind: 'lost', reason: why, detail },
    endedAt: at,
  })),
  'rlm.variables-lost': changing(({ lostBefore, blocks }, { turnId }) => ({
    lostBefore: [...lostBefore, turnId],
    variablesFrom: blocks.filter(({ end }) => end !== null).length,
  })),
  'rlm.variable-requested': changing(({ variables }, { turnId, name }) => ({
    variables: [...variables, { turnId, name, text: undefined }],
  })),
  'rlm.variable-read': changing(({ variables }, { turnId, name, text }) => ({
    variables: variables.map((known) =>
      known.turnId === turnId && known.name === name ? { ...known, text } : known,
    ),
  })),
  'rlm.interrupt-requested': changing(() => ({})),
  'rlm.citations-requested': changing((_, { type: __, ...citing }) => ({ citing })),
  'rlm.citations-checked': changing((_, { documents, quotes, unread = [], trouble }) => ({
    citing: null,
    citations: { documents, quotes, unread, trouble },
  })),
  'rlm.verification-requested': changing((_, { type: __, ...verifying }) => ({ verifying })),
  'rlm.verification-finished': changing((_, { type: __, activationId: ___, layer, ...verification }) => ({
    verifying: null,
    ...(layer === 'code' ? { codeVerification: verification } : { verification }),
  })),
  'rlm.sandbox-ended': changing(() => ({ sandbox: 'none' })),
  'rlm.writing-held': changing((_, { error }) => ({ held: error })),
};

/** The operator resumes failed or cancelled questions. */
function resumed(slice: Slice, { activationIds }: PlatformEventOf<'run.resumed'>): void {
  for (const activationId of activationIds) {
    const rlm = slice[activationId];
    if (rlm !== undefined)
      slice[activationId] = { ...rlm, error: null, held: null, deathsFrom: rlm.blocks.length };
  }
}

/** Work of the question is in progress. */
export const underWay = ({ freezing, sandbox, blocks, variables, citing, verifying }: RlmState): boolean =>
  freezing !== null ||
  citing !== null ||
  verifying !== null ||
  sandbox === 'requested' ||
  blocks.at(-1)?.end === null ||
  variables.some(({ text }) => text === undefined);

/** The block waits for sub-calls that cannot be sent because the run's budget is exhausted. */
const waitsForBudget = ({ blocks }: RlmState): boolean => {
  const block = blocks.at(-1);
  if (block === undefined || block.end !== null) return false;
  const calls = block.batches.flatMap((batch) => batch.calls);
  return (
    calls.some(({ started }) => !started) && calls.every(({ started, answer }) => !started || answer !== null)
  );
};

/** The contract of this feature. */
export const rlmFeature = defineFeature({
  slice: 'rlm',
  events: rlmEvents,
  reducers,
  follows: { 'run.resumed': resumed },
  progress: (_, rlm: RlmState) => worksIf(underWay(rlm) && !waitsForBudget(rlm)),
  usedBy(event: RlmEvent) {
    if (event.type === 'rlm.call-answered') {
      const { activationId, turnId, model, usage, durationMs } = event;
      return { activationId, turnId, model, usage, ms: durationMs };
    }
    if (event.type !== 'rlm.verification-finished') return undefined;
    const { activationId, model, usage, durationMs } = event;
    return { activationId, turnId: null, model, usage, ms: durationMs };
  },
});
