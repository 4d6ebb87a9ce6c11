import { join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { newFileInProject } from '@areas/projects/node/project-write';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import type { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { schemaProblems, unreadable } from '@areas/workflows/node/workflow-problems';
import type { Problem } from '@contract/errors';
import { jsonSchema } from '@contract/ids';
import type { ParsedInput } from '@contract/ipc';
import { fail, type Result } from '@contract/result';
import type { DocumentReader } from '@main/core/ports/documents';
import { listGuarded } from '@main/guarded-files/read';
import { readTextFile } from '@main/services/text-file';
import { z } from 'zod';
import type { TeamTemplate } from '../contract/procedures';
import { teamConfigSchema } from '../core/config';

/** The folder of a project's team files, relative to it. */
const TEAMS_DIR = join('.muster', 'teams');

/** The step of a run that consists of a team only. */
export const teamStep = (title: string, config: Readonly<Record<string, unknown>>) => ({
  id: 'team',
  type: 'step.team',
  title,
  config,
});

/** A team file: its name, purpose, and its step's configuration. */
const templateSchema = z.strictObject({
  name: z.string().min(1).max(120),
  description: z.string().optional(),
  team: teamConfigSchema,
});
const rawSchema = z.object({ team: z.record(z.string(), jsonSchema) });

interface TeamTemplatesParts {
  readonly reader: DocumentReader;
  readonly files: Pick<WorkflowFiles, 'check'>;
  projects(): readonly ProjectRow[];
  /** A new YAML document. */
  yaml(value: unknown): string;
}

/** Team templates. The files are authoritative, so each call reads them again. */
export class TeamTemplates {
  constructor(private readonly parts: TeamTemplatesParts) {}

  /** Of one project, or of all; an invalid file is listed with its problems. */
  async list(projectId?: number): Promise<TeamTemplate[]> {
    const projects = this.parts
      .projects()
      .filter((project) => projectId === undefined || project.id === projectId);
    const found = await Promise.all(projects.map((project) => this.#ofProject(project)));
    return found.flat();
  }

  /** Errors: `not_found`, `input.invalid`, `conflict` if the file exists, `project.not_writable`. */
  async save({
    projectId,
    name,
    config,
  }: ParsedInput<'team.saveTemplate'>): Promise<Result<{ file: string }>> {
    const project = this.parts.projects().find(({ id }) => id === projectId);
    if (project === undefined) return fail('not_found', `there is no project ${projectId}`);
    const valid = teamConfigSchema.safeParse(config);
    if (!valid.success) return fail('input.invalid', `this is not a team: ${z.prettifyError(valid.error)}`);
    const mend = 'choose another name, or edit that file';
    const text = this.parts.yaml({ name, team: config });
    return newFileInProject(project.path, { folder: TEAMS_DIR, name, unnamed: 'team', text, mend });
  }

  async #ofProject(project: ProjectRow): Promise<TeamTemplate[]> {
    const names = await listGuarded(project.path, TEAMS_DIR);
    const files = names.filter((name) => /\.ya?ml$/i.test(name));
    return Promise.all(files.map((name) => this.#read(project, join(TEAMS_DIR, name))));
  }

  async #read(project: ProjectRow, file: string): Promise<TeamTemplate> {
    const read = await readTextFile(join(project.path, file), project.path);
    const base = {
      projectId: project.id,
      projectName: project.name,
      file,
      name: file.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/i, ''),
      description: null,
      members: [],
    };
    if (read !== null && 'trouble' in read)
      return { ...base, config: null, problems: [unreadable(file, read)] };
    const document = this.parts.reader.parse(read?.text ?? '', file);
    if (document.problems.length > 0) return { ...base, config: null, problems: [...document.problems] };
    const parsed = templateSchema.safeParse(document.value);
    if (!parsed.success)
      return { ...base, config: null, problems: schemaProblems(parsed.error, file, document.lineOf) };
    const { name, description = null, team } = parsed.data;
    const config = rawSchema.parse(document.value).team;
    const definition = workflowDefinitionSchema.parse({ name, steps: [teamStep(name, config)] });
    const { problems } = await this.parts.files.check(definition, project.path);
    return {
      ...base,
      name,
      description,
      config,
      members: team.members.map(({ name, agent, iterative }) => ({ name, agent, iterative })),
      problems: problems.map((problem) => placed(problem, file, document.lineOf)),
    };
  }
}

/** Maps problems from the workflow built from the file to places in the file itself. */
function placed(problem: Problem, file: string, lineOf: (path: string) => number | null): Problem {
  const path = problem.where?.path?.replace(/^steps\[0\]\.config/, 'team');
  if (path === undefined) return { ...problem, where: { ...problem.where, file } };
  const line = lineOf(path);
  return { ...problem, where: { file, path, ...(line === null ? {} : { line }) } };
}
