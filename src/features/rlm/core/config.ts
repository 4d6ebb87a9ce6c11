import { type AgentChoice, agentShape } from '@main/core/step/agent';
import { z } from 'zod';

const whole = z.number().int().positive();

/** What a question over documents may use, each with its default. */
export const limitsShape = {
  /** Turns of the root model. One more asks for the best answer when they are used up. */
  iterations: whole.max(1_000).default(20),
  /** Seconds that a block may compute. Waiting for sub-calls does not count. */
  block_seconds: z.number().positive().max(3_600).default(30),
  /** Characters of a block's output that the model reads. */
  output_chars: whole.max(1_000_000).default(20_000),
  /** Characters of one sub-call, instruction and content together. */
  subcall_chars: whole.max(5_000_000).default(500_000),
  /** Sub-calls of one batch. */
  batch_size: whole.max(10_000).default(1_000),
  /** Sub-calls that are under way at the same time. */
  concurrent_subcalls: whole.max(64).default(16),
  /** Sub-calls of the whole step. */
  subcalls: whole.max(100_000).default(2_000),
  /** Megabytes of the process that runs the code. */
  memory_mb: whole.min(256).max(16_384).default(2_048),
};

export const rlmConfigSchema = z.lazy(() =>
  z.strictObject({
    /** The question. What comes in on `instruction_in` follows it. */
    question: z.string().default(''),
    /** Files, folders and globs, relative to the project. What comes in on `data_in` and `context_in` joins them. */
    documents: z.array(z.string().min(1)).default([]),
    /** The root model, which writes the code. */
    ...agentShape,
    /** The model that the code asks; the root model where it is left out. */
    sub_model: z.strictObject(agentShape).nullable().default(null),
    /** A model that tries to refute the answer; none where it is left out. */
    verify_model: z.strictObject(agentShape).nullable().default(null),
    limits: z.strictObject(limitsShape).prefault({}),
    /** The root model may add what it knows itself, in passages that are marked as such. */
    background_knowledge: z.boolean().default(false),
    /** How outputs come back: a message for each block, or one for all blocks of an iteration. */
    feedback: z.enum(['per-block', 'combined']).default('per-block'),
    /** Run code also where the operating system's own sandbox is off, as for root. */
    allow_weak_sandbox: z.boolean().default(false),
  }),
);
export type RlmConfig = z.infer<typeof rlmConfigSchema>;

/** The agent that answers sub-calls. */
export const subModelOf = (config: RlmConfig): AgentChoice => config.sub_model ?? config;
