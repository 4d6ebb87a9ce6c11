import type { ContextBundle } from '@areas/workflows/contract/definition';
import type { AppError } from '@contract/errors';
import { ownValue, setOwnValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { chainLength, chainTurn } from '@main/core/step/agent/chain';
import { checkedAnswer } from '@main/core/step/agent/checked-answer';
import { namingInstruction } from '@main/core/step/agent/prompt';
import { capReached, mergeResponses } from '@main/core/step/agent/reprompts';
import type { FinishDecision, StepDecision } from '@main/core/step/decision';
import type { ActivationView, ObservedTurn } from '@main/core/step/module';
import { makeBundle } from '@main/core/step/output/bundle';
import { extractNamedOutputs } from '@main/core/step/output/named-outputs';
import { turnUpdate } from '@main/core/step/update';
import type { AgentTaskConfig } from './config';
import { namedPort } from './ports';

type View = ActivationView<AgentTaskConfig>;

/**
 * Sends the primary prompt, then each re-prompt in the same session, then gives the output (seed 000 section
 * 3.1).
 */
export function decideAgentTask(view: View): StepDecision {
  const { config } = view;
  const of = chainLength(config);
  const ordinal = view.turns.length;
  if (ordinal >= of) return answered(view, of);
  const error = capReached(config.max_iterations, { sent: view.promptsSent, answered: ordinal, of });
  if (error !== null) return spentTask(view, error);
  const turn = chainTurn(view, ordinal, appendixOf(view));
  return ordinal === 0 ? turn : { ...turn, progress: [repromptDispatched(view, ordinal - 1)] };
}

/** Appended to the chain's last prompt: the required form of the answer. */
function appendixOf({ config, format }: View): string | null {
  if (format !== null) return `\n\n${format.instruction}`;
  return config.named_outputs.length === 0 ? null : namingInstruction(config.named_outputs);
}

/**
 * After an answer that violates the `output_format`, one repair prompt follows in the same session; then the
 * step fails.
 */
function answered(view: View, of: number): StepDecision {
  const answer = view.format === null ? null : checkedAnswer(view.turns.slice(of - 1), view.format);
  if (answer?.kind === 'invalid') return spentTask(view, answer.error);
  if (answer?.kind !== 'repair') return finishTask(view);
  const error = capReached(view.config.max_iterations, { sent: view.promptsSent, answered: of, of });
  if (error !== null) return spentTask(view, error);
  return {
    ...chainTurn(view, of, null),
    turn: 'reminder',
    of: of + 1,
    prompt: answer.prompt,
    attachments: [],
  };
}

/** Ends at a cap: failed, with the answers so far. */
export function spentTask(view: View, error: AppError): FinishDecision {
  return { ...finishTask(view), outcome: 'failed', signals: [], error };
}

function repromptDispatched(view: View, index: number): RunEvent {
  return {
    type: 'task.agent_task.reprompt_dispatched',
    module_id: view.stepId,
    reprompt_index: index,
    reprompt_count: view.config.re_prompts.length,
  };
}

/** The answer to a repair prompt replaces the invalid one. */
function responsesOf({ turns, config }: View): string[] {
  const responses = turns.map((turn) => turn.response);
  const of = chainLength(config);
  return responses.length > of ? [...responses.slice(0, of - 1), ...responses.slice(of)] : responses;
}

function finishTask(view: View): FinishDecision {
  const { config } = view;
  const responses = responsesOf(view);
  const read = view.format?.read(responses.at(-1) ?? '') ?? null;
  const bundle = (
    content: Parameters<typeof makeBundle>[0],
    port: string,
    kind: 'markdown' | 'json' = 'markdown',
  ): ContextBundle =>
    makeBundle(content, {
      stepId: view.stepId,
      activationId: view.activationId,
      port,
      sessionKey: view.sessionKey,
      kind,
    });
  const named = extractNamedOutputs(responses[responses.length - 1] ?? '', config.named_outputs);
  const receipt = {
    step_id: view.stepId,
    attempt: view.attempt,
    re_prompt_count: config.re_prompts.length,
    responses: responses.length,
    prompts_sent: view.promptsSent,
    session_key: view.sessionKey,
    tokens: view.turns.reduce((sum, turn) => sum + (turn.usage?.total_tokens ?? 0), 0),
  };
  const receiptBundle = bundle(receipt, 'receipt_out', 'json');
  const outputs: Record<string, ContextBundle> = {
    data_out: bundle(
      {
        merged_content: mergeResponses(responses),
        response_count: responses.length,
        has_re_prompts: config.re_prompts.length > 0,
        ...(read !== null && 'json' in read ? { output_json: read.json } : {}),
      },
      'data_out',
    ),
    receipt_out: {
      ...receiptBundle,
      metadata: { ...receiptBundle.metadata, re_prompt_count: config.re_prompts.length },
    },
  };
  for (const label of config.named_outputs)
    setOwnValue(outputs, namedPort(label), bundle(ownValue(named.sections, label) ?? '', namedPort(label)));
  if (config.separate_outputs) {
    responses.forEach((response, index) => {
      const port = index === 0 ? 'original_out' : `reprompt_${index}_out`;
      setOwnValue(outputs, port, bundle(response, port));
    });
  }
  return {
    kind: 'finish',
    outcome: 'succeeded',
    outputs,
    signals: [...Object.keys(outputs), 'signal_out'],
    receipt,
    warnings: named.missing.map(
      (label) => `the last response has no section "${label}"; its output is empty`,
    ),
    error: null,
  };
}

/** Progress events (seed 000 section 11) and the update of each turn of the chain. */
export function observeAgentTask(view: View, turn: ObservedTurn): RunEvent[] {
  const posted = turnUpdate(view, turn);
  if (!turn.completed || turn.ordinal === 0 || turn.ordinal >= chainLength(view.config)) return [posted];
  return [
    {
      type: 'task.agent_task.reprompt_response',
      module_id: view.stepId,
      reprompt_index: turn.ordinal - 1,
      token_count: turn.usage?.output_tokens ?? turn.usage?.total_tokens ?? null,
    },
    posted,
  ];
}
