import { newUidSchema, runIdSchema } from '@contract/ids';
import { z } from 'zod';

const whole = z.number().int().positive();
const model = z.strictObject({
  /** The id of an agent profile. */
  profile: z.string().min(1),
  /** Null: the profile's own. */
  model: z.string().min(1).nullable().default(null),
});

export const rlmProcedures = {
  /** Starts a run of one step, `step.rlm`. */
  'rlm.start': {
    input: z.lazy(() =>
      z.object({
        uid: newUidSchema,
        projectId: z.number().int(),
        question: z.string().trim().min(1),
        /** Files, folders and globs; relative ones are the project's. */
        documents: z.array(z.string().min(1)).min(1),
        root: model,
        /** Null: the root model answers sub-calls too. */
        sub: model.nullable().default(null),
        iterations: whole.max(1_000).optional(),
        subcalls: whole.max(100_000).optional(),
        blockSeconds: z.number().positive().max(3_600).optional(),
        /** What root model and sub-calls together may use before the operator is asked. */
        tokens: whole.nullable().default(null),
        allowWeakSandbox: z.boolean().default(false),
        startedBy: z.string().default('operator'),
      }),
    ),
    output: z.lazy(() => z.object({ runId: runIdSchema })),
  },
  /** Ends the block that runs. Its variables are kept, and the model goes on. */
  'rlm.interrupt': {
    input: z.lazy(() => z.object({ runId: runIdSchema, by: z.string().default('operator') })),
    output: z.object({}),
  },
  /** A text of the run, such as the prompt of a sub-call, by its path. */
  'rlm.text': {
    input: z.lazy(() =>
      z.object({ runId: runIdSchema, path: z.string().regex(/^texts\/[0-9a-f]{64}\.txt$/) }),
    ),
    output: z.object({ text: z.string() }),
  },
} as const;
