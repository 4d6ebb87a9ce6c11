import { agentProfileSchema } from '@areas/agents/contract/profile';
import { projectSettingsSchema } from '@areas/projects/contract/project-settings';
import { attachmentSchema } from '@areas/sessions/contract/session';
import { workflowDefinitionSchema, workspaceModeSchema } from '@areas/workflows/contract/definition';
import { z } from 'zod';
import { whole } from '../../bounds';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { lazyObject } from '../../lazy-object';
import { type EventIn, event } from '../event-table';
import { appliedChangeSchema, applyHowSchema } from '../results/apply';
import { runResultSchema } from '../results/results';
import { stepKeySchema } from '../scope/path';

const id = localIdSchema;

export const runOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected']);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

export const runIssueSchema = lazyObject(() => ({
  number: whole().positive(),
  title: z.string().max(1_000),
}));

/** No control characters and line breaks, also those of Unicode. */
const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/** A name that the operator gives a run. */
export const runNameSchema = z.string().trim().min(1).max(200).refine(isOneLine, 'one line');

const referencesSchema = lazyObject(() => ({
  /** The branch that the run's work starts from, if known. */
  baseBranch: z.string().nullable(),
  docsDir: z.string(),
  /** The values of the workflow's inputs, as text. */
  inputs: z.record(z.string(), z.string()),
}));

const againSchema = lazyObject(() => ({
  uid: z.string(),
  step: stepKeySchema,
  /**
   * The snapshot that the working folder starts from, and its branch's commit at that time. Null: the folder
   * starts as usual.
   */
  folder: z.object({ commit: z.string(), head: z.string().nullable(), artifactsDir: z.string() }).nullable(),
  /**
   * The profiles of the earlier run's sessions, by key: a step that continued in one starts a session with
   * the same profile.
   */
  sessions: z.record(z.string(), z.string()),
}));

export const lifecycleEvents = [
  event('run.started', () => ({
    uid: z.string(),
    /** That of the workflow. The name of the run is derived from it and from the rest (`run-name.ts`). */
    name: z.string(),
    projectId: whole(),
    projectPath: z.string(),
    sourceFile: z.string().nullable(),
    /** Frozen: later edits of the file do not touch the run. */
    definition: workflowDefinitionSchema,
    /** The workflow files called by its steps, directly or indirectly; frozen too. */
    called: z.record(z.string(), workflowDefinitionSchema).optional(),
    profiles: z.record(z.string(), agentProfileSchema),
    /** The profile for agents that name none; frozen at its value when the run started. */
    defaultProfile: z.string().optional(),
    instruction: z.string(),
    /** The issue of the forge that the run works on. */
    issue: runIssueSchema.optional(),
    attachments: z.array(attachmentSchema),
    /** Files that steps attach, by the name they use; copied when the run started. */
    files: z.record(z.string(), attachmentSchema),
    projectContext: z.string().nullable(),
    /** Those of `.muster/project.yaml`, frozen too; absent if the project has none. */
    projectSettings: projectSettingsSchema.optional(),
    /** Prompt texts that its steps use, frozen too, by their id. */
    prompts: z.record(z.string(), z.string()).optional(),
    /** The source files of texts that are not Muster's own. */
    promptFiles: z.record(z.string(), z.string()).optional(),
    /** Values for references beyond the run itself. */
    references: referencesSchema,
    /** The run starts at a step of another run and adopts that run's earlier results. */
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
    /** What the folder lacks, for the operator. */
    notes: z.array(z.string()).optional(),
  })),
  event('run.workspace-failed', () => ({ error: appErrorSchema })),
  event('run.cancel-requested', () => ({
    by: z.string(),
    /** The reason, if a step of the run asks for it. */
    reason: z.string().optional(),
  })),
  /**
   * The operator prompts a session of a finished run: the run works again until that is answered, then ends
   * as before.
   */
  event('run.reopened', () => ({ by: z.string() })),
  /** The operator resumes a finished run: failed and cancelled activations continue where they stopped. */
  event('run.resumed', () => ({
    by: z.string(),
    activationIds: z.array(id),
    /** The operator's hint for the next worker of a loop. */
    text: z.string().optional(),
  })),
  /** The operator starts a new run at a step of this one. Committed before the new run exists. */
  event('run.again-requested', () => ({ uid: z.string(), step: stepKeySchema, by: z.string() })),
  event('run.finished', () => ({ outcome: runOutcomeSchema, reason: z.string().nullable() })),
  event('run.binned', () => ({ by: z.string() })),
  event('run.restored', () => ({ by: z.string() })),
  /** Null: the derived name again. */
  event('run.renamed', () => ({ name: runNameSchema.nullable(), by: z.string() })),
  /** After the run's end: its branches are no longer checked out anywhere, and its results are listed. */
  event('run.released', () => ({ results: z.array(runResultSchema) })),
  /** The operator applies a result to their checkout. Committed before the checkout changes. */
  event('run.apply-requested', () => ({
    workspaceId: id.nullable(),
    /** The commit of the result. */
    result: z.string(),
    target: z.string(),
    targetCommit: z.string(),
    how: applyHowSchema,
    /** The operator had staged some of the same changes before, which an undo could not leave. */
    staged: z.literal(true).optional(),
    by: z.string(),
  })),
  event('run.applied', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    target: z.string(),
    /** Null if the checkout already contained everything. */
    commit: z.string().nullable(),
    /** Set if the commit has a signature. */
    signed: z.literal(true).optional(),
    /** What it made, for an undo; null if an undo could lose something. */
    change: appliedChangeSchema.nullable(),
    by: z.string(),
  })),
  event('run.apply-refused', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    error: appErrorSchema,
  })),
  /** The operator undoes an application. Committed before the checkout changes. */
  event('run.undo-requested', () => ({ workspaceId: id.nullable(), result: z.string(), by: z.string() })),
  event('run.undone', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    target: z.string(),
    by: z.string(),
  })),
  event('run.undo-refused', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    error: appErrorSchema,
  })),
] as const;
export type LifecycleEvent = EventIn<typeof lifecycleEvents>;
