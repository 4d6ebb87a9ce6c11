import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { ProjectRow, WorkflowDetail, WorkflowRow } from '@areas/agents/contract/procedures';
import { type AgentProfile, projectAgentsSchema } from '@areas/agents/contract/profile';
import { withMend } from '@areas/agents/node/default-mends';
import { type ProjectSettings, projectSettingsSchema } from '@areas/projects/contract/project-settings';
import { withInstructionFiles } from '@areas/projects/node/instruction-files';
import type { Problem } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import type { makePlan, Plan, PlanContext, PlannedStep } from '@main/core/engine/plan/plan';
import { allSteps } from '@main/core/engine/plan/tree';
import type { DocumentReader, ParsedDocument } from '@main/core/ports/documents';
import type { StepRegistry } from '@main/core/step/module';
import { isInside, realPath } from '@main/guarded-files/paths';
import { listGuarded, sizeGuarded } from '@main/guarded-files/read';
import { remembered } from '@main/services/object-cache';
import { readablePart } from '@main/services/readable-part';
import { readTextFile } from '@main/services/text-file';
import type { z } from 'zod';
import { type WorkflowDefinition, workflowDefinitionSchema } from '../contract/definition';
import type { TextPlace } from '../core/reference/preview';
import { calledFiles } from './called-files';
import { withKeyHome } from './key-home';
import { PlanCache } from './plan-cache';
import { readDefinition } from './read-definition';
import { stepPorts } from './workflow-ports';
import { emptyFile, inOrder, isWithin, schemaProblems, unreadable } from './workflow-problems';

const WORKFLOWS_DIR = join('.muster', 'workflows');
const AGENTS_FILE = join('.muster', 'agents.yaml');
const CONTEXT_FILE = join('.muster', 'context.md');
const SETTINGS_FILE = join('.muster', 'project.yaml');

export interface LoadedWorkflow {
  readonly text: string;
  readonly path: string;
  readonly changedAt: number;
  readonly definition: WorkflowDefinition | null;
  readonly plan: Plan | null;
  readonly problems: readonly Problem[];
  /** Of every step by path, even if the file has errors. */
  readonly ports?: WorkflowDetail['ports'];
}

interface WorkflowText extends Pick<LoadedWorkflow, 'text' | 'path' | 'changedAt'> {
  readonly shown: string;
  /** Where its profiles and files are looked up. */
  readonly projectPath: string;
  /** The parsed text, if already available. */
  readonly document?: ParsedDocument;
}

interface WorkflowFilesParts {
  readonly reader: DocumentReader;
  readonly registry: StepRegistry;
  /** The operator's profiles and Muster's own, by id. */
  readonly profiles: () => Readonly<Record<string, AgentProfile>>;
  /** Profiles of installed agents, used if no other profile has their id. */
  readonly detected?: () => Promise<readonly AgentProfile[]>;
  readonly defaultProfile: () => string | null;
}

/**
 * Reads workflow files. The files are authoritative: each call reads the disk, and only results for unchanged
 * text and context are cached.
 */
export class WorkflowFiles {
  readonly #plans: PlanCache;
  readonly #ports = remembered(({ steps }: WorkflowDefinition) => stepPorts(steps, this.parts.registry));

  constructor(private readonly parts: WorkflowFilesParts) {
    this.#plans = new PlanCache(parts.registry);
  }

  get reader(): DocumentReader {
    return this.parts.reader;
  }

  /** A project's profiles: its own override the operator's. */
  async profilesOf(
    projectPath: string,
  ): Promise<{ profiles: Record<string, AgentProfile>; own: AgentProfile[]; problems: Problem[] }> {
    const file = join(projectPath, AGENTS_FILE);
    const profiles: Record<string, AgentProfile> = {};
    const installed = (await this.parts.detected?.()) ?? [];
    for (const profile of [...installed, ...Object.values(this.parts.profiles())])
      setOwnValue(profiles, profile.id, profile);
    const read = await readTextFile(file, projectPath);
    if (read === null) return { profiles, own: [], problems: [] };
    if ('trouble' in read) return { profiles, own: [], problems: [unreadable(AGENTS_FILE, read)] };
    const document = this.parts.reader.parse(read.text, AGENTS_FILE);
    if (document.problems.length > 0) return { profiles, own: [], problems: [...document.problems] };
    const parsed = projectAgentsSchema.safeParse(document.value);
    if (!parsed.success) return { profiles, own: [], problems: agentProblems(parsed.error, document.lineOf) };
    for (const profile of parsed.data.profiles) setOwnValue(profiles, profile.id, profile);
    return { profiles, own: parsed.data.profiles, problems: [] };
  }

  /** What every agent of a project is told first; null if it has no such file. */
  async contextOf(projectPath: string): Promise<Result<string | null>> {
    const read = await readTextFile(join(projectPath, CONTEXT_FILE), projectPath);
    if (read === null || 'text' in read) return ok(read === null ? null : read.text);
    const { code, message, where, mend } = unreadable(CONTEXT_FILE, read);
    return fail(code, message, { ...(where && { where }), ...(mend && { mend }) });
  }

  /** The settings for every run of a project, and what is wrong with their file; undefined if it has none. */
  async settingsOf(
    projectPath: string,
  ): Promise<{ settings: ProjectSettings | undefined; problems: readonly Problem[] }> {
    const read = await readTextFile(join(projectPath, SETTINGS_FILE), projectPath);
    if (read === null) return { settings: undefined, problems: [] };
    if ('trouble' in read) return { settings: undefined, problems: [unreadable(SETTINGS_FILE, read)] };
    const document = this.parts.reader.parse(read.text, SETTINGS_FILE);
    if (document.problems.length > 0) return { settings: undefined, problems: document.problems };
    const parsed = projectSettingsSchema.safeParse(document.value ?? {});
    if (parsed.success) return { settings: parsed.data, problems: [] };
    return { settings: undefined, problems: settingsProblems(parsed.error, document.lineOf) };
  }

  /** Loads one file and finds all problems; `projectPath` is where its profiles and files are looked up. */
  async load(path: string, shown: string, projectPath: string): Promise<LoadedWorkflow> {
    // A file named by the operator may be anywhere, and be a link.
    const inProject = isInside(projectPath, path);
    const named = inProject ? path : await realPath(path);
    const read = await readTextFile(named, inProject ? projectPath : dirname(named));
    if (read === null || 'trouble' in read) {
      const problem = read === null ? noFile(shown) : unreadable(shown, read);
      return { text: '', path, changedAt: 0, definition: null, plan: null, problems: [problem] };
    }
    return this.read({ ...read, path, shown, projectPath });
  }

  /** Checks a text, which may be in no file, as if it were the file `shown`. */
  async read(given: WorkflowText): Promise<LoadedWorkflow> {
    const loaded = await this.checked(given);
    return { ...loaded, problems: inOrder(loaded.problems.map((one) => withMend(withKeyHome(one)))) };
  }

  private async checked(given: WorkflowText): Promise<LoadedWorkflow> {
    const { text, changedAt, path, shown, projectPath } = given;
    const document = given.document ?? this.parts.reader.parse(text, shown);
    const base = { text, path, changedAt };
    if (document.problems.length > 0)
      return { ...base, definition: null, plan: null, problems: document.problems };
    if (document.value == null)
      return { ...base, definition: null, plan: null, problems: [emptyFile(shown)] };
    const parsed = readDefinition(document);
    const refused = parsed.success ? [] : schemaProblems(parsed.error, shown, document.lineOf);
    const rest = parsed.success ? parsed.data : readablePart(workflowDefinitionSchema, document.value);
    if (rest === null) return { ...base, definition: null, plan: null, problems: refused };
    const agents = await this.profilesOf(projectPath);
    const inlined = await withInstructionFiles(rest, { registry: this.parts.registry, projectPath });
    const called = await calledFiles(inlined.definition, { ...this.parts, projectPath });
    const { plan, problems, offsets } = this.plan(inlined.definition, agents.profiles, called.definitions);
    const context = await this.contextOf(projectPath);
    const found = [...agents.problems, ...called.problems, ...(await this.settingsOf(projectPath)).problems];
    if (!context.ok) found.push({ ...context.error, severity: 'error' });
    for (const problem of [...inlined.problems, ...problems]) {
      const offset = offsets.get(problem);
      const from = inlined.files.get(problem.where?.path ?? '');
      if (from !== undefined && offset !== undefined) found.push(inFile(problem, from, offset));
      else found.push(placedAt({ problem, offset }, shown, document));
    }
    found.push(
      ...(await missingFiles(plan, projectPath)).map((problem) => placed(problem, shown, document.lineOf)),
    );
    if (!parsed.success) {
      // The omitted part is reported once.
      const paths = refused.map(({ where }) => where?.path ?? '');
      const others = found.filter(({ where }) => !paths.some((path) => isWithin(where?.path ?? '', path)));
      return { ...base, definition: null, plan: null, problems: [...refused, ...others] };
    }
    const broken = found.some((problem) => problem.severity === 'error');
    const ports = this.#ports(parsed.data);
    return { ...base, definition: parsed.data, plan: broken ? null : plan, problems: found, ports };
  }

  /** Checks a definition that is in no file. Places are paths in the definition. */
  async check(
    definition: WorkflowDefinition,
    projectPath: string,
  ): Promise<{ plan: Plan | null; problems: Problem[] }> {
    const agents = await this.profilesOf(projectPath);
    const inlined = await withInstructionFiles(definition, { registry: this.parts.registry, projectPath });
    const called = await calledFiles(inlined.definition, { ...this.parts, projectPath });
    const { plan, problems } = this.plan(inlined.definition, agents.profiles, called.definitions);
    const missing = await missingFiles(plan, projectPath);
    const settings = await this.settingsOf(projectPath);
    const found = [
      ...[...agents.problems, ...settings.problems, ...inlined.problems],
      ...[...called.problems, ...problems, ...missing],
    ];
    const broken = found.some((problem) => problem.severity === 'error');
    return { plan: broken ? null : plan, problems: found.map(withMend) };
  }

  /** The plan of a run's edited definition, with the current profiles. */
  async planOfRun(
    { projectPath, profiles, called }: RunState,
    definition: WorkflowDefinition,
  ): Promise<Result<Plan>> {
    const now = await this.profilesOf(projectPath);
    const { plan, problems } = this.plan(definition, { ...profiles, ...now.profiles }, called ?? {});
    const fault = problems.find(({ severity }) => severity === 'error');
    if (plan !== null && fault === undefined) return ok(plan);
    const { code, message, where, mend } = fault ?? {};
    return fail(code ?? 'validation.failed', message ?? 'the workflow is not valid', {
      ...(where === undefined ? {} : { where }),
      ...(mend === undefined ? {} : { mend }),
    });
  }

  /** The texts that a document's steps may have; null if it is not a valid workflow. */
  async textPlaces(
    document: Pick<ParsedDocument, 'value'>,
    projectPath: string,
  ): Promise<{ definition: WorkflowDefinition; places: readonly TextPlace[] } | null> {
    const parsed = readDefinition(document);
    if (!parsed.success) return null;
    const { registry } = this.parts;
    const { definition } = await withInstructionFiles(parsed.data, { registry, projectPath });
    const { definitions: called } = await calledFiles(definition, { ...this.parts, projectPath });
    return { definition, places: this.#plans.textsOf(definition, called) };
  }

  private plan(
    definition: WorkflowDefinition,
    profiles: PlanContext['profiles'],
    called: NonNullable<PlanContext['called']>,
  ): ReturnType<typeof makePlan> {
    return this.#plans.planOf(definition, {
      profiles,
      defaultProfile: this.parts.defaultProfile(),
      called,
    });
  }

  async list(project: ProjectRow): Promise<WorkflowRow[]> {
    const names = await listGuarded(project.path, WORKFLOWS_DIR);
    const files = names.filter((name) => /\.ya?ml$/i.test(name));
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

function rowOf(project: ProjectRow, file: string, loaded: LoadedWorkflow): WorkflowRow {
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

/** The ports of each known step. */
const portsOf = ({ ports }: LoadedWorkflow): WorkflowDetail['ports'] => ports ?? {};

export function detailOf(project: ProjectRow, file: string, loaded: LoadedWorkflow): WorkflowDetail {
  return {
    ...rowOf(project, file, loaded),
    text: loaded.text,
    absolutePath: loaded.path,
    definition: loaded.definition,
    ports: portsOf(loaded),
  };
}

/** Each with its place, and where the format is documented. */
const agentProblems = (error: z.ZodError, lineOf: (path: string) => number | null): Problem[] =>
  schemaProblems(error, AGENTS_FILE, lineOf).map((found) => ({
    ...found,
    mend: 'the keys of each kind of agent are in README, "Agents"; muster agents show ID prints a profile as an example',
  }));

const settingsProblems = (error: z.ZodError, lineOf: (path: string) => number | null): Problem[] =>
  schemaProblems(error, SETTINGS_FILE, lineOf).map((found) => ({
    ...found,
    mend: 'the keys are in docs/workflows.md, "Settings of a project"; muster project prints what holds',
  }));

function placed(problem: Problem, file: string, lineOf: (path: string) => number | null): Problem {
  const path = problem.where?.path;
  const line = path === undefined ? null : lineOf(path);
  return { ...problem, where: { ...problem.where, file, ...(line === null ? {} : { line }) } };
}

/** With line and column of the cause, if the file contains the text as parsed. */
function placedAt(
  { problem, offset }: { problem: Problem; offset: number | undefined },
  file: string,
  document: ParsedDocument,
): Problem {
  const placedProblem = placed(problem, file, document.lineOf);
  if (offset === undefined) return placedProblem;
  const at = document.placeOf(problem.where?.path ?? '', offset);
  return at === null ? placedProblem : { ...placedProblem, where: { ...placedProblem.where, ...at } };
}

/** A problem of a text in a separate file. */
function inFile(problem: Problem, { file, text }: { file: string; text: string }, offset: number): Problem {
  const before = text.slice(0, offset).split('\n');
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return { ...problem, where: { file, ...place } };
}

const noFile = (file: string): Problem => ({
  code: 'not_found',
  severity: 'error',
  message: `there is no file ${file}`,
  where: { file },
});

const stepsWithin = (step: PlannedStep | undefined): PlannedStep[] =>
  step === undefined ? [] : allSteps({ steps: new Map([[step.definition.id, step]]) });

async function missingFiles(plan: Plan | null, projectPath: string): Promise<Problem[]> {
  if (plan === null) return [];
  const wanted = plan.definition.steps.flatMap((step, index) =>
    stepsWithin(plan.steps.get(step.id)).flatMap(({ bound, definition }, depth) =>
      bound.files.map(({ file, path }) => ({
        file,
        step: definition.id,
        index,
        // Problems of a body's file are reported at the step with the body.
        path: depth === 0 ? path : '',
      })),
    ),
  );
  const problems = wanted.map(async ({ file, path, step, index }): Promise<Problem[]> => {
    const found = await sizeGuarded(projectPath, resolve(projectPath, file));
    if (found !== null && 'size' in found) return [];
    const message = found === null ? `there is no file ${file}` : `${file} cannot be used: ${found.trouble}`;
    return [
      {
        code: 'validation.file_missing',
        severity: 'error',
        message: `step "${step}": ${message}`,
        where: { path: `steps[${index}].config${path === '' ? '' : `.${path}`}` },
        mend: 'paths are relative to the project folder, and the file must lie in it',
      },
    ];
  });
  return (await Promise.all(problems)).flat();
}
