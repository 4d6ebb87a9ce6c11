import { basename, resolve } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import type { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { freezeStart } from '@areas/runs/node/launch/start-event';
import type { Attachment } from '@areas/sessions/contract/session';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import type { Plan } from '@main/core/engine/plan/plan';
import { allSteps } from '@main/core/engine/plan/tree';
import type { LoadedWorkflow, WorkflowFiles } from '../workflow-files';
import { type DryRunParts, dryRun } from './dry-run';
import { expandAll, placesOf, valuesOfFile } from './expand';
import { unusableStatus, withSkips } from './given-values';

interface TrialParts extends Omit<DryRunParts, 'now'> {
  readonly files: WorkflowFiles;
  readonly prompts: PromptLibrary;
  readonly now: () => number;
}

/** Shows what a workflow would do, without starting or storing anything. */
export class WorkflowTrials {
  constructor(private readonly parts: TrialParts) {}

  async expand(input: ParsedInput<'workflow.expand'>): Promise<Result<ProcedureOutput<'workflow.expand'>>> {
    const loaded = await this.load(input.path);
    if (!loaded.ok) return loaded;
    const { plan, problems, project } = loaded.value;
    if (plan === null) return ok({ problems: [...problems], templates: [] });
    const step = input.step ?? null;
    const places = placesOf(plan, valuesOfFile(plan, input.values, project), input.values);
    const known = new Set(places.map(({ key }) => key));
    if (step !== null && !known.has(step))
      return fail('input.invalid', `there is no step "${step}"`, {
        mend: `use one of: ${[...known].join(', ')}`,
      });
    const ids = new Set(places.map(({ step: { definition } }) => definition.id));
    const stray =
      Object.keys(input.values.steps).find((key) => !known.has(key.replace(/(?:#\d+)?\[\d+\]/g, ''))) ??
      Object.keys(input.values.previous).find((id) => !ids.has(id));
    if (stray !== undefined)
      return fail('input.invalid', `the values name the step "${stray}", which the workflow does not have`);
    return ok({ problems: [...problems], templates: expandAll(places, step) });
  }

  async dryRun(input: ParsedInput<'workflow.dry-run'>): Promise<Result<ProcedureOutput<'workflow.dry-run'>>> {
    const loaded = await this.load(input.path);
    if (!loaded.ok) return loaded;
    const { plan, problems, project } = loaded.value;
    if (plan === null) return ok({ problems: [...problems], entries: [], outcome: null, reason: null });
    const unusable = unusableStatus(input.values);
    if (unusable !== null) return fail('input.invalid', unusable.message, { mend: unusable.mend });
    const event = await this.started(plan, project, input);
    if (!event.ok) return event;
    const made = await dryRun(event.value, input.values, { ...this.parts, now: this.parts.now() });
    return made.ok ? ok({ problems: [...problems], ...made.value }) : made;
  }

  private async load(path: string): Promise<Result<LoadedWorkflow & { readonly project: string }>> {
    const absolute = resolve(path);
    const project = projectFolder(absolute);
    const loaded = await this.parts.files.load(absolute, path, project);
    if (loaded.problems[0]?.code === 'not_found') return fail('not_found', `there is no file ${path}`);
    return ok({ ...loaded, project });
  }

  private async started(
    plan: Plan,
    project: string,
    input: ParsedInput<'workflow.dry-run'>,
  ): Promise<Result<RunEventOf<'run.started'>>> {
    const { variables, inputs } = input.values;
    const given = Object.entries(inputs).map(([name, value]): [string, string] => [name, String(value)]);
    const start = await freezeStart(this.parts, {
      project: { id: 1, path: project },
      plan,
      sourceFile: input.path,
      instruction: input.instruction || (ownValue(variables, 'ARGUMENTS') ?? ''),
      inputs: { ...Object.fromEntries(given), ...input.inputs },
      promptFolders: input.promptFolders,
    });
    if (!start.ok) return start;
    const named = allSteps(plan).flatMap(({ bound }) => bound.files.map(({ file }) => file));
    return ok({
      ...start.value,
      ...withSkips(start.value, input.values),
      uid: 'dry-run',
      attachments: [],
      files: Object.fromEntries(named.map((file) => [file, attachmentOf(file)])),
      startedBy: 'dry run',
      artifactsDir: '(artifacts)',
    });
  }
}

const attachmentOf = (file: string): Attachment => ({
  path: file,
  name: basename(file),
  mime: 'text/plain',
  bytes: 0,
});
