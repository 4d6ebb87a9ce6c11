import { lazyStrictObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { AgentRef } from '../decision';
import type { GraphContext, ModuleProblem } from '../module';

/** The name of an environment variable. */
export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a variable has letters, digits and _ only');

export const agentConfigSchema = lazyStrictObject(() => ({
  model: z.string().optional(),
  mode: z.string().optional(),
  env: z.record(variableName, z.string()).optional(),
}));

/** How a step names its agent: a profile and overrides. */
export const agentShape = {
  acp_profile_id: z.string().nullable().default(null),
  agent_config: agentConfigSchema.nullable().default(null),
};
export interface AgentChoice {
  readonly acp_profile_id: string | null;
  readonly agent_config: z.infer<typeof agentConfigSchema> | null;
}

export function agentRef({ acp_profile_id, agent_config }: AgentChoice): AgentRef {
  return {
    profileId: acp_profile_id,
    model: agent_config?.model ?? null,
    mode: agent_config?.mode ?? null,
    env: agent_config?.env ?? {},
  };
}

/** With neither a profile nor overrides of the default one, a step is in error (SPEC "Words"). */
export function validateAgent(
  config: AgentChoice,
  graph: GraphContext,
  path = 'acp_profile_id',
): ModuleProblem[] {
  if (config.acp_profile_id !== null) return [];
  const { defaultProfile } = graph;
  if (config.agent_config !== null && defaultProfile !== null && graph.hasProfile(defaultProfile)) return [];
  const lacks =
    defaultProfile === null
      ? 'there is no default profile'
      : `the default profile "${defaultProfile}" does not exist`;
  return [
    {
      code: 'validation.agent_missing',
      severity: 'error',
      message:
        config.agent_config === null
          ? 'no agent is given'
          : `agent_config overrides a profile, but none is named and ${lacks}`,
      path,
      mend: 'set acp_profile_id to the id of an agent profile',
    },
  ];
}
