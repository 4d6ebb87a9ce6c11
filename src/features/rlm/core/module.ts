import type { RunEvent, RunEventOf } from '@contract/run/events';
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
import { verifyAnswer } from './effects/verify';
import { callsOf, inFlight, placeOf } from './sub-calls';

/** A block that an interruption cut off begins again with its recorded answers, and its unanswered sub-calls. */
const runningBlock = (blocks: RlmState['blocks']): RlmState['blocks'] =>
  blocks.slice(-1).filter(({ end }) => end === null);

/** `open`: the events of a question whose effects have no end. */
const effect = <E extends RlmEvent>(
  begin: (parts: EffectParts, run: LiveRun, event: E) => Promise<void>,
  open: (question: RlmState) => readonly E[] = () => [],
): FeatureEffect<E> => ({
  begin,
  broken: (_, event, error) => brokenRlm(event, error),
  open: ({ rlm }) => Object.values(rlm).flatMap(open),
});

/** The engine module of questions over documents. */
export const rlmModule = defineModule<RlmEvent>({
  effects: {
    'rlm.documents-requested': effect(freezeDocuments, ({ freezing }) =>
      freezing === null ? [] : [{ type: 'rlm.documents-requested', ...freezing }],
    ),
    'rlm.documents-frozen': NO_EFFECT,
    'rlm.documents-refused': NO_EFFECT,
    'rlm.sandbox-requested': effect(startSandbox, ({ activationId, sandbox }) =>
      sandbox === 'requested' ? [{ type: 'rlm.sandbox-requested', activationId }] : [],
    ),
    'rlm.sandbox-started': NO_EFFECT,
    'rlm.sandbox-refused': NO_EFFECT,
    'rlm.block-started': effect(runBlock, ({ activationId, blocks }) =>
      runningBlock(blocks).map(({ turnId, block, code }) => ({
        type: 'rlm.block-started',
        activationId,
        turnId,
        block,
        code,
      })),
    ),
    'rlm.calls-asked': effect<RunEventOf<'rlm.calls-asked'>>(tellAnswered),
    'rlm.call-started': effect(startCall, ({ activationId, blocks }) =>
      runningBlock(blocks).flatMap((block) =>
        callsOf(block)
          .filter(inFlight)
          .map((call) => ({ type: 'rlm.call-started', ...placeOf(activationId, block, call) })),
      ),
    ),
    'rlm.call-answered': effect<RunEventOf<'rlm.call-answered'>>(tellAnswered),
    'rlm.block-finished': NO_EFFECT,
    'rlm.block-lost': NO_EFFECT,
    'rlm.variables-lost': NO_EFFECT,
    'rlm.variable-requested': effect(readVariable, ({ activationId, variables }) =>
      variables
        .filter(({ text }) => text === undefined)
        .map(({ turnId, name }) => ({ type: 'rlm.variable-requested', activationId, turnId, name })),
    ),
    'rlm.variable-read': NO_EFFECT,
    'rlm.interrupt-requested': effect(interruptBlock),
    'rlm.citations-requested': effect(checkCitations, ({ citing }) =>
      citing === null ? [] : [{ type: 'rlm.citations-requested', ...citing }],
    ),
    'rlm.citations-checked': NO_EFFECT,
    'rlm.verification-requested': effect(verifyAnswer, ({ verifying }) =>
      verifying === null ? [] : [{ type: 'rlm.verification-requested', ...verifying }],
    ),
    'rlm.verification-finished': NO_EFFECT,
    'rlm.sandbox-ended': effect(endSandbox),
    'rlm.writing-held': NO_EFFECT,
  },
  react,
});

/** The sandbox ends with its step, and immediately if the run is cancelled. */
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
    default:
      return [];
  }
}
