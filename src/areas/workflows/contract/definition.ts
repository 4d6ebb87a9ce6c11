import { evidenceKindSchema } from '@areas/evidence/contract/evidence';
import { hostNameSchema } from '@areas/hosts/contract/host';
import { lostAfterSchema } from '@areas/hosts/contract/lost-after';
import { amount, minutesSchema, requiredText, whole } from '@contract/bounds';
import { jsonSchema, stepIdSchema } from '@contract/ids';
import { lazyObject, lazyStrictObject } from '@contract/lazy-object';
import { cutTextSchema, largeTextSchema } from '@contract/whole-text';
import { z } from 'zod';

/** `step.port`, one end of a cable. */
export const portRefSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]*\.[A-Za-z0-9_][A-Za-z0-9_-]*$/,
    'a cable end is written as step_id.port_name',
  );

export const cableSchema = lazyStrictObject(() => ({ from: portRefSchema, to: portRefSchema }));
export type Cable = z.infer<typeof cableSchema>;

/** What happens to an interrupted turn or command when Muster restarts. */
const interruptPolicySchema = z.enum(['ask', 'retry', 'fail']);
export type InterruptPolicy = z.infer<typeof interruptPolicySchema>;

/** Which outcomes of the steps before it let a step run. Default: all of them succeeded. */
export const triggerRuleSchema = z.enum([
  'all_success',
  'one_success',
  'none_failed_min_one_success',
  'all_done',
]);
export type TriggerRule = z.infer<typeof triggerRuleSchema>;

/**
 * How a failed step is retried. Login problems, provider limits and failures accepted by the operator are
 * never retried.
 */
const retrySchema = lazyStrictObject(() => ({
  /** How many attempts may follow the first. */
  max_attempts: whole().min(1).max(100),
  /** Delay before the first retry; it doubles for each further one, up to an hour or this value if longer. */
  delay_seconds: amount().positive().default(5),
  /** `transient`: only temporary failures, such as an agent that crashed. */
  on: z.enum(['transient', 'all']).default('transient'),
}));
export type Retry = z.infer<typeof retrySchema>;

export const stepDefinitionSchema = lazyStrictObject(() => ({
  id: stepIdSchema,
  type: requiredText(),
  title: z.string().optional(),
  /** `true`: switched off. The step is skipped, as by a condition that is false. */
  disabled: z.boolean().optional(),
  on_interrupt: interruptPolicySchema.optional(),
  trigger_rule: triggerRuleSchema.optional(),
  /**
   * A condition over the previous steps; if it is false, the step is skipped. Evaluated after the trigger
   * rule.
   */
  when: requiredText().optional(),
  retry: retrySchema.optional(),
  /**
   * The step is stopped and fails after this time. Time spent only waiting for the operator or for a
   * provider's limit does not count.
   */
  timeout_minutes: minutesSchema.optional(),
  /** A JSON Schema for the step's answer; its properties can be read as `$step.output.field`. */
  output_format: z.record(z.string(), jsonSchema).optional(),
  position: z.strictObject({ x: amount(), y: amount() }).optional(),
  /** Validated by the step module's own schema. */
  config: z.record(z.string(), jsonSchema).default({}),
}));
export type StepDefinition = z.infer<typeof stepDefinitionSchema>;

/** Steps inside a step: the body of a loop or of a called workflow. */
export const workflowBodySchema = lazyStrictObject(() => ({
  steps: z.array(stepDefinitionSchema).min(1),
  cables: z.array(cableSchema).default([]),
  /** The step whose output is the body's output; default: the last steps. */
  output: stepIdSchema.optional(),
}));
export type WorkflowBody = z.infer<typeof workflowBodySchema>;

export const budgetSchema = lazyStrictObject(() => ({
  tokens: whole().positive().optional(),
  cost_usd: amount().positive().optional(),
  /** Working time of the run; excludes waiting for the operator or for a provider's limit. */
  minutes: amount().positive().optional(),
}));

/**
 * `worktree`: a git worktree on a branch of the run. `project`: the operator's own checkout. `folder`: a
 * plain folder of the run.
 */
export const workspaceModeSchema = z.enum(['worktree', 'project', 'folder']);
export type WorkspaceMode = z.infer<typeof workspaceModeSchema>;

/** Setup of a run's new worktrees. */
export const worktreeSchema = lazyStrictObject(() => ({
  /** Globs, relative to the project's folder, of ignored files to copy: `.env`. */
  copy: z.array(requiredText()).default([]),
  /** A shell command that runs first in each new worktree. */
  setup: requiredText().optional(),
  /** A shell command that runs before the worktree is removed. */
  teardown: requiredText().optional(),
  /** `false`: submodules stay empty. By default they get the files that the project has of them. */
  submodules: z.boolean().optional(),
}));
export type WorktreeSettings = z.infer<typeof worktreeSchema>;

const inputNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'the name of an input has letters, digits and _ only');

/** A value that a workflow requires at its start. */
const inputSchema = lazyStrictObject(() => ({
  type: z.enum(['string', 'number', 'boolean']).default('string'),
  default: z.union([z.string(), amount(), z.boolean()]).optional(),
  /** Without a default, an input is required unless this is `false`; then it is empty. */
  required: z.boolean().optional(),
  description: z.string().optional(),
}));
export type InputDefinition = z.infer<typeof inputSchema>;

/** A workflow as stored in `.muster/workflows/NAME.yaml`. */
export const workflowDefinitionSchema = lazyStrictObject(() => ({
  name: requiredText().max(120),
  description: z.string().optional(),
  workspace: workspaceModeSchema.default('worktree'),
  worktree: worktreeSchema.optional(),
  /** The remote host on which the steps run, by its name in `muster hosts`. */
  host: hostNameSchema.optional(),
  /** After this time without a connection to a host on which the run works, the operator is asked: `12h`. */
  lost_after: lostAfterSchema.optional(),
  /**
   * Maximum number of activations working at the same time; one that only waits at a gate does not count.
   */
  max_parallel: whole().min(1).max(256).default(4),
  budget: budgetSchema.optional(),
  /** Inputs that are given when a run starts: `$INPUTS.name`. */
  inputs: z.record(inputNameSchema, inputSchema).optional(),
  /** `$BASE_BRANCH`, if it differs from the branch checked out in the project. */
  base_branch: requiredText().optional(),
  /** `$DOCS_DIR`. */
  docs_dir: requiredText().optional(),
  /** The step whose output is the run's result. */
  returns: stepIdSchema.optional(),
  steps: z.array(stepDefinitionSchema).min(1),
  cables: z.array(cableSchema).default([]),
}));
export type WorkflowDefinition = z.infer<typeof workflowDefinitionSchema>;

const bundleShape = {
  /** The session that created it. */
  source_session_key: z.string().nullable(),
  metadata: z.record(z.string(), jsonSchema),
  /** The kind of content, if the creating step knows it. */
  kind: evidenceKindSchema.optional(),
};

/** The whole content of a port. */
const wholeBundleSchema = lazyObject(() => ({ content: jsonSchema, ...bundleShape }));
export type WholeBundle = z.infer<typeof wholeBundleSchema>;

/** A part of an output, marked as such. It has no `content`, so that no reader takes it for the whole. */
const cutBundleSchema = lazyObject(() => ({ cut: cutTextSchema, ...bundleShape }));
type CutBundle = z.infer<typeof cutBundleSchema> & { readonly content?: undefined };

/** The whole content in a file: a text, or the JSON of anything else. */
const largeBundleSchema = lazyObject(() => ({
  large: largeTextSchema,
  form: z.enum(['text', 'json']),
  ...bundleShape,
}));
export type LargeBundle = z.infer<typeof largeBundleSchema> & { readonly content?: undefined };

/** What a step gives and takes on a port. */
export type ContextBundle = WholeBundle | CutBundle;

/** The same in an event. */
export const storedBundleSchema: z.ZodType<StoredBundle> = z.lazy(() =>
  z.union([wholeBundleSchema, largeBundleSchema, cutBundleSchema]),
);
export type StoredBundle = ContextBundle | LargeBundle;

export const portSpecSchema = lazyObject(() => ({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['bundle', 'signal', 'receipt']),
  description: z.string().optional(),
  /** Only a cable from such a port may lead back to an earlier step. */
  leadsBack: z.boolean().optional(),
  /** A step that its own condition skips fires this port too: what lies behind it goes on. */
  firesWhenSkipped: z.boolean().optional(),
  /** The input whose content leaves here unchanged, with its original session. */
  passes: z.string().optional(),
}));
export type PortSpec = z.infer<typeof portSpecSchema>;
