import { join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { newFileInProject } from '@areas/projects/node/project-write';
import { fail, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import type { DocumentEditor } from '@main/core/ports/documents';
import { type WorkflowDefinition, workflowDefinitionSchema } from '../contract/definition';
import type { WorkflowPatterns } from './patterns';
import { wholeText, workflowPlace } from './texts/place';

const FOLDER = join('.muster', 'workflows');

type WorkflowSource =
  | { readonly kind: 'blank'; readonly agent?: string | undefined }
  /** The steps of a run, as of its start. */
  | { readonly kind: 'run'; readonly runId: number }
  /** Another workflow. */
  | { readonly kind: 'file'; readonly projectId: number; readonly file: string }
  /** A pattern that comes with Muster. */
  | { readonly kind: 'pattern'; readonly pattern: string; readonly agent: string };

interface CreationParts {
  project(projectId: number): Pick<ProjectRow, 'path'> | null;
  state(runId: number): RunState | null;
  readonly editor: DocumentEditor;
  readonly patterns: Pick<WorkflowPatterns, 'textOf'>;
  write(definition: WorkflowDefinition): string;
  changed(projectId: number): void;
}

interface NewWorkflow {
  readonly projectId: number;
  readonly name: string;
  readonly from: WorkflowSource;
}

/** Creates workflow files. Never overwrites a file. */
export class WorkflowCreation {
  constructor(private readonly parts: CreationParts) {}

  /** Errors: `not_found`, `input.invalid`, `conflict` if the file exists, `project.not_writable`. */
  async create({ projectId, name, from }: NewWorkflow): Promise<Result<{ file: string }>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const text = await this.textOf(name, from);
    if (!text.ok) return text;
    const mend = 'choose another name, or edit that workflow';
    const file = { folder: FOLDER, name, unnamed: 'workflow', text: text.value, mend };
    const done = await newFileInProject(project.path, file);
    if (done.ok) this.parts.changed(projectId);
    return done;
  }

  private async textOf(name: string, from: WorkflowSource): Promise<Result<string>> {
    if (from.kind === 'blank') return ok(this.parts.write(blank(name, from.agent)));
    if (from.kind === 'file') return this.copyOf(name, from);
    if (from.kind === 'pattern')
      return this.parts.patterns.textOf({ id: from.pattern, name, agent: from.agent });
    const state = this.parts.state(from.runId);
    if (state === null) return fail('not_found', `there is no run ${from.runId}`);
    return ok(this.parts.write({ ...state.definition, name }));
  }

  private async copyOf(
    name: string,
    { projectId, file }: WorkflowSource & { kind: 'file' },
  ): Promise<Result<string>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const place = await workflowPlace(project, file);
    const read = place.ok ? await wholeText(place.value, file) : place;
    if (!read.ok) return read;
    const named = this.parts.editor.edit(read.value.text, [
      { kind: 'value.set', step: [], path: ['name'], value: name },
    ]);
    // An invalid workflow file is copied unchanged, to be corrected there.
    return ok(named.ok ? named.value.text : read.value.text);
  }
}

/** One step and a question: with an agent it runs as it is, and it is a starting point for changes. */
const blank = (name: string, agent: string | undefined): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    name,
    steps: [
      {
        id: 'work',
        type: 'step.agent_task',
        title: 'Do the work',
        config: {
          ...(agent !== undefined && { acp_profile_id: agent }),
          instruction: 'Describe here what the agent does.',
        },
      },
      {
        id: 'check',
        type: 'step.approval',
        title: 'Is the result good?',
        config: { message: 'Is the result good?' },
      },
    ],
    cables: [{ from: 'work.data_out', to: 'check.data_in' }],
  });
