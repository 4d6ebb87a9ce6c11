import { z } from 'zod';
import { agentProfileSchema } from '../../catalog/profile';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { attachmentSchema } from '../../session/session';
import { workflowDefinitionSchema, workspaceModeSchema } from '../../workflow/definition';
import { type EventIn, event } from '../event-table';
import { runResultSchema } from '../results';
import { stepKeySchema } from '../scope/path';

const id = localIdSchema;

export const runOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected']);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

const referencesSchema = z.object({
  /** The branch that the run's work starts from, where one is known. */
  baseBranch: z.string().nullable(),
  docsDir: z.string(),
  /** The values of the workflow's inputs, as text. */
  inputs: z.record(z.string(), z.string()).default({}),
});

const againSchema = z.object({
  uid: z.string(),
  step: stepKeySchema,
  /** The snapshot that the working folder begins with, and the commit that its branch was at. Null: it begins as any. */
  folder: z.object({ commit: z.string(), head: z.string().nullable(), artifactsDir: z.string() }).nullable(),
  /** The profiles of the other run's sessions, by their keys: a step that continues in one of them begins one like it. */
  sessions: z.record(z.string(), z.string()),
});

export const lifecycleEvents = [
  event('run.started', () => ({
    uid: z.string(),
    name: z.string(),
    projectId: z.number().int(),
    projectPath: z.string(),
    sourceFile: z.string().nullable(),
    /** Frozen: later edits of the file do not touch the run. */
    definition: workflowDefinitionSchema,
    /** The workflow files that its steps call, and those that these call, frozen too. */
    called: z.record(z.string(), workflowDefinitionSchema).optional(),
    profiles: z.record(z.string(), agentProfileSchema),
    /** The profile of agents that name none, where there are such; frozen as the operator had set it. */
    defaultProfile: z.string().optional(),
    instruction: z.string(),
    attachments: z.array(attachmentSchema),
    /** Files that steps name, by the name they use; copied when the run started. */
    files: z.record(z.string(), attachmentSchema),
    projectContext: z.string().nullable(),
    /** Prompt texts that its steps use, frozen too, by their id. */
    prompts: z.record(z.string(), z.string()).optional(),
    /** The files of those that are not Muster's own. */
    promptFiles: z.record(z.string(), z.string()).optional(),
    /** The rules that the run is decided by; the first runs have none. See `rules.ts`. */
    rules: z.union([z.literal(2), z.literal(3), z.literal(4)]).optional(),
    /** What references stand for that the run itself does not know; earlier runs have none and expand nothing. */
    references: referencesSchema.optional(),
    /** The run begins at a step of another one, whose results before that step it takes. */
    again: againSchema.optional(),
    artifactsDir: z.string(),
    workspaceMode: workspaceModeSchema,
    startedBy: z.string(),
  })),
  event('run.workspace-requested', () => ({})),
  event('run.workspace-ready', () => ({
    path: z.string(),
    branch: z.string().nullable(),
    baseCommit: z.string().nullable(),
  })),
  event('run.workspace-failed', () => ({ error: appErrorSchema })),
  event('run.cancel-requested', () => ({
    by: z.string(),
    /** Why, where a step of the run asks for it. */
    reason: z.string().optional(),
  })),
  /** The operator says more in a session of a finished run: it works again until that is answered, and ends as it had. */
  event('run.reopened', () => ({ by: z.string() })),
  /** The operator resumes a finished run: failed and cancelled activations continue where they stopped. */
  event('run.resumed', () => ({
    by: z.string(),
    activationIds: z.array(id),
    /** What the operator tells the next worker of a loop. */
    text: z.string().optional(),
  })),
  /** The operator wants a run that begins at a step of this one. Committed before that run is. */
  event('run.again-requested', () => ({ uid: z.string(), step: stepKeySchema, by: z.string() })),
  event('run.finished', () => ({ outcome: runOutcomeSchema, reason: z.string().nullable() })),
  event('run.binned', () => ({ by: z.string() })),
  event('run.restored', () => ({ by: z.string() })),
  /** After its end: the branches that it worked on are checked out nowhere any more, and what it left is named. */
  event('run.released', () => ({ results: z.array(runResultSchema) })),
  /** The operator wants a result in their checkout. Committed before the checkout changes. */
  event('run.apply-requested', () => ({
    workspaceId: id.nullable(),
    /** The commit of the result. */
    result: z.string(),
    target: z.string(),
    targetCommit: z.string(),
    by: z.string(),
  })),
  event('run.applied', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    target: z.string(),
    /** Null where the checkout had everything already. */
    commit: z.string().nullable(),
    by: z.string(),
  })),
  event('run.apply-refused', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    error: appErrorSchema,
  })),
] as const;
export type LifecycleEvent = EventIn<typeof lifecycleEvents>;
