import { workflowBodySchema } from '@areas/workflows/contract/definition';
import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentShape, validateAgent } from '@main/core/step/agent/agent';
import type { GraphContext, ModuleProblem } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import type { StepBody } from '@main/core/step/scope';
import { z } from 'zod';

export const iterationConfigSchema = lazyStrictObject(() => ({
  /** The prompt of one agent in each pass. */
  prompt: requiredText().optional(),
  /** Or: the steps of a pass. */
  body: workflowBodySchema.optional(),
  ...agentShape,
  /** Whether the agent of `prompt` keeps its conversation between passes. */
  session: z.enum(['fresh', 'shared']).default('fresh'),
  /** Reaching it without a signal is a failure. */
  max_iterations: z.number().int().min(1).max(1000),
  /** The text that ends the loop: in a pair of tags, or alone on the last line of a pass's output. */
  until: z.string().trim().min(1).max(200).optional(),
  /** A shell command that Muster runs after each pass; exit code 0 ends the loop. */
  until_command: requiredText().optional(),
  /** A field of the pass's JSON output: `true` ends the loop. */
  until_field: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a field has letters, digits and _ only')
    .optional(),
  /** The operator is asked after each pass. Their text is LOOP_USER_INPUT in the next one. */
  interactive: z.boolean().default(false),
  gate_message: requiredText().optional(),
}));
export type IterationConfig = z.infer<typeof iterationConfigSchema>;

const VARIABLES = ['LOOP_PREV_OUTPUT', 'LOOP_USER_INPUT'] as const;
/** The step that a loop with a prompt repeats. */
const PASS = 'pass';

export function bodyOf(config: IterationConfig): StepBody | null {
  const { prompt, body, acp_profile_id, agent_config, session } = config;
  if (body !== undefined)
    return {
      kind: 'inline',
      variables: VARIABLES,
      steps: body.steps,
      cables: body.cables,
      output: body.output,
      at: (path) => (path === '' ? 'body' : `body.${path}`),
    };
  if (prompt === undefined) return null;
  const task = { instruction: prompt, acp_profile_id, agent_config, session_persist: session === 'shared' };
  return {
    kind: 'inline',
    variables: VARIABLES,
    quiet: true,
    cables: [],
    steps: [{ id: PASS, type: 'step.agent_task', config: task }],
    at: (path) => path.replace(/^steps\[0\]\.(?:config\.)?/, '').replace(/^instruction/, 'prompt'),
  };
}

export function validateIteration(config: IterationConfig, graph: GraphContext): ModuleProblem[] {
  const { prompt, body, until, until_command, until_field, interactive, gate_message, session } = config;
  const problems: ModuleProblem[] = [];
  if ((prompt === undefined) === (body === undefined))
    problems.push(problemAt('prompt', 'a loop has a prompt or a body, not both', 'keep one of them'));
  if (prompt !== undefined) problems.push(...validateAgent(config, graph));
  if (body !== undefined && (config.acp_profile_id !== null || config.agent_config !== null))
    problems.push(
      problemAt('body', 'a loop with a body has no agent of its own', 'name the agents in its steps'),
    );
  if (body !== undefined && session === 'shared')
    problems.push(
      problemAt(
        'session',
        'session belongs to the prompt',
        'set session_persist: true on the steps of the body',
      ),
    );
  if (!interactive && [until, until_command, until_field].every((one) => one === undefined))
    problems.push(
      problemAt(
        'max_iterations',
        'this loop has no end',
        'add until, until_command, until_field or interactive: true',
      ),
    );
  if (gate_message !== undefined && !interactive)
    problems.push(problemAt('gate_message', 'gate_message is never shown', 'add interactive: true'));
  return problems;
}
