import { minutesSchema, requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentConfigSchema } from '@main/core/step/agent/agent';
import { z } from 'zod';

const relative = z.lazy(() =>
  z
    .string()
    .trim()
    .min(1)
    .refine(
      (path) => !/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes('..'),
      'a folder inside the project, such as scripts/ralph',
    ),
);

/** A valid git branch name that git cannot mistake for an option. */
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|@\{|\/\/|\.lock$|[/.]$))[^\s~^:?*[\\]+$/;
export const isBranch = (text: string): boolean => BRANCH.test(text);

/** May contain references, and `\$NAME` for literal text; `isBranch` checks the expanded name. */
const branchSchema = z
  .string()
  .trim()
  .refine((text) => isBranch(text.replaceAll('\\$', '$')), 'not the name of a branch');

/** Configuration of `step.ralph` (seed 004). */
export const ralphConfigSchema = lazyStrictObject(() => ({
  /** The folder with prd.json, progress.txt and logs/, relative to the project. */
  folder: relative.default('.'),
  /** The loop's branch; default: the plan's `branchName`. A template. */
  branch: branchSchema.nullable().default(null),
  worker: z
    .strictObject({
      acp_profile_id: z.string().nullable().default(null),
      agent_config: agentConfigSchema.nullable().default(null),
    })
    .prefault({}),
  /** N in `Iteration n/N`. Retries do not count as iterations. */
  iterations: z.number().int().min(1).max(1_000).default(10),
  /** The worker's prompt; default: Muster's own text. */
  prompt: z.string().trim().min(1).nullable().default(null),
  /** Minutes after which the operator is asked before another attempt. */
  minutes: minutesSchema.nullable().default(null),
  /** Minutes after which an attempt is ended. */
  attempt_minutes: minutesSchema.nullable().default(null),
  /**
   * The project's own check, such as `npm test`: a story counts as done only if it passes after the
   * attempt.
   */
  verify: z.string().trim().min(1).max(4_000).nullable().default(null),
  /** Minutes after which the check fails. */
  verify_minutes: minutesSchema.default(15),
  /** Another agent for an iteration's second try; default: the worker itself. */
  retry_profile: requiredText().nullable().default(null),
  /** Another model for the second try. */
  retry_model: z.string().trim().min(1).nullable().default(null),
  /**
   * Nothing is run: a ralph.sh that someone else started in the project's folder is watched. Not allowed in
   * a body: there is one such loop per folder, so each item or pass would post its updates again.
   */
  watch: z
    .strictObject({ pid: z.number().int().positive().nullable().default(null) })
    .nullable()
    .default(null),
  /**
   * After this many no-ops, or commits that left the story open, in a row on one story, the operator is
   * asked.
   */
  stall_after: z.number().int().min(2).max(100).default(3),
}));
export type RalphConfig = z.infer<typeof ralphConfigSchema>;
