import { validateAgent } from '../../core/step/agent';
import type { GraphContext, ModuleProblem } from '../../core/step/module';
import { validateCap, validateReprompts } from '../../core/step/reprompts';
import { validateSession } from '../../core/step/session-choice';
import type { AgentTaskConfig } from './config';
import { namedPort } from './ports';

export function validateAgentTask(config: AgentTaskConfig, graph: GraphContext): ModuleProblem[] {
  return [
    ...validateReprompts(config.re_prompts),
    ...validateCap(config.max_iterations, 1 + config.re_prompts.length),
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
