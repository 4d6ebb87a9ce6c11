import { join } from 'node:path';
import type { ProjectRow } from '@contract/catalog/procedures';
import type { PromptFolder } from '@contract/prompts/folders';
import { err, ok, type Result } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { NEWEST_RULES } from '@contract/run/rules';
import type { RunState } from '@contract/run/state';
import { largeTextsIn } from '@contract/whole-text';
import type { Engine } from '../../../core/engine/engine';
import type { Plan } from '../../../core/engine/plan/plan';
import type { Ids } from '../../../core/ports/documents';
import type { RunTextFiles } from '../../../core/ports/whole-texts';
import { usedProfiles, usesDefault } from '../../agents/used-profiles';
import type { PromptLibrary } from '../../prompts/prompt-library';
import type { WorkflowFiles } from '../../workflows/workflow-files';
import { dropRunFolder, freezeFiles } from '../run-files';
import { freezeReferences } from './run-inputs';
import { freezePrompts } from './run-prompts';

export interface LaunchParts {
  readonly engine: Pick<Engine, 'start'>;
  readonly files: Pick<WorkflowFiles, 'profilesOf' | 'contextOf' | 'settingsOf'>;
  readonly prompts: Pick<PromptLibrary, 'loadAll'>;
  readonly ids: Ids;
  /** The parent of the runs' artifacts folders. */
  readonly artifactsRoot: string;
  readonly textFiles: Pick<RunTextFiles, 'share'>;
}

export interface Launch {
  readonly uid: string | undefined;
  readonly project: ProjectRow;
  readonly plan: Plan;
  readonly sourceFile: string | null;
  readonly instruction: string;
  readonly attachments: readonly string[];
  readonly startedBy: string;
  readonly inputs: Record<string, string>;
  readonly promptFolders?: readonly PromptFolder[] | undefined;
  /** Set for a run that adopts results from another one. */
  readonly again?: RunEventOf<'run.started'>['again'];
  readonly adopted?: readonly RunEvent[];
  /** The folder with the large texts of these results. */
  readonly textsFrom?: string;
  /** Profiles to use if the project no longer has one with their id. */
  readonly profiles?: RunState['profiles'];
}

/** Freezes what the run needs from its environment. Writes nothing before everything is known to exist. */
export async function launchRun(parts: LaunchParts, of: Launch): Promise<Result<{ runId: number }>> {
  const { project, plan, sourceFile, instruction, attachments, startedBy } = of;
  const { definition } = plan;
  const prompts = await freezePrompts(parts.prompts, plan, {
    projectPath: project.path,
    folders: of.promptFolders,
  });
  if (!prompts.ok) return prompts;
  const references = await freezeReferences(definition, project.path, of.inputs);
  if (!references.ok) return references;
  const context = await parts.files.contextOf(project.path);
  if (!context.ok) return context;
  const { settings, problems } = await parts.files.settingsOf(project.path);
  const [problem] = problems;
  if (problem !== undefined) {
    const { severity: _, ...error } = problem;
    return err(error);
  }
  const uid = of.uid ?? parts.ids.ulid();
  const artifactsDir = join(parts.artifactsRoot, uid);
  const frozen = await freezeFiles(plan, { attachments, projectPath: project.path, artifactsDir });
  if (!frozen.ok) return frozen;
  const agents = await parts.files.profilesOf(project.path);
  const event: RunEventOf<'run.started'> = {
    type: 'run.started',
    uid,
    name: definition.name,
    projectId: project.id,
    projectPath: project.path,
    sourceFile,
    definition,
    ...(Object.keys(plan.called).length === 0 ? {} : { called: plan.called }),
    profiles: usedProfiles(plan, { ...of.profiles, ...agents.profiles }),
    ...(usesDefault(plan) && plan.defaultProfile !== null ? { defaultProfile: plan.defaultProfile } : {}),
    instruction,
    attachments: frozen.value.attachments,
    files: frozen.value.files,
    projectContext: context.value,
    ...(settings === undefined ? {} : { projectSettings: settings }),
    ...prompts.value,
    rules: NEWEST_RULES,
    references: references.value,
    artifactsDir,
    workspaceMode: definition.workspace,
    startedBy,
    ...(of.again === undefined ? {} : { again: of.again }),
  };
  const { adopted = [], textsFrom } = of;
  const texts = largeTextsIn(adopted);
  const shared =
    texts.size === 0 || textsFrom === undefined
      ? ok(undefined)
      : await parts.textFiles.share(texts.values(), textsFrom, artifactsDir);
  const started = shared.ok ? await parts.engine.start(event, adopted) : shared;
  if (started.ok) return ok({ runId: started.value });
  await dropRunFolder(artifactsDir);
  return started;
}
