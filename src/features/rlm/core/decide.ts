import { appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { agentRef } from '@main/core/step/agent/agent';
import type { FinishDecision, StepDecision, TurnDecision } from '@main/core/step/decision';
import { bundleText } from '@main/core/step/output/bundle';
import { withoutBackground } from '../contract/background';
import type { RlmState } from '../contract/state';
import { citedIn, citesNothing } from './citations';
import { deathError } from './dead-sandbox';
import { finishAnswer, finishFailed } from './finish';
import { type Iteration, type LoopTexts, type Next, nextStep } from './next';
import { callsToStart } from './sub-calls';
import { rlmText } from './texts';
import { untrustedNotice } from './untrusted';
import { isMostlyCode } from './verification';
import type { View } from './view';

const NO_QUESTION = appError('input.invalid', 'There is no question.', {
  mend: 'set question, or connect instruction_in',
});

const NO_SYSTEM_TEXT = appError('validation.prompt_file', 'The system text of this question is missing.', {
  mend: '`muster prompts check` shows where it is expected',
});

const tell = (...events: readonly RunEvent[]): StepDecision => ({ kind: 'tell', events });

/** The next decision for a question: its documents, a sandbox, a sub-call, a block, a turn, or its end. */
export function decideRlm(view: View): readonly StepDecision[] {
  const state = view.part('rlm');
  const { activationId } = view;
  if (state === null)
    return [questionOf(view) === '' ? finishFailed(view, null, NO_QUESTION) : requestDocuments(view)];
  const error = state.error ?? deathError(state);
  if (error !== null) return [finishFailed(view, state, error)];
  if (state.freezing !== null || state.sandbox === 'requested') return [];
  if (state.documents === null) return [requestDocuments(view)];
  const iterations = iterationsOf(view);
  // Also checks whether code can run here at all, before any model is paid.
  if (iterations.length === 0 && state.sandbox === 'none' && !view.promptText(systemText(view)))
    return [finishFailed(view, state, NO_SYSTEM_TEXT)];
  if (iterations.length === 0 && state.sandbox === 'none')
    return [tell({ type: 'rlm.sandbox-requested', activationId })];
  if (iterations.length === 0) return [firstTurn(view, state)];
  const calls = callsToStart(state, view.config.limits.concurrent_subcalls);
  if (calls.length > 0) return [{ kind: 'tell', events: calls, spends: true }];
  return carryOut(view, state, nextStep(loopView(view, state, iterations)));
}

function requestDocuments(view: View): StepDecision {
  const inline = ['data_in', 'context_in'].flatMap((port) =>
    (ownValue(view.inputs, port) ?? []).map((bundle, index) => {
      const { step_id } = bundle.metadata;
      const name = typeof step_id === 'string' ? step_id : `${port} ${index + 1}`;
      return { name, text: bundleText(bundle) };
    }),
  );
  const paths = [...view.config.documents];
  return tell({ type: 'rlm.documents-requested', activationId: view.activationId, paths, inline });
}

/** The question with its input. */
function questionOf(view: View): string {
  const parts = [
    view.config.question,
    view.request ?? '',
    ...(view.inputs.instruction_in ?? []).map((bundle) => bundleText(bundle)),
  ];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

const iterationsOf = ({ turns }: View): Iteration[] =>
  // A turn without an answer leaves its position in the chain empty.
  turns.flatMap((turn) => (turn === undefined ? [] : [{ turnId: turn.turnId, response: turn.response }]));

const loopView = (view: View, state: RlmState, iterations: readonly Iteration[]) => ({
  state,
  iterations,
  texts: loopTexts(view),
  rules: {
    iterations: view.config.limits.iterations,
    outputChars: view.config.limits.output_chars,
    feedback: view.config.feedback,
  },
});

function loopTexts(view: View): LoopTexts {
  const question = questionOf(view);
  return {
    continue: rlmText(view, 'rlm/iteration_continue', { question }),
    codeRequired: rlmText(view, 'rlm/code_required', {}),
    lastCall: rlmText(view, 'rlm/last_call', { question }),
  };
}

/** The system text, then the context's metadata as the model's own message, then iteration zero. */
function firstTurn(view: View, state: RlmState): TurnDecision {
  const { documents, marker } = state;
  const all = documents ?? [];
  const total = all.reduce((sum, { chars }) => sum + chars, 0);
  const names = all.map(({ name }, index) => `context[${index}]: ${name}`);
  const assistant = rlmText(view, 'rlm/context_metadata', {
    context_type: 'list',
    context_total_length: String(total),
    context_lengths: `[${shortened(all.map(({ chars }) => String(chars))).join(', ')}]`,
    doc_names: shortened(names).join('\n'),
  });
  const system = `${rlmText(view, systemText(view), {})}\n\n${untrustedNotice(marker ?? '')}`;
  const prompt = rlmText(view, 'rlm/iteration_zero', { question: questionOf(view) });
  return { ...turnOf(view, 0, [prompt]), turn: 'primary', opening: { system, assistant } };
}

const systemText = ({ config }: View) =>
  config.background_knowledge ? 'rlm/system_augmented' : 'rlm/system';

const MOST_LISTED = 200;

const shortened = (entries: readonly string[]): readonly string[] =>
  entries.length <= MOST_LISTED
    ? entries
    : [...entries.slice(0, MOST_LISTED), `... ${entries.length - MOST_LISTED} more`];

const turnOf = (view: View, ordinal: number, messages: readonly string[]): TurnDecision => ({
  kind: 'turn',
  turn: 'reprompt',
  ordinal,
  of: Math.max(view.config.limits.iterations, ordinal + 1),
  agent: agentRef(view.config),
  session: { kind: 'own' },
  prompt: messages.join('\n\n'),
  ...(messages.length > 1 ? { messages } : {}),
  attachments: [],
  progress: [],
});

/** Gives the answer out once its citations were checked and a second model has verified it. */
function answer(
  view: View,
  state: RlmState,
  next: Extract<Next, { kind: 'answer' }>,
): readonly (StepDecision | FinishDecision)[] {
  if (state.citing !== null || state.verifying !== null) return [];
  const answerText = withoutBackground(next.text);
  const cited = citedIn(answerText);
  const { activationId } = view;
  const documents = [...cited.documents];
  if (state.citations !== null || citesNothing(cited)) {
    const read = toRead(state, documents);
    const layer = nextLayer(view, state, read);
    if (layer === null) return [finishAnswer(view, state, next)];
    const event = {
      type: 'rlm.verification-requested',
      activationId,
      answer: answerText,
      documents: read,
    } as const;
    return [{ kind: 'tell', events: [{ ...event, ...layer }], spends: true }];
  }
  return [tell({ type: 'rlm.citations-requested', activationId, documents, quotes: [...cited.quotes] })];
}

/** The next verification; null: none. Only claims from the first check get the second one for code. */
function nextLayer(view: View, state: RlmState, read: readonly number[]): { layer?: 'code' } | null {
  const { verification, codeVerification, documents } = state;
  if (view.config.verify_model === null) return null;
  if (verification === null) return {};
  if (codeVerification !== null || verification.trouble !== null || verification.claims.length === 0)
    return null;
  const names = read.map((at) => documents?.[at]?.name ?? '');
  // Runs of earlier versions lack this text.
  return view.promptText('rlm/verify_code') !== null && isMostlyCode(names) ? { layer: 'code' } : null;
}

/** The existing documents that are cited by index or quoted. */
function toRead({ documents, citations }: RlmState, cited: readonly number[]): number[] {
  const quoted = (citations?.quotes ?? []).flatMap(({ document }) => document ?? []);
  return [...new Set([...cited, ...quoted])]
    .filter((at) => at < (documents?.length ?? 0))
    .sort((a, b) => a - b);
}

function carryOut(view: View, state: RlmState, next: Next): readonly (StepDecision | FinishDecision)[] {
  const { activationId } = view;
  switch (next.kind) {
    case 'wait':
      return [];
    case 'block': {
      const { turnId, block, code } = next;
      return [tell({ type: 'rlm.block-started', activationId, turnId, block, code })];
    }
    case 'read': {
      const { turnId, name } = next;
      return [tell({ type: 'rlm.variable-requested', activationId, turnId, name })];
    }
    case 'turn':
      return [turnOf(view, iterationsOf(view).length, next.messages)];
    case 'fail':
      return [finishFailed(view, state, next.error)];
    case 'answer':
      return answer(view, state, next);
  }
}
