import { existsSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { ProjectRow, WorkflowDetail, WorkflowRow } from '@contract/catalog/procedures';
import { type AgentProfile, projectAgentsSchema } from '@contract/catalog/profile';
import type { Problem } from '@contract/errors';
import { findingsOf } from '@contract/findings';
import { setOwn } from '@contract/own';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@contract/workflow/definition';
import type { z } from 'zod';
import { makePlan, type Plan, type PlanContext } from '../core/engine/plan';
import { leaveProblems } from '../core/engine/plan-leave';
import type { DocumentReader } from '../core/ports/documents';
import type { StepRegistry } from '../core/step/module';

export const WORKFLOWS_DIR = join('.muster', 'workflows');
const AGENTS_FILE = join('.muster', 'agents.yaml');
const CONTEXT_FILE = join('.muster', 'context.md');

export interface LoadedWorkflow {
  readonly text: string;
  readonly path: string;
  readonly changedAt: number;
  readonly definition: WorkflowDefinition | null;
  readonly plan: Plan | null;
  readonly problems: readonly Problem[];
}

export interface WorkflowFilesParts {
  readonly reader: DocumentReader;
  readonly registry: StepRegistry;
  /** Profiles of the operator and those that Muster brings along, by id. */
  readonly profiles: () => Readonly<Record<string, AgentProfile>>;
  /** Those of installed agents, which count where no one made another of that id. */
  readonly detected?: () => Promise<readonly AgentProfile[]>;
  readonly defaultProfile: () => string | null;
}

/** Reads workflow files. The file is the truth: nothing of it is kept between two readings. */
export class WorkflowFiles {
  constructor(private readonly parts: WorkflowFilesParts) {}

  /** Profiles that count in a project: its own go before the operator's. */
  async profilesOf(
    projectPath: string,
  ): Promise<{ profiles: Record<string, AgentProfile>; own: AgentProfile[]; problems: Problem[] }> {
    const file = join(projectPath, AGENTS_FILE);
    const profiles: Record<string, AgentProfile> = {};
    const installed = (await this.parts.detected?.()) ?? [];
    for (const profile of [...installed, ...Object.values(this.parts.profiles())])
      setOwn(profiles, profile.id, profile);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return { profiles, own: [], problems: [] };
    const document = this.parts.reader.parse(text, AGENTS_FILE);
    if (document.problems.length > 0) return { profiles, own: [], problems: [...document.problems] };
    const parsed = projectAgentsSchema.safeParse(document.value);
    if (!parsed.success) return { profiles, own: [], problems: agentProblems(parsed.error, document.lineOf) };
    for (const profile of parsed.data.profiles) setOwn(profiles, profile.id, profile);
    return { profiles, own: parsed.data.profiles, problems: [] };
  }

  async contextOf(projectPath: string): Promise<string | null> {
    return readFile(join(projectPath, CONTEXT_FILE), 'utf8').catch(() => null);
  }

  /** Loads one file and finds everything that is wrong with it; `projectPath` is where its profiles and files are looked up. */
  async load(path: string, shown: string, projectPath: string): Promise<LoadedWorkflow> {
    let text: string;
    let changedAt = 0;
    try {
      text = await readFile(path, 'utf8');
      changedAt = Math.floor((await stat(path)).mtimeMs);
    } catch {
      const problem: Problem = {
        code: 'not_found',
        severity: 'error',
        message: `there is no file ${shown}`,
        where: { file: shown },
      };
      return { text: '', path, changedAt, definition: null, plan: null, problems: [problem] };
    }
    const document = this.parts.reader.parse(text, shown);
    const base = { text, path, changedAt };
    if (document.problems.length > 0)
      return { ...base, definition: null, plan: null, problems: document.problems };
    const parsed = workflowDefinitionSchema.safeParse(document.value);
    if (!parsed.success) {
      return {
        ...base,
        definition: null,
        plan: null,
        problems: schemaProblems(parsed.error, shown, document.lineOf),
      };
    }
    const agents = await this.profilesOf(projectPath);
    const { plan, problems } = this.plan(parsed.data, agents.profiles);
    const found = [...agents.problems, ...problems.map((problem) => placed(problem, shown, document.lineOf))];
    found.push(...missingFiles(plan, projectPath).map((problem) => placed(problem, shown, document.lineOf)));
    const broken = found.some((problem) => problem.severity === 'error');
    return { ...base, definition: parsed.data, plan: broken ? null : plan, problems: found };
  }

  /** A definition that stands in no file, checked as one that does. Places are paths in the definition. */
  async check(
    definition: WorkflowDefinition,
    projectPath: string,
  ): Promise<{ plan: Plan | null; problems: Problem[] }> {
    const agents = await this.profilesOf(projectPath);
    const { plan, problems } = this.plan(definition, agents.profiles);
    const found = [...agents.problems, ...problems, ...missingFiles(plan, projectPath)];
    const broken = found.some((problem) => problem.severity === 'error');
    return { plan: broken ? null : plan, problems: found };
  }

  private plan(
    definition: WorkflowDefinition,
    profiles: PlanContext['profiles'],
  ): { plan: Plan | null; problems: Problem[] } {
    const context = { registry: this.parts.registry, profiles, defaultProfile: this.parts.defaultProfile() };
    const { plan, problems } = makePlan(definition, context);
    return { plan, problems: plan === null ? problems : [...problems, ...leaveProblems(plan, context)] };
  }

  async list(project: ProjectRow): Promise<WorkflowRow[]> {
    const folder = join(project.path, WORKFLOWS_DIR);
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => /\.ya?ml$/i.test(name)).sort();
    return Promise.all(files.map(async (name) => this.row(project, join(WORKFLOWS_DIR, name))));
  }

  private async row(project: ProjectRow, file: string): Promise<WorkflowRow> {
    return rowOf(project, file, await this.load(join(project.path, file), file, project.path));
  }

  async detail(project: ProjectRow, file: string): Promise<WorkflowDetail> {
    const path = isAbsolute(file) ? file : join(project.path, file);
    return detailOf(project, file, await this.load(path, file, project.path));
  }
}

export function rowOf(project: ProjectRow, file: string, loaded: LoadedWorkflow): WorkflowRow {
  const { definition } = loaded;
  return {
    projectId: project.id,
    projectName: project.name,
    file,
    name: definition?.name ?? file.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/i, ''),
    description: definition?.description ?? null,
    steps: definition?.steps.map(({ id, type, title }) => ({ id, type, title: title ?? null })) ?? [],
    problems: [...loaded.problems],
    runnable: loaded.plan !== null,
    changedAt: loaded.changedAt,
  };
}

export function detailOf(project: ProjectRow, file: string, loaded: LoadedWorkflow): WorkflowDetail {
  const ports = [...(loaded.plan?.steps ?? [])].map(([id, step]) => [
    id,
    { inputs: [...step.bound.ports.inputs], outputs: [...step.bound.ports.outputs] },
  ]);
  return {
    ...rowOf(project, file, loaded),
    text: loaded.text,
    absolutePath: loaded.path,
    definition: loaded.definition,
    ports: Object.fromEntries(ports) as WorkflowDetail['ports'],
  };
}

/** A schema's findings as problems; an unknown key is named with its own line. */
export function schemaProblems(
  error: z.ZodError,
  file: string,
  lineOf: (path: string) => number | null,
): Problem[] {
  return findingsOf(error).map(({ path, message, unknownKey }): Problem => {
    const line = lineOf(path);
    return {
      code: unknownKey === null ? 'validation.config' : 'validation.unknown_key',
      severity: 'error',
      message: unknownKey === null ? `${path === '' ? 'the document' : path}: ${message}` : message,
      where: { file, path, ...(line === null ? {} : { line }) },
    };
  });
}

/** Each says where it stands, and where the format is described. */
const agentProblems = (error: z.ZodError, lineOf: (path: string) => number | null): Problem[] =>
  schemaProblems(error, AGENTS_FILE, lineOf).map((found) => ({
    ...found,
    mend: 'the keys of each kind of agent are in README, "Agents"; muster agents show ID prints a profile as an example',
  }));

function placed(problem: Problem, file: string, lineOf: (path: string) => number | null): Problem {
  const path = problem.where?.path;
  const line = path === undefined ? null : lineOf(path);
  return { ...problem, where: { ...problem.where, file, ...(line === null ? {} : { line }) } };
}

function missingFiles(plan: Plan | null, projectPath: string): Problem[] {
  if (plan === null) return [];
  return plan.definition.steps.flatMap((step, index) =>
    (plan.steps.get(step.id)?.bound.files ?? []).flatMap(({ file, path }): Problem[] => {
      const absolute = resolve(projectPath, file);
      if (existsSync(absolute) && statSync(absolute).isFile()) return [];
      return [
        {
          code: 'validation.file_missing',
          severity: 'error',
          message: `step "${step.id}": there is no file ${file}`,
          where: { path: `steps[${index}].config.${path}` },
          mend: 'paths are relative to the project folder',
        },
      ];
    }),
  );
}
