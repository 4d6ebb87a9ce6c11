import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentFinder } from '@areas/agents/node/agent-finder';
import { CatalogService } from '@areas/agents/node/catalog-service';
import { ProjectSettingsFile } from '@areas/projects/node/project-settings-file';
import { PROMPTS_VARIABLE } from '@areas/prompts/contract/folders';
import { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { PromptOverrides } from '@areas/prompts/node/prompt-overrides';
import { PromptService } from '@areas/prompts/node/prompt-service';
import { lastRunOf } from '@areas/runs/node/history/last-runs';
import { Attachments } from '@areas/sessions/node/attachments';
import { WorkflowPatterns } from '@areas/workflows/node/patterns';
import { WorkflowTexts } from '@areas/workflows/node/texts';
import { WorkflowTrials } from '@areas/workflows/node/trial';
import { WorkflowBin } from '@areas/workflows/node/workflow-bin';
import { WorkflowCreation } from '@areas/workflows/node/workflow-creation';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { WorkflowMigrations } from '@areas/workflows/node/workflow-migration';
import type { RunState } from '@contract/run/state';
import type { CoreInit } from '@contract/system/host';
import { stepRegistry } from '@features/core';
import { makeSampleProject } from '../../adapters/sample';
import { yamlReader } from '../../adapters/yaml/document';
import { yamlEditor } from '../../adapters/yaml/edit';
import { yamlMigrator } from '../../adapters/yaml/migrate';
import { rememberingReader } from '../../adapters/yaml/remembering-reader';
import { writeDefinition } from '../../adapters/yaml/write-definition';
import { agentPresets, builtinProfiles } from '../../agents/presets';
import type { ServiceParts } from './service-parts';

export const createFiles = ({ adapters: { store }, settings, detected }: ServiceParts): WorkflowFiles =>
  new WorkflowFiles({
    reader: rememberingReader(yamlReader),
    registry: stepRegistry,
    profiles: () =>
      Object.fromEntries([...builtinProfiles, ...store.profiles()].map((profile) => [profile.id, profile])),
    defaultProfile: () => settings.get().defaultProfile,
    detected,
  });

export function createCatalog(
  parts: ServiceParts,
  files: WorkflowFiles,
  changed: (projectId: number) => void,
): CatalogService {
  const { init, adapters, publisher } = parts;
  const { clock, store, processes } = adapters;
  return new CatalogService({
    store,
    files,
    clock,
    finder: createAgentFinder({
      tempDir: tmpdir(),
      presets: agentPresets,
      processes,
      agents: parts.agents,
      clock,
      secret: parts.secret,
    }),
    migrations: new WorkflowMigrations({ migrator: yamlMigrator, registry: stepRegistry }),
    builtinProfiles: builtinProfiles,
    detected: parts.detected,
    makeSample: async (path) =>
      makeSampleProject(
        { from: join(init.resourcesDir, 'sample'), to: path ?? join(init.dataDir, 'sample-project') },
        await processes.environment(),
      ),
    changed,
    profilesChanged: () => publisher.changed('profiles'),
  });
}

export const createProjectSettings = (
  { adapters: { store }, publisher }: ServiceParts,
  catalog: CatalogService,
): ProjectSettingsFile =>
  new ProjectSettingsFile({
    editor: yamlEditor,
    project: (projectId) => store.project(projectId),
    shown: (path) => catalog.projectSettings(path),
    changed: (projectId) => publisher.workflowsChanged(projectId),
  });

export const createLibrary = ({ resourcesDir }: CoreInit): PromptLibrary =>
  new PromptLibrary({
    builtinDir: join(resourcesDir, 'prompts'),
    variable: process.env[PROMPTS_VARIABLE] || undefined,
  });

export function createPrompts({ adapters, publisher }: ServiceParts, library: PromptLibrary): PromptService {
  return new PromptService({
    store: adapters.store,
    library,
    overrides: new PromptOverrides(library),
    changed: (projectId) => publisher.workflowsChanged(projectId),
  });
}

/** Creates and changes workflow files. */
export function createEditing(
  { init, adapters: { store, clock }, publisher }: ServiceParts,
  files: WorkflowFiles,
  state: (runId: number) => RunState | null,
): {
  creation: WorkflowCreation;
  patterns: WorkflowPatterns;
  texts: WorkflowTexts;
  bin: WorkflowBin;
  attachments: Attachments;
} {
  const shared = {
    project: (projectId: number) => store.project(projectId),
    projects: () => store.projects(),
    changed: (projectId: number) => publisher.workflowsChanged(projectId),
  };
  const bin = new WorkflowBin({ ...shared, now: clock.now, folder: join(init.dataDir, 'deleted-workflows') });
  void bin.clean();
  const patterns = new WorkflowPatterns({
    dir: join(init.resourcesDir, 'patterns'),
    reader: files.reader,
    editor: yamlEditor,
  });
  return {
    patterns,
    creation: new WorkflowCreation({
      ...shared,
      state,
      patterns,
      editor: yamlEditor,
      write: writeDefinition,
    }),
    attachments: new Attachments(shared),
    bin,
    texts: new WorkflowTexts({
      // With the reader of `files`: a text that is checked and then written is parsed once.
      ...shared,
      files,
      reader: files.reader,
      editor: yamlEditor,
      registry: stepRegistry,
      lastRun: (workflow) => lastRunOf({ store, state }, workflow),
    }),
  };
}

/** Runs workflows on trial. */
export const createTrials = (
  { adapters }: ServiceParts,
  files: WorkflowFiles,
  prompts: PromptLibrary,
): WorkflowTrials =>
  new WorkflowTrials({
    files,
    prompts,
    registry: stepRegistry,
    ports: adapters.ports,
    logger: adapters.logger,
    now: adapters.clock.now,
  });
