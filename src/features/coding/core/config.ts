import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentShape } from '@main/core/step/agent/agent';
import { repromptSchema } from '@main/core/step/agent/reprompts';
import { z } from 'zod';

/** CodingAgentAssignment of seed 000 section 2.2. */
const codingAgentSchema = lazyStrictObject(() => ({
  role: z.string().trim().min(1, 'name the role: what does this agent do?').max(60),
  ...agentShape,
  instruction_override: z.string().nullable().default(null),
  re_prompts: z.array(repromptSchema).default([]),
}));
export type CodingAgent = z.infer<typeof codingAgentSchema>;

/** The first words of common test commands. */
export const usualTests: readonly string[] = [
  ...['npm test', 'npm run test', 'npm t', 'pnpm test', 'yarn test', 'bun test', 'node --test'],
  ...['vitest', 'jest', 'mocha', 'playwright test', 'deno test'],
  ...['pytest', 'python -m unittest', 'tox', 'nox'],
  ...['go test', 'cargo test', 'cargo nextest', 'ctest', 'make test', 'make check'],
  ...['mvn test', 'gradle test', 'gradlew test', 'dotnet test', 'swift test', 'rspec', 'phpunit', 'mix test'],
];

/** CodingModuleConfig of seed 000 sections 2.2 and 2.3, as amended by SPEC. */
export const codingConfigSchema = lazyStrictObject(() => ({
  instruction: z.string().default(''),
  attachments: z.array(z.string()).default([]),
  agents: z.array(codingAgentSchema).min(1, 'name an agent').max(16),
  coordination: z.enum(['single', 'sequential', 'parallel', 'review_chain']).default('single'),
  /** Precedes the previous agent's work in the next agent's prompt. */
  handoff_instruction: z.string().nullable().default(null),
  /** The only way to complete: the agent says that it is done, then its re-prompts follow. */
  completion_mode: z.literal('agent_signals').default('agent_signals'),
  /** Maximum number of review rounds in a review chain, including the first. */
  max_rounds: z.number().int().min(1).max(20).default(3),
  /** Maximum number of Muster's prompts over all agents of the step; reaching it fails the step. */
  max_iterations: z.number().int().positive().optional(),
  capture_test_results: z.boolean().default(true),
  /**
   * A simple command that begins with one of these, also after other commands or in `npx`, is a test run.
   */
  test_patterns: z.array(requiredText()).default([...usualTests]),
  session_style: z.enum(['close', 'park']).default('close'),
  /** A re-activation continues in the same sessions. */
  session_persist: z.boolean().default(false),
}));
export type CodingConfig = z.infer<typeof codingConfigSchema>;

/** An agent's lane, from its index in the list, because two agents may have the same role. */
export const laneOf = (index: number): string => `agent-${index + 1}`;
export const indexOfLane = (lane: string): number => Number(lane.slice('agent-'.length)) - 1;

export const chainOf = (agent: CodingAgent): number => 1 + agent.re_prompts.length;
