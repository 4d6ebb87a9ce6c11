import { validateAgent } from '@main/core/step/agent/agent';
import { validateCap, validateReprompts } from '@main/core/step/agent/reprompts';
import type { GraphContext, ModuleProblem } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import { type CodingConfig, chainOf } from './config';

export function validateCoding(config: CodingConfig, graph: GraphContext): ModuleProblem[] {
  const needed = config.agents.reduce((sum, agent) => sum + chainOf(agent), 0);
  return [
    ...validateCount(config),
    ...validateFolders(config, graph),
    ...config.agents.flatMap((agent, index) => [
      ...validateReprompts(agent.re_prompts, `agents[${index}].re_prompts`),
      ...validateAgent(agent, graph, `agents[${index}].acp_profile_id`),
      ...validateInstruction(config, index),
    ]),
    ...validateCap(config.max_iterations, needed),
  ];
}

const wrong = (message: string, path: string, mend: string): ModuleProblem => ({
  code: 'validation.coding_agents',
  severity: 'error',
  message,
  path,
  mend,
});

/** The number of agents that a coordination requires. */
function validateCount({ coordination, agents }: CodingConfig): ModuleProblem[] {
  const count = agents.length;
  if (coordination === 'single' && count !== 1) {
    return [
      wrong(
        `coordination is single, but ${count} agents are listed`,
        'coordination',
        'set coordination to sequential, parallel or review_chain, or keep one agent',
      ),
    ];
  }
  if (coordination === 'review_chain' && count !== 2) {
    return [
      wrong(
        `a review_chain has two agents, a builder and a reviewer; ${count} are listed`,
        'agents',
        'list the builder first and the reviewer second',
      ),
    ];
  }
  return [];
}

function validateFolders({ coordination }: CodingConfig, graph: GraphContext): ModuleProblem[] {
  if (coordination !== 'parallel' || graph.workspace !== 'project') return [];
  return [
    wrong(
      'parallel agents each need a folder, but the workflow works in the project itself',
      'coordination',
      'set workspace: worktree in the workflow, or coordination: sequential',
    ),
  ];
}

function validateInstruction(config: CodingConfig, index: number): ModuleProblem[] {
  const { role = '', instruction_override = null } = config.agents[index] ?? {};
  if ((instruction_override ?? config.instruction).trim() !== '') return [];
  const path = instruction_override === null ? 'instruction' : `agents[${index}].instruction_override`;
  const mend = 'write an instruction for the step, or an instruction_override for the agent';
  return [problemAt(path, `the agent "${role}" has no instruction`, mend)];
}
