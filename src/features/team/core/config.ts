import { minutesSchema, requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentConfigSchema } from '@main/core/step/agent/agent';
import { z } from 'zod';
import { memberNameSchema } from '../contract/events';

const memberSchema = lazyStrictObject(() => ({
  name: memberNameSchema,
  /** An agent profile's id. */
  agent: z.string(),
  prompt: requiredText('write a prompt: what should this member do?'),
  iterative: z.boolean().default(false),
  model: z.string().nullable().default(null),
  read_only: z.boolean().default(false),
  worktree: z.boolean().default(true),
  plan_approval: z.boolean().default(false),
  idle_minutes: minutesSchema.nullable().default(null),
}));

const leadSchema = z.lazy(() =>
  z.union([
    z.literal('operator'),
    z.strictObject({ agent: z.string(), agent_config: agentConfigSchema.nullable().default(null) }),
  ]),
);

/** Configuration of `step.team` (SPEC "Teams"). */
export const teamConfigSchema = lazyStrictObject(() => ({
  /** The request to the whole team: to a lead agent, or to each member if the operator leads. */
  instruction: z.string().default(''),
  /** Who leads: the operator, or an agent with tools to spawn and message members. */
  lead: leadSchema.default('operator'),
  members: z.array(memberSchema).max(64).default([]),
  /** Maximum number of members that a lead may have at the same time. */
  max_members: z.number().int().min(1).max(64).default(50),
  /** Maximum rounds of one member; after that the operator is asked. */
  max_rounds: z.number().int().min(1).max(1000).default(50),
  /** Maximum messages of one agent per minute. */
  messages_per_minute: z.number().int().min(1).max(600).default(30),
  /** How long an iterative member may wait for an answer before it is parked. */
  idle_minutes: minutesSchema.default(1440),
  /** How long a turn may show no sign of life. */
  stall_minutes: minutesSchema.default(10),
  /** How long a round may last before it is reported. */
  round_minutes: minutesSchema.default(120),
}));
export type TeamConfig = z.infer<typeof teamConfigSchema>;

export const leadIsAgent = (
  config: TeamConfig,
): config is TeamConfig & { lead: Exclude<TeamConfig['lead'], 'operator'> } => config.lead !== 'operator';
