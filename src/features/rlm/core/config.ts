import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { type AgentChoice, agentShape } from '@main/core/step/agent/agent';
import { z } from 'zod';

const positiveInteger = z.number().int().positive();

/** Limits of a question over documents, with their defaults. */
export const limitsShape = {
  /** Turns of the root model. After these, one more asks for the best answer. */
  iterations: positiveInteger.max(1_000).default(20),
  /** Seconds of computing time per block, without waiting for sub-calls. */
  block_seconds: z.number().positive().max(3_600).default(30),
  /** Maximum characters of a block's output that the model reads. */
  output_chars: positiveInteger.max(1_000_000).default(20_000),
  /** Maximum characters of one sub-call, instruction and content together. */
  subcall_chars: positiveInteger.max(5_000_000).default(500_000),
  /** Maximum sub-calls in one batch. */
  batch_size: positiveInteger.max(10_000).default(1_000),
  /** Maximum sub-calls at the same time. */
  concurrent_subcalls: positiveInteger.max(64).default(16),
  /** Maximum sub-calls of the whole step. */
  subcalls: positiveInteger.max(100_000).default(2_000),
  /** Maximum memory in megabytes of the process that runs the code. */
  memory_mb: positiveInteger.min(256).max(16_384).default(2_048),
};

export const rlmConfigSchema = lazyStrictObject(() => ({
  /** The question. The input on `instruction_in` is appended. */
  question: z.string().default(''),
  /** Files, folders and globs, relative to the project. Inputs on `data_in` and `context_in` are added. */
  documents: z.array(requiredText()).default([]),
  /** The root model, which writes the code. */
  ...agentShape,
  /** The model that the code asks; default: the root model. */
  sub_model: z.strictObject(agentShape).nullable().default(null),
  /** A model that tries to refute the answer; default: none. */
  verify_model: z.strictObject(agentShape).nullable().default(null),
  limits: z.strictObject(limitsShape).prefault({}),
  /** The root model may add marked passages from its own knowledge. */
  background_knowledge: z.boolean().default(false),
  /** How outputs are returned: one message per block, or one per iteration. */
  feedback: z.enum(['per-block', 'combined']).default('per-block'),
  /** Run code even if the operating system's sandbox is unavailable, as for root. */
  allow_weak_sandbox: z.boolean().default(false),
}));
export type RlmConfig = z.infer<typeof rlmConfigSchema>;

/** The agent that answers sub-calls. */
export const subModelOf = (config: RlmConfig): AgentChoice => config.sub_model ?? config;
