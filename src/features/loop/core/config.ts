import { minutesSchema } from '@contract/bounds';
import { agentConfigSchema } from '@main/core/step/agent';
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

/** A branch as git takes it, and never something that git would read as an option. */
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|@\{|\/\/|\.lock$|[/.]$))[^\s~^:?*[\\]+$/;
export const isBranch = (text: string): boolean => BRANCH.test(text);

/** It may hold references, and `\$NAME` for a name that is none; `isBranch` checks what they become. */
const branchSchema = z
  .string()
  .trim()
  .refine((text) => isBranch(text.replaceAll('\\$', '$')), 'not the name of a branch');

/** Configuration of `step.ralph` (seed 004). */
export const ralphConfigSchema = z.lazy(() =>
  z.strictObject({
    /** The folder with prd.json, progress.txt and logs/, relative to the project. */
    folder: relative.default('.'),
    /** The branch that the loop works on; the plan's `branchName` where it is not given. A template. */
    branch: branchSchema.nullable().default(null),
    worker: z
      .strictObject({
        acp_profile_id: z.string().nullable().default(null),
        agent_config: agentConfigSchema.nullable().default(null),
      })
      .prefault({}),
    /** N in `Iteration n/N`. A retry is no iteration of its own. */
    iterations: z.number().int().min(1).max(1_000).default(10),
    /** The worker's prompt; Muster's own text where it is not given. */
    prompt: z.string().trim().min(1).nullable().default(null),
    /** After so many minutes no attempt is begun before the operator is asked. */
    minutes: minutesSchema.nullable().default(null),
    /** After so many minutes an attempt is ended. */
    attempt_minutes: minutesSchema.nullable().default(null),
    /** The project's own check, such as `npm test`: a story counts as done only where it passes after the attempt. */
    verify: z.string().trim().min(1).max(4_000).nullable().default(null),
    /** Minutes until the check is ended as failed. */
    verify_minutes: minutesSchema.default(15),
    /** Another agent for the second try of an iteration; the worker itself where it is not given. */
    retry_profile: z.string().min(1).nullable().default(null),
    /** Another model for the second try. */
    retry_model: z.string().trim().min(1).nullable().default(null),
    /**
     * Nothing is run: a ralph.sh that someone else started in the project's folder is watched. Not in a body: there is one
     * such loop in the folder, so each item or pass would post its updates again.
     */
    watch: z
      .strictObject({ pid: z.number().int().positive().nullable().default(null) })
      .nullable()
      .default(null),
    /** After so many no-ops, or commits that left the story open, on one story in a row the operator is asked. */
    stall_after: z.number().int().min(2).max(100).default(3),
  }),
);
export type RalphConfig = z.infer<typeof ralphConfigSchema>;
