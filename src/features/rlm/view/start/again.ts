import type { RunState } from '@contract/run/state';
import { questionInputsOf } from '../../contract/question-inputs';
import { blankQuestion } from './form';

/** A draft of the same question, with twice the iterations if all were used. */
export function draftOf(state: RunState, activationId: number): string {
  const earlier = questionInputsOf(state, activationId);
  if (earlier === null) return '';
  const {
    question,
    documents,
    acp_profile_id,
    sub_model,
    verify_model,
    limits,
    background_knowledge,
    allow_weak_sandbox,
  } = earlier;
  const blank = blankQuestion(acp_profile_id ?? '');
  const { iterations = Number(blank.iterations), subcalls = Number(blank.subcalls) } = limits;
  const used = state.activations[activationId]?.receipt.source === 'limit';
  const tokens = state.definition.budget?.tokens;
  return JSON.stringify({
    ...blank,
    question,
    documents: documents.join('\n'),
    sub: sub_model?.acp_profile_id ?? '',
    verify: verify_model?.acp_profile_id ?? '',
    iterations: String(used ? 2 * iterations : iterations),
    subcalls: String(subcalls),
    tokens: tokens == null ? '' : String(tokens),
    background: background_knowledge ? 'yes' : '',
    weak: allow_weak_sandbox ? 'yes' : '',
  });
}
