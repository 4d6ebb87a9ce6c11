import { appError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import { formatUpdate, summaryLines, type Update } from '@contract/update/update';
import type { ContextBundle } from '@contract/workflow/definition';
import { makeBundle } from '../../core/step/bundle';
import type {
  ActivationView,
  FinishDecision,
  ObservedTurn,
  StepDecision,
  TurnDecision,
} from '../../core/step/module';
import { extractNamedOutputs } from '../../core/step/named-outputs';
import { assemblePrompt, withNaming } from '../../core/step/prompt';
import { type AgentTaskConfig, repromptFiles, repromptText } from './config';
import { namedPort } from './ports';

type View = ActivationView<AgentTaskConfig>;

/**
 * All responses in the format of seed 000 section 4.1: separators stand alone on a line, joined by single newlines.
 */
export function mergeResponses(responses: readonly string[]): string {
  return responses
    .map((response, index) => (index === 0 ? response : `───── Re-prompt ${index} ─────\n${response}`))
    .join('\n');
}

/** Primary dispatch, then each re-prompt in the same session, then the output (seed 000 section 3.1). */
export function decideAgentTask(view: View): StepDecision {
  const { config } = view;
  const of = 1 + config.re_prompts.length;
  const ordinal = view.turns.length;
  if (ordinal >= of) return finishTask(view);
  if (config.max_iterations !== undefined && view.promptsSent >= config.max_iterations) {
    const message = `the cap of ${config.max_iterations} prompts was reached after ${ordinal} of ${of} turns were answered`;
    return {
      ...finishTask(view),
      outcome: 'failed',
      signals: [],
      error: appError('step.max_iterations', message),
    };
  }
  return ordinal === 0 ? primaryTurn(view, of) : repromptTurn(view, ordinal, of);
}

function primaryTurn(view: View, of: number): TurnDecision {
  const { config } = view;
  const labels = of === 1 ? config.named_outputs : [];
  const files = config.attachments.flatMap((path) => view.attachment(path) ?? []);
  return {
    kind: 'turn',
    agent: agentOf(config),
    session: sessionOf(view),
    turn: 'primary',
    ordinal: 0,
    of,
    prompt: assemblePrompt(view, config.instruction, labels),
    attachments: [...files, ...view.requestAttachments.filter((file) => !files.includes(file))],
    progress: [],
  };
}

function repromptTurn(view: View, ordinal: number, of: number): TurnDecision {
  const { config } = view;
  const index = ordinal - 1;
  const entry = config.re_prompts[index] ?? '';
  const last = ordinal === of - 1;
  return {
    kind: 'turn',
    agent: agentOf(config),
    session: sessionOf(view),
    turn: 'reprompt',
    ordinal,
    of,
    prompt: withNaming(repromptText(entry), last ? config.named_outputs : []),
    attachments: repromptFiles(entry).flatMap((path) => view.attachment(path) ?? []),
    progress: [
      {
        type: 'task.agent_task.reprompt_dispatched',
        module_id: view.stepId,
        reprompt_index: index,
        reprompt_count: config.re_prompts.length,
      },
    ],
  };
}

export function agentOf(config: AgentTaskConfig) {
  return {
    profileId: config.acp_profile_id,
    model: config.agent_config?.model ?? null,
    mode: config.agent_config?.mode ?? null,
    env: config.agent_config?.env ?? {},
  };
}

/** A re-activation goes on in its own session where `session_persist` says so; else `continue` takes that of `data_in`. */
function sessionOf(view: View): TurnDecision['session'] {
  if (view.config.session_persist && view.previousSessionKey !== null) {
    return { kind: 'continue', key: view.previousSessionKey };
  }
  const key =
    view.config.session_mode === 'continue' ? (view.inputs.data_in?.[0]?.source_session_key ?? null) : null;
  return key === null ? { kind: 'own' } : { kind: 'continue', key };
}

function finishTask(view: View): FinishDecision {
  const { config } = view;
  const responses = view.turns.map((turn) => turn.response);
  const bundle = (content: Parameters<typeof makeBundle>[0], port: string): ContextBundle =>
    makeBundle(content, {
      stepId: view.stepId,
      activationId: view.activationId,
      port,
      sessionKey: view.sessionKey,
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
  const outputs: Record<string, ContextBundle> = {
    data_out: bundle(
      {
        merged_content: mergeResponses(responses),
        response_count: responses.length,
        has_re_prompts: config.re_prompts.length > 0,
      },
      'data_out',
    ),
    receipt_out: bundle(receipt, 'receipt_out'),
  };
  for (const label of config.named_outputs)
    outputs[namedPort(label)] = bundle(named.sections[label] ?? '', namedPort(label));
  if (config.separate_outputs) {
    responses.forEach((response, index) => {
      const port = index === 0 ? 'original_out' : `reprompt_${index}_out`;
      outputs[port] = bundle(response, port);
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

/** Progress of seed 000 section 11 and the update that every turn of the chain posts. */
export function observeAgentTask(view: View, turn: ObservedTurn): RunEvent[] {
  const update: Update = {
    iteration: turn.ordinal + 1,
    of: turn.of,
    retry: 0,
    story: { id: view.stepId, title: view.title },
    storySource: 'step',
    result: turn.completed ? 'completed' : 'failed',
    commit: turn.commit,
    summary: summaryLines(turn.completed ? turn.response : (turn.errorText ?? turn.response)),
  };
  const posted: RunEvent = {
    type: 'update.posted',
    activationId: view.activationId,
    turnId: turn.turnId,
    stepId: view.stepId,
    update,
    text: formatUpdate(update),
  };
  if (!turn.completed || turn.ordinal === 0) return [posted];
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
