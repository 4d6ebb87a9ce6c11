import { usedProfiles, usesDefault } from '@areas/agents/node/used-profiles';
import type { PromptFolder } from '@areas/prompts/contract/folders';
import type { PromptLibrary } from '@areas/prompts/node/prompt-library';
import type { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { err, ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { Plan } from '@main/core/engine/plan/plan';
import { freezeReferences } from './run-inputs';
import { freezePrompts } from './run-prompts';

export interface StartParts {
  readonly files: Pick<WorkflowFiles, 'profilesOf' | 'contextOf' | 'settingsOf'>;
  readonly prompts: Pick<PromptLibrary, 'loadAll'>;
}

export interface StartOf {
  readonly project: { readonly id: number; readonly path: string };
  readonly plan: Plan;
  readonly sourceFile: string | null;
  readonly instruction: string;
  readonly issue?: RunState['issue'];
  readonly inputs: Record<string, string>;
  readonly promptFolders?: readonly PromptFolder[] | undefined;
  /** Profiles to use if the project no longer has one with their id. */
  readonly profiles?: RunState['profiles'];
}

type Started = RunEventOf<'run.started'>;
/** What the caller adds: names and folders of the run, and its files. */
type OfTheRun = 'uid' | 'attachments' | 'files' | 'artifactsDir' | 'startedBy' | 'again';

/** Freezes what a run starts from, and a dry run likewise. Writes nothing. */
export async function freezeStart(
  parts: StartParts,
  { project, plan, sourceFile, instruction, issue, ...of }: StartOf,
): Promise<Result<Omit<Started, OfTheRun>>> {
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
  const agents = await parts.files.profilesOf(project.path);
  return ok({
    type: 'run.started',
    name: definition.name,
    projectId: project.id,
    projectPath: project.path,
    sourceFile,
    definition,
    ...(Object.keys(plan.called).length === 0 ? {} : { called: plan.called }),
    profiles: usedProfiles(plan, { ...of.profiles, ...agents.profiles }),
    ...(usesDefault(plan) && plan.defaultProfile !== null ? { defaultProfile: plan.defaultProfile } : {}),
    instruction,
    ...(issue === undefined ? {} : { issue }),
    projectContext: context.value,
    ...(settings === undefined ? {} : { projectSettings: settings }),
    ...prompts.value,
    references: references.value,
    workspaceMode: definition.workspace,
  });
}
