import { validateAgent } from '@main/core/step/agent/agent';
import { validateCap, validateReprompts } from '@main/core/step/agent/reprompts';
import { validateSession } from '@main/core/step/agent/session-choice';
import type { GraphContext, ModuleProblem } from '@main/core/step/module';
import { labelKey } from '@main/core/step/output/named-outputs';
import type { AgentTaskConfig } from './config';
import { namedPort } from './ports';

export function validateAgentTask(config: AgentTaskConfig, graph: GraphContext): ModuleProblem[] {
  return [
    ...validateReprompts(config.re_prompts),
    ...validateCap(config.max_iterations, 1 + config.re_prompts.length),
    ...validateNames(config),
    ...validateFormat(config, graph),
    ...validateAgent(config, graph),
    ...validateSession(config, graph),
  ];
}

/** Both define the form of the last answer. */
function validateFormat({ named_outputs }: AgentTaskConfig, { hasFormat }: GraphContext): ModuleProblem[] {
  if (!hasFormat || named_outputs.length === 0) return [];
  return [
    {
      code: 'validation.output_format',
      severity: 'error',
      path: 'named_outputs',
      message: 'a step has either an output_format or named outputs',
      mend: 'put the named outputs into output_format as properties',
    },
  ];
}

/** Labels must give distinct ports, and distinct lines in a response. */
function validateNames({ named_outputs: labels }: AgentTaskConfig): ModuleProblem[] {
  const ports = labels.map(namedPort);
  const keys = labels.map(labelKey);
  return labels.flatMap((label, index): ModuleProblem[] => {
    const key = keys[index] ?? '';
    const first = ports.indexOf(ports[index] ?? '') === index && keys.indexOf(key) === index;
    if (key !== '' && first) return [];
    return [
      {
        code: 'validation.named_output',
        severity: 'error',
        message:
          key === ''
            ? `the name of the output "${label}" has no letter or digit`
            : `two named outputs have almost the same name: "${label}"`,
        path: `named_outputs[${index}]`,
        mend: 'give it another name; punctuation and emoji do not count',
      },
    ];
  });
}
