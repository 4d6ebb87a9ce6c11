import { appError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { EffectParts } from '@main/core/engine/base/effect-parts';
import type { LiveRun } from '@main/core/engine/base/live-run';
import { defineModule, type FeatureEffect, NO_EFFECT } from '@main/core/engine/feature-module';
import type { RlmEvent } from '../contract/events';
import { underWay } from '../contract/feature';
import type { RlmState } from '../contract/state';
import {
  brokenRlm,
  checkCitations,
  endSandbox,
  freezeDocuments,
  interruptBlock,
  readVariable,
  runBlock,
  startCall,
  startSandbox,
  tellAnswered,
} from './effects';
import { brokenVerification, verifyAnswer } from './effects/verify';
import { callsOf, inFlight, placeOf } from './sub-calls';

const effect = <E extends RlmEvent>(
  begin: (parts: EffectParts, run: LiveRun, event: E) => Promise<void>,
): FeatureEffect<E> => ({ begin, broken: (_, event, error) => brokenRlm(event, error) });

/** The engine module of questions over documents. */
export const rlmModule = defineModule<RlmEvent>({
  effects: {
    'rlm.documents-requested': effect(freezeDocuments),
    'rlm.documents-frozen': NO_EFFECT,
    'rlm.documents-refused': NO_EFFECT,
    'rlm.sandbox-requested': effect(startSandbox),
    'rlm.sandbox-started': NO_EFFECT,
    'rlm.sandbox-refused': NO_EFFECT,
    'rlm.block-started': effect(runBlock),
    'rlm.calls-asked': effect(tellAnswered),
    'rlm.call-started': effect(startCall),
    'rlm.call-answered': effect(tellAnswered),
    'rlm.block-finished': NO_EFFECT,
    'rlm.block-lost': NO_EFFECT,
    'rlm.variables-lost': NO_EFFECT,
    'rlm.variable-requested': effect(readVariable),
    'rlm.variable-read': NO_EFFECT,
    'rlm.interrupt-requested': effect(interruptBlock),
    'rlm.citations-requested': effect(checkCitations),
    'rlm.citations-checked': NO_EFFECT,
    'rlm.verification-requested': effect(verifyAnswer),
    'rlm.verification-finished': NO_EFFECT,
    'rlm.sandbox-ended': effect(endSandbox),
    'rlm.writing-held': NO_EFFECT,
    'rlm.writing-resumed': NO_EFFECT,
    'rlm.taken-up': NO_EFFECT,
  },
  recover: ({ rlm }) => Object.values(rlm).flatMap(begunAgain),
  inFlight: ({ rlm }) => Object.values(rlm).some(underWay),
  react,
  resume: () => [],
  atCancel: () => [],
  *truncate({ rlm }, when) {
    for (const question of Object.values(rlm)) yield* cutShort(question, when);
  },
  isPastLane: () => false,
});

/** Interrupted work is repeated: a block with its recorded answers, and unanswered sub-calls. */
function begunAgain(question: RlmState): RunEvent[] {
  const { activationId, freezing, sandbox, blocks, variables, citing, verifying } = question;
  const last = blocks.at(-1);
  const block = last?.end === null ? last : undefined;
  return [
    ...(freezing === null ? [] : [{ type: 'rlm.documents-requested', ...freezing } as const]),
    ...(sandbox === 'requested' ? [{ type: 'rlm.sandbox-requested', activationId } as const] : []),
    ...(block === undefined ? [] : blockAgain(activationId, block)),
    ...variables
      .filter(({ text }) => text === undefined)
      .map(({ turnId, name }) => ({ type: 'rlm.variable-requested', activationId, turnId, name }) as const),
    ...(citing === null ? [] : [{ type: 'rlm.citations-requested', ...citing } as const]),
    ...(verifying === null ? [] : [{ type: 'rlm.verification-requested', ...verifying } as const]),
  ];
}

function blockAgain(activationId: number, one: RlmState['blocks'][number]): RunEvent[] {
  const { turnId, block, code } = one;
  const calls = callsOf(one).filter(inFlight);
  return [
    { type: 'rlm.block-started', activationId, turnId, block, code },
    ...calls.map((call): RunEvent => ({ type: 'rlm.call-started', ...placeOf(activationId, one, call) })),
  ];
}

/**
 * The sandbox ends with its step, and immediately if the run is cancelled. A resumed step clears its error.
 */
function react({ rlm }: RunState, event: RunEvent): RunEvent[] {
  switch (event.type) {
    case 'activation.finished': {
      const { activationId } = event;
      const ends = rlm[activationId] !== undefined && rlm[activationId].sandbox !== 'none';
      return ends ? [{ type: 'rlm.sandbox-ended', activationId, why: 'finished' }] : [];
    }
    case 'run.cancel-requested':
      return Object.values(rlm)
        .filter((question) => question.sandbox !== 'none' || underWay(question))
        .map(({ activationId }) => ({ type: 'rlm.sandbox-ended', activationId, why: 'cancelled' }));
    case 'run.resumed':
      return event.activationIds
        .filter((activationId) => rlm[activationId] !== undefined)
        .map((activationId) => ({ type: 'rlm.taken-up', activationId }));
    default:
      return [];
  }
}

/** In a truncated history, nothing pending will ever end. */
function* cutShort(question: RlmState, when: string): Generator<readonly RlmEvent[]> {
  const { activationId, freezing, sandbox, blocks, variables, citing, verifying } = question;
  const error = appError('cancelled', when);
  if (freezing !== null) yield [{ type: 'rlm.documents-refused', activationId, error }];
  if (sandbox === 'requested') yield [{ type: 'rlm.sandbox-refused', activationId, error }];
  const last = blocks.at(-1);
  if (last?.end === null) {
    const { turnId, block } = last;
    yield [{ type: 'rlm.block-lost', activationId, turnId, block, why: 'closed' }];
  }
  for (const { turnId, name, text } of variables)
    if (text === undefined) yield [{ type: 'rlm.variable-read', activationId, turnId, name, text: null }];
  if (citing !== null)
    yield [{ type: 'rlm.citations-checked', activationId, documents: [], quotes: [], trouble: when }];
  if (verifying !== null) yield [brokenVerification(verifying, when)];
}
