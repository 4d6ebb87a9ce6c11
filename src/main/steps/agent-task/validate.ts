import type { GraphContext, ModuleProblem } from '../../core/step/module';
import { type AgentTaskConfig, repromptText } from './config';
import { namedPort } from './ports';

/** The editor stops adding here; the executor still sends all (SPEC "Re-prompts"). */
export const MOST_REPROMPTS = 10;

export function validateAgentTask(config: AgentTaskConfig, graph: GraphContext): ModuleProblem[] {
  const problems: ModuleProblem[] = [];
  config.re_prompts.forEach((entry, index) => {
    if (repromptText(entry).trim() === '') {
      problems.push({
        code: 'validation.reprompt_empty',
        severity: 'error',
        message: `re-prompt ${index + 1} is empty`,
        path: `re_prompts[${index}]`,
        mend: 'write a text or remove the entry',
      });
    }
  });
  if (config.re_prompts.length > MOST_REPROMPTS) {
    problems.push({
      code: 'validation.reprompt_too_many',
      severity: 'warning',
      message: `${config.re_prompts.length} re-prompts; more than ${MOST_REPROMPTS} are rarely followed well`,
      path: 're_prompts',
    });
  }
  const needed = 1 + config.re_prompts.length;
  if (config.max_iterations !== undefined && config.max_iterations < needed) {
    problems.push({
      code: 'validation.max_iterations',
      severity: 'error',
      message: `max_iterations is ${config.max_iterations}, but one pass needs ${needed} prompts`,
      path: 'max_iterations',
      mend: `set it to ${needed} or more, or remove re-prompts`,
    });
  }
  return [
    ...problems,
    ...validateNames(config),
    ...validateAgent(config, graph),
    ...validateSession(config, graph),
  ];
}

function validateNames(config: AgentTaskConfig): ModuleProblem[] {
  const ports = config.named_outputs.map(namedPort);
  return config.named_outputs.flatMap((label, index): ModuleProblem[] =>
    ports.indexOf(ports[index] ?? '') === index
      ? []
      : [
          {
            code: 'validation.named_output',
            severity: 'error',
            message: `two named outputs read alike: "${label}"`,
            path: `named_outputs[${index}]`,
          },
        ],
  );
}

function validateAgent(config: AgentTaskConfig, graph: GraphContext): ModuleProblem[] {
  if (config.acp_profile_id !== null) return [];
  if (config.agent_config !== null && graph.defaultProfile !== null) return [];
  return [
    {
      code: 'validation.agent_missing',
      severity: 'error',
      message:
        config.agent_config === null
          ? 'no agent is named'
          : 'agent_config overrides a profile, but none is named and there is no default profile',
      path: 'acp_profile_id',
      mend: 'set acp_profile_id to the id of an agent profile',
    },
  ];
}

function validateSession(config: AgentTaskConfig, graph: GraphContext): ModuleProblem[] {
  if (config.session_mode !== 'continue') return [];
  const sources = graph.sourcesOf('data_in');
  const refuse = (message: string): ModuleProblem[] => [
    { code: 'validation.session_continue', severity: 'error', message, path: 'session_mode' },
  ];
  if (sources.length === 0)
    return refuse('session_mode: continue needs a cable into data_in, whose session it continues');
  if (sources.length > 1) {
    return refuse(
      `session_mode: continue has two candidate sessions: ${sources.map((source) => source.stepId).join(', ')}`,
    );
  }
  const other = sources[0]?.profileId ?? null;
  const own = config.acp_profile_id;
  if (own !== null && other !== null && own !== other) {
    return refuse(`session_mode: continue goes on in a session of "${other}", but the step names "${own}"`);
  }
  return [];
}
