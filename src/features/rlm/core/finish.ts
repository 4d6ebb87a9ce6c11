import type { AppError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { FinishDecision } from '@main/core/step/decision';
import { makeBundle } from '@main/core/step/output/bundle';
import type { RlmState } from '../contract/state';
import { citationsJson, citationWarnings } from './citations';
import { deathWarnings } from './dead-sandbox';
import type { Next } from './next';
import { callsOf } from './sub-calls';
import { verificationJson, verificationWarnings } from './verification';
import type { View } from './view';

type Answer = Extract<Next, { kind: 'answer' }>;

/** The answer on `data_out`; its cost and sources in the receipt. */
export function finishAnswer(view: View, state: RlmState, { text, partial, source }: Answer): FinishDecision {
  const { stepId, activationId } = view;
  const origin = { stepId, activationId, sessionKey: view.sessionKey };
  const warnings = [
    ...(source === 'limit'
      ? [`All ${view.config.limits.iterations} iterations were used: this is the best answer by then.`]
      : []),
    ...(partial && source !== 'limit' ? ['The model says that the answer is partial.'] : []),
    ...deathWarnings(state),
    ...citationWarnings(state),
    ...verificationWarnings(state),
    ...(state.confined?.osSandbox === false
      ? [`The code ran without the operating system's sandbox (${state.confined.detail}).`]
      : []),
  ];
  return {
    kind: 'finish',
    outcome: 'succeeded',
    outputs: {
      data_out: makeBundle({ merged_content: text }, { ...origin, port: 'data_out', kind: 'markdown' }),
      citations_out: makeBundle(citationsJson(state), { ...origin, port: 'citations_out', kind: 'json' }),
    },
    signals: ['signal_out'],
    receipt: {
      ...receiptOf(view, state),
      source,
      partial,
      citations: citationsJson(state),
      ...(state.verification === null ? {} : { verification: verificationJson(state) }),
    },
    warnings,
    error: null,
  };
}

export const finishFailed = (view: View, state: RlmState | null, error: AppError): FinishDecision => ({
  kind: 'finish',
  outcome: 'failed',
  outputs: {},
  signals: [],
  receipt: state === null ? {} : receiptOf(view, state),
  warnings: [],
  error,
});

function receiptOf(view: View, state: RlmState): Record<string, Json> {
  const { documents, leftOut, confined, blocks, asked } = state;
  const failed = blocks.flatMap(callsOf).filter(({ call }) => !call.unasked && call.answer?.ok === false);
  return {
    iterations: view.turns.length,
    blocks: blocks.length,
    sub_calls: asked,
    failed_sub_calls: failed.length,
    documents: (documents ?? []).map(({ name, chars, sha256 }) => ({ name, chars, sha256 })),
    left_out: leftOut.map(({ name, why }) => ({ name, why })),
    os_sandbox: confined?.osSandbox ?? null,
  };
}
