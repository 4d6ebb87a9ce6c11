import { projectSettingsSchema, settingsChangeSchema } from '@areas/projects/contract/project-settings';
import { promptFolderSchema } from '@areas/prompts/contract/folders';
import { sessionChoicesSchema } from '@areas/sessions/contract/session';
import { portSpecSchema, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { editingProcedures } from '@areas/workflows/contract/editing';
import { workflowMigrationSchema } from '@areas/workflows/contract/migration';
import { expansionSchema, trialSchema, trialValuesSchema } from '@areas/workflows/contract/trial';
import { whole } from '@contract/bounds';
import { problemSchema } from '@contract/errors';
import { runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { agentProfileSchema, detectedAgentSchema, newAgentProfileSchema, profileIdSchema } from './profile';

export const projectRowSchema = lazyObject(() => ({
  id: z.number().int(),
  path: z.string(),
  name: z.string(),
  addedAt: z.number(),
  /** What is wrong with the folder now; null if nothing is. */
  trouble: z.string().nullable(),
}));
export type ProjectRow = z.infer<typeof projectRowSchema>;

const workflowRowSchema = lazyObject(() => ({
  projectId: z.number().int(),
  projectName: z.string(),
  /** Path of the YAML file, relative to the project. */
  file: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  steps: z.array(z.object({ id: z.string(), type: z.string(), title: z.string().nullable() })),
  problems: z.array(problemSchema),
  runnable: z.boolean(),
  changedAt: z.number(),
}));
export type WorkflowRow = z.infer<typeof workflowRowSchema>;

const workflowPatternSchema = lazyObject(() => ({
  id: z.string(),
  name: z.string(),
  description: z.string(),
}));
export type WorkflowPattern = z.infer<typeof workflowPatternSchema>;

const stepPortsSchema = lazyObject(() => ({
  inputs: z.array(portSpecSchema),
  outputs: z.array(portSpecSchema),
}));
export type StepPorts = z.infer<typeof stepPortsSchema>;

const workflowDetailSchema = z.lazy(() =>
  workflowRowSchema.unwrap().extend({
    text: z.string(),
    absolutePath: z.string(),
    definition: workflowDefinitionSchema.nullable(),
    /** Ports of each step by its path: `review/fix` is the step `fix` in the body of `review`. */
    ports: z.record(z.string(), stepPortsSchema),
  }),
);
export type WorkflowDetail = z.infer<typeof workflowDetailSchema>;

/** The result of testing a profile, step by step; the test ends at the first failure. */
const agentTestSchema = lazyObject(() => ({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), ms: z.number() })),
  choices: sessionChoicesSchema.optional(),
}));
export type AgentTest = z.infer<typeof agentTestSchema>;

const profileRowSchema = lazyObject(() => ({
  profile: agentProfileSchema,
  /** `detected`: installed on this machine and usable by name without configuration. */
  source: z.enum(['builtin', 'operator', 'project', 'detected']),
  projectId: z.number().int().nullable(),
  trouble: z.string().nullable(),
}));
export type ProfileRow = z.infer<typeof profileRowSchema>;

const stepTypeSchema = lazyObject(() => ({
  type: z.string(),
  version: z.number(),
  title: z.string(),
  description: z.string(),
  configSchema: z.json(),
  /** Ports of the added step. */
  ports: stepPortsSchema,
}));

const empty = z.object({});
const projectFile = lazyObject(() => ({ projectId: whole(), file: z.string() }));

/** A workflow file that was deleted and is kept. */
const deletedWorkflowSchema = z.lazy(() =>
  projectFile.unwrap().extend({ kept: z.string(), deletedAt: z.number(), keptUntil: z.number() }),
);
export type DeletedWorkflow = z.infer<typeof deletedWorkflowSchema>;

const shownSettingsSchema = lazyObject(() => ({
  /** Null if the project has no such file, or one that is not valid. */
  settings: projectSettingsSchema.nullable(),
  /** What they come to in a run whose workflow sets nothing itself. */
  worktree: z.object({
    copy: z.array(z.string()),
    setup: z.string().nullable(),
    teardown: z.string().nullable(),
    submodules: z.boolean(),
  }),
  problems: z.array(problemSchema),
}));

export const catalogProcedures = {
  'project.list': { input: empty, output: z.lazy(() => z.array(projectRowSchema)) },
  'project.add': {
    input: lazyObject(() => ({ path: z.string() })),
    /** `isNew`: the project was not in the list before. */
    output: z.lazy(() => projectRowSchema.unwrap().extend({ isNew: z.boolean().optional() })),
  },
  'project.remove': { input: lazyObject(() => ({ projectId: whole() })), output: empty },
  /** The settings that hold for every run of the project at `path`, from its `.muster/project.yaml`. */
  'project.settings': { input: lazyObject(() => ({ path: z.string() })), output: shownSettingsSchema },
  /** Writes them into that file, whose comments and other lines stay. A file that is not valid is not changed. */
  'project.changeSettings': {
    input: lazyObject(() => ({ projectId: whole(), change: settingsChangeSchema })),
    output: shownSettingsSchema,
  },
  /**
   * Creates the sample project (a small git repository with two workflows) at `path`, or in the data folder,
   * and adds it.
   */
  'project.createSample': {
    input: lazyObject(() => ({ path: z.string().optional() })),
    output: projectRowSchema,
  },
  'workflow.list': {
    input: lazyObject(() => ({ projectId: whole().optional() })),
    output: z.lazy(() => z.array(workflowRowSchema)),
  },
  'workflow.get': { input: projectFile, output: workflowDetailSchema },
  /** Checks any file on disk, in a project or not. */
  'workflow.validate': { input: lazyObject(() => ({ path: z.string() })), output: workflowDetailSchema },
  /** Expands a file's templates and conditions with the given sample values. */
  'workflow.expand': {
    input: lazyObject(() => ({ path: z.string(), values: trialValuesSchema, step: z.string().optional() })),
    output: expansionSchema,
  },
  /** Runs a file in a temporary store: agents are scripted, commands are only shown. */
  'workflow.dry-run': {
    input: lazyObject(() => ({
      path: z.string(),
      instruction: z.string().default(''),
      inputs: z.record(z.string(), z.string()).default({}),
      promptFolders: z.array(promptFolderSchema).optional(),
      values: trialValuesSchema.prefault({}),
    })),
    output: trialSchema,
  },
  /** The workflows that come with Muster as examples to start from. */
  'workflow.patterns': { input: empty, output: z.lazy(() => z.array(workflowPatternSchema)) },
  /** Creates a workflow file in the project: blank, from the steps of a run, from a pattern, or as a copy of another file. */
  'workflow.create': {
    input: lazyObject(() => ({
      projectId: whole(),
      name: z.string().trim().min(1).max(120),
      from: z.discriminatedUnion('kind', [
        /** `agent` does the work; without one the default profile does. */
        z.object({ kind: z.literal('blank'), agent: profileIdSchema.optional() }),
        z.object({ kind: z.literal('run'), runId: runIdSchema }),
        /** Another workflow, copied byte for byte except for its name. */
        z.object({ kind: z.literal('file'), projectId: whole(), file: z.string() }),
        /** A pattern that comes with Muster; `agent` does its work. */
        z.object({ kind: z.literal('pattern'), pattern: z.string(), agent: profileIdSchema }),
      ]),
    })),
    output: lazyObject(() => ({ file: z.string() })),
  },
  /** Moves a workflow file out of the project; `kept` restores it. */
  'workflow.delete': { input: projectFile, output: lazyObject(() => ({ kept: z.string() })) },
  /** The deleted workflow files that can be restored, latest first. */
  'workflow.deleted': { input: empty, output: z.lazy(() => z.array(deletedWorkflowSchema)) },
  /** Restores a deleted file, unless another file has its name. */
  'workflow.undelete': {
    input: z.lazy(() => projectFile.unwrap().extend({ kept: z.string().regex(/^[0-9a-f-]{36}$/) })),
    output: empty,
  },
  /** Migrates a file from an earlier version, or only shows the changes; the old file is kept. */
  'workflow.migrate': {
    input: z.lazy(() => projectFile.unwrap().extend({ apply: z.boolean() })),
    output: workflowMigrationSchema,
  },
  /** Restores the old file, if the migrated one was not changed since. */
  'workflow.restore': {
    input: z.lazy(() => projectFile.unwrap().extend({ backup: z.string() })),
    output: empty,
  },
  ...editingProcedures,
  'agent.list': {
    /** `path`: the folder of a project that Muster may not know yet. */
    input: lazyObject(() => ({ projectId: whole().optional(), path: z.string().optional() })),
    output: z.lazy(() => z.array(profileRowSchema)),
  },
  'agent.detect': { input: empty, output: z.lazy(() => z.array(detectedAgentSchema)) },
  'agent.save': {
    input: lazyObject(() => ({ profile: newAgentProfileSchema })),
    output: profileRowSchema,
  },
  'agent.remove': { input: lazyObject(() => ({ id: profileIdSchema })), output: empty },
  'agent.test': {
    input: lazyObject(() => ({ profile: newAgentProfileSchema })),
    output: agentTestSchema,
  },
  'step.types': { input: empty, output: z.lazy(() => z.array(stepTypeSchema)) },
} as const;
