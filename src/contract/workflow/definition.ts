import { z } from 'zod';
import { minutesSchema } from '../bounds';
import { evidenceKindSchema } from '../evidence/evidence';
import { jsonSchema, stepIdSchema } from '../ids';

/** `step.port`, the end of a cable. */
export const portRefSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]*\.[A-Za-z0-9_][A-Za-z0-9_-]*$/,
    'a cable end is written as step_id.port_name',
  );

export const cableSchema = z.strictObject({ from: portRefSchema, to: portRefSchema });
export type Cable = z.infer<typeof cableSchema>;

/** What happens to a turn or command that was in flight when Muster died. */
export const interruptPolicySchema = z.enum(['ask', 'retry', 'fail']);
export type InterruptPolicy = z.infer<typeof interruptPolicySchema>;

/** Which ends of the steps before it let a step run. A step without the key runs where all of them succeeded. */
export const triggerRuleSchema = z.enum([
  'all_success',
  'one_success',
  'none_failed_min_one_success',
  'all_done',
]);
export type TriggerRule = z.infer<typeof triggerRuleSchema>;

/** How a step that failed is tried again. A login, a provider's limit and what the operator let fail are never retried. */
export const retrySchema = z.strictObject({
  /** How many attempts may follow the first one. */
  max_attempts: z.number().int().min(1).max(100),
  /** Before the first of them; each further one waits twice as long, at most an hour or this delay. */
  delay_seconds: z.number().positive().default(5),
  /** `transient`: only failures that can pass by themselves, such as an agent that crashed. */
  on: z.enum(['transient', 'all']).default('transient'),
});
export type Retry = z.infer<typeof retrySchema>;

export const stepDefinitionSchema = z.lazy(() =>
  z.strictObject({
    id: stepIdSchema,
    type: z.string().min(1),
    title: z.string().optional(),
    on_interrupt: interruptPolicySchema.optional(),
    trigger_rule: triggerRuleSchema.optional(),
    /** A condition over the steps before it: where it is false the step is skipped. Asked after the trigger rule. */
    when: z.string().min(1).optional(),
    retry: retrySchema.optional(),
    /** The step is stopped and fails when it has taken this long. Time in which it only waits for the operator, or for a provider's limit, does not count. */
    timeout_minutes: minutesSchema.optional(),
    /** A JSON Schema that the step's answer must be valid by; its properties can be read as `$step.output.field`. */
    output_format: z.record(z.string(), jsonSchema).optional(),
    position: z.strictObject({ x: z.number(), y: z.number() }).optional(),
    /** Parsed by the step module's own schema. */
    config: z.record(z.string(), jsonSchema).default({}),
  }),
);
export type StepDefinition = z.infer<typeof stepDefinitionSchema>;

/** Steps inside a step: the body of a loop or of a called workflow. */
export const workflowBodySchema = z.lazy(() =>
  z.strictObject({
    steps: z.array(stepDefinitionSchema).min(1),
    cables: z.array(cableSchema).default([]),
    /** The step whose output is that of the body; without it, the last steps. */
    output: stepIdSchema.optional(),
  }),
);
export type WorkflowBody = z.infer<typeof workflowBodySchema>;

export const budgetSchema = z.lazy(() =>
  z.strictObject({
    tokens: z.number().int().positive().optional(),
    cost_usd: z.number().positive().optional(),
    /** In which something of the run works; not those in which it waits for the operator or for a provider's limit. */
    minutes: z.number().positive().optional(),
  }),
);

/** `worktree`: a git worktree on a branch of the run. `project`: the operator's own checkout. `folder`: a plain folder of the run. */
export const workspaceModeSchema = z.enum(['worktree', 'project', 'folder']);
export type WorkspaceMode = z.infer<typeof workspaceModeSchema>;

/** What a new worktree of a run gets. */
export const worktreeSchema = z.lazy(() =>
  z.strictObject({
    /** Files that git ignores, as globs from the project's folder: `.env`. */
    copy: z.array(z.string().min(1)).default([]),
    /** A shell line that runs in the new worktree before anything else does. */
    setup: z.string().min(1).optional(),
    /** A shell line that runs in it before it is removed. */
    teardown: z.string().min(1).optional(),
  }),
);

const inputNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'the name of an input has letters, digits and _ only');

/** A value that a workflow asks for when it starts. */
const inputSchema = z.lazy(() =>
  z.strictObject({
    type: z.enum(['string', 'number', 'boolean']).default('string'),
    default: z.union([z.string(), z.number(), z.boolean()]).optional(),
    /** Without a default it is required all the same, unless this says `false`: then it is empty. */
    required: z.boolean().optional(),
    description: z.string().optional(),
  }),
);
export type InputDefinition = z.infer<typeof inputSchema>;

/** A workflow as it is in `.muster/workflows/NAME.yaml`. */
export const workflowDefinitionSchema = z.lazy(() =>
  z.strictObject({
    name: z.string().min(1).max(120),
    description: z.string().optional(),
    workspace: workspaceModeSchema.default('worktree'),
    worktree: worktreeSchema.optional(),
    /** The most activations that work at the same time; one that only waits at a gate does not count. */
    max_parallel: z.number().int().min(1).max(256).default(4),
    budget: budgetSchema.optional(),
    /** Values that are given when a run starts: `$INPUTS.name`. */
    inputs: z.record(inputNameSchema, inputSchema).optional(),
    /** `$BASE_BRANCH`, where it is another than the branch that is checked out in the project. */
    base_branch: z.string().min(1).optional(),
    /** `$DOCS_DIR`. */
    docs_dir: z.string().min(1).optional(),
    /** The step whose output is the result of the run. */
    returns: stepIdSchema.optional(),
    steps: z.array(stepDefinitionSchema).min(1),
    cables: z.array(cableSchema).default([]),
  }),
);
export type WorkflowDefinition = z.infer<typeof workflowDefinitionSchema>;

/** What is on a port. `source_session_key` names the session that the content came from. */
export const contextBundleSchema = z.lazy(() =>
  z.object({
    content: jsonSchema,
    source_session_key: z.string().nullable(),
    metadata: z.record(z.string(), jsonSchema),
    /** What the content is, where the step that made it knows. */
    kind: evidenceKindSchema.optional(),
  }),
);
export type ContextBundle = z.infer<typeof contextBundleSchema>;

export const portSpecSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(['bundle', 'signal', 'receipt']),
    description: z.string().optional(),
    /** Only a cable from such a port may lead back. */
    leadsBack: z.boolean().optional(),
    /** What is on this input goes out here as it came, with the session that it was made in. */
    passes: z.string().optional(),
  }),
);
export type PortSpec = z.infer<typeof portSpecSchema>;
