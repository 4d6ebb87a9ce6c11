import { promptFolderSchema } from '@areas/prompts/contract/folders';
import { amount, whole } from '@contract/bounds';
import { newUidSchema, runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { questionEstimateSchema } from './estimate';
import { questionRowSchema } from './summary';

const positiveInteger = whole().positive();
const textPath = z.string().regex(/^texts\/[0-9a-f]{64}\.txt$/);

const model = z.strictObject({
  /** The id of an agent profile. */
  profile: z.string().min(1),
  /** Null: the profile's own. */
  model: z.string().min(1).nullable().default(null),
});

const questionPreviewSchema = lazyObject(() => ({
  /** The first of them, named as in the question. */
  files: z.array(z.object({ name: z.string(), bytes: z.number().int() })),
  count: z.number().int(),
  /** Number of files that are empty or no text, and are not read. */
  leftOut: z.number().int(),
  bytes: z.number().int(),
  estimate: questionEstimateSchema,
}));

export const rlmProcedures = {
  /** The questions of the latest runs, newest first. */
  'rlm.list': {
    input: lazyObject(() => ({ limit: whole().min(1).max(1000).default(40) })),
    output: lazyObject(() => ({ rows: z.array(questionRowSchema), more: z.boolean() })),
  },
  /** The documents that a question would read, and an estimate of its tokens. Changes nothing. */
  'rlm.preview': {
    input: lazyObject(() => ({
      projectId: whole(),
      question: z.string(),
      documents: z.array(z.string().min(1)).min(1),
      iterations: positiveInteger.max(1_000).optional(),
    })),
    output: questionPreviewSchema,
  },
  /** Starts a run with a single step, `step.rlm`. */
  'rlm.start': {
    input: lazyObject(() => ({
      uid: newUidSchema,
      projectId: whole(),
      question: z.string().trim().min(1),
      /** Files, folders and globs, absolute or relative to the project. */
      documents: z.array(z.string().min(1)).min(1),
      root: model,
      /** Null: the root model answers sub-calls too. */
      sub: model.nullable().default(null),
      /** A model that tries to refute the answer; null: none. */
      verify: model.nullable().default(null),
      iterations: positiveInteger.max(1_000).optional(),
      subcalls: positiveInteger.max(100_000).optional(),
      blockSeconds: amount().positive().max(3_600).optional(),
      /** What root model and sub-calls together may use before the operator is asked. */
      tokens: positiveInteger.nullable().default(null),
      /** The root model may add marked passages from its own knowledge. */
      backgroundKnowledge: z.boolean().default(false),
      allowWeakSandbox: z.boolean().default(false),
      /** Folders of prompt texts that override the project's. */
      promptFolders: z.array(promptFolderSchema).optional(),
      startedBy: z.string().default('operator'),
    })),
    output: lazyObject(() => ({ runId: runIdSchema })),
  },
  /** Interrupts the running block. Its variables are kept, and the model continues. */
  'rlm.interrupt': {
    input: lazyObject(() => ({ runId: runIdSchema, by: z.string().default('operator') })),
    output: z.object({}),
  },
  /** A text of the run, such as a sub-call's prompt, by its path. */
  'rlm.text': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      path: textPath,
      /** Characters from the beginning; absent: all. */
      mostChars: positiveInteger.optional(),
    })),
    /** `cut`: number of characters left out. */
    output: z.object({ text: z.string(), cut: z.number().int().optional() }),
  },
  /** The lines of a text around one line. */
  'rlm.excerpt': {
    input: lazyObject(() => ({ runId: runIdSchema, path: textPath, line: positiveInteger })),
    /** `from`: the number of the first line. */
    output: z.object({ text: z.string(), from: z.number().int() }),
  },
} as const;
