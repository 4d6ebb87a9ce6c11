import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { worktreeSetup } from '@areas/projects/contract/project-settings';
import { projectFolder } from '@areas/projects/node/project-folder';
import { projectRows, troubleOf } from '@areas/projects/node/project-rows';
import type { WorkflowMigration } from '@areas/workflows/contract/migration';
import { detailOf, type WorkflowFiles } from '@areas/workflows/node/workflow-files';
import type { WorkflowMigrations } from '@areas/workflows/node/workflow-migration';
import type { ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { Clock } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';
import { plainSecrets } from '../contract/plain-secrets';
import type { AgentTest, ProfileRow, ProjectRow, WorkflowDetail, WorkflowRow } from '../contract/procedures';
import type { AgentProfile, DetectedAgent } from '../contract/profile';

/** Finds agents on this machine and tests them. */
export interface AgentFinder {
  detect(): Promise<DetectedAgent[]>;
  test(profile: AgentProfile): Promise<AgentTest>;
}

export interface CatalogParts {
  readonly store: Store;
  readonly files: WorkflowFiles;
  readonly clock: Clock;
  readonly finder: AgentFinder;
  readonly migrations: WorkflowMigrations;
  readonly builtinProfiles: readonly AgentProfile[];
  /** Profiles of installed agents. */
  readonly detected: () => Promise<readonly AgentProfile[]>;
  /** Creates the sample project in a folder and returns its path. */
  readonly makeSample: (path: string | null) => Promise<Result<string>>;
  readonly changed: (projectId: number) => void;
  readonly profilesChanged: () => void;
}

/** Projects, their workflows, and agent profiles. */
export class CatalogService {
  constructor(private readonly parts: CatalogParts) {}

  async projects(): Promise<ProjectRow[]> {
    return projectRows(this.parts.store);
  }

  async projectSettings(path: string): Promise<ProcedureOutput<'project.settings'>> {
    const { settings = null, problems } = await this.parts.files.settingsOf(resolve(path));
    const { copy, ...worktree } = worktreeSetup(settings ?? undefined, undefined);
    return { settings, worktree: { ...worktree, copy: [...copy] }, problems: [...problems] };
  }

  async addProject(path: string): Promise<Result<ProcedureOutput<'project.add'>>> {
    const absolute = await realpath(resolve(path)).catch(() => null);
    if (absolute === null || !(await stat(absolute)).isDirectory()) {
      return fail('project.not_a_folder', `${path} is not a folder`, { mend: 'choose an existing folder' });
    }
    const known = this.parts.store.projects().find((row) => row.path === absolute);
    if (known) return ok(known);
    const row = this.parts.store.addProject(absolute, basename(absolute), this.parts.clock.now());
    this.parts.changed(row.id);
    return ok({ ...row, trouble: await troubleOf(absolute), isNew: true });
  }

  removeProject(projectId: number): Result<Record<string, never>> {
    this.parts.store.removeProject(projectId);
    this.parts.changed(projectId);
    return ok({});
  }

  async createSample(path: string | undefined): Promise<Result<ProjectRow>> {
    const made = await this.parts.makeSample(path ?? null);
    return made.ok ? this.addProject(made.value) : made;
  }

  async workflows(projectId: number | undefined): Promise<WorkflowRow[]> {
    const projects = this.parts.store
      .projects()
      .filter((row) => projectId === undefined || row.id === projectId);
    return (await Promise.all(projects.map((project) => this.parts.files.list(project)))).flat();
  }

  async workflow(projectId: number, file: string): Promise<Result<WorkflowDetail>> {
    const project = this.parts.store.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    return ok(await this.parts.files.detail(project, file));
  }

  async migrate(
    projectId: number,
    wish: { file: string; apply: boolean },
  ): Promise<Result<WorkflowMigration>> {
    const project = this.parts.store.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    return this.parts.migrations.migrateIn(project, wish);
  }

  async restore(
    projectId: number,
    wish: { file: string; backup: string },
  ): Promise<Result<Record<string, never>>> {
    const project = this.parts.store.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    return this.parts.migrations.restore(project, wish);
  }

  /** Checks a file anywhere, in the project in which it would be run. */
  async validate(path: string): Promise<Result<WorkflowDetail>> {
    const absolute = resolve(path);
    const projectPath = projectFolder(absolute);
    const loaded = await this.parts.files.load(absolute, path, projectPath);
    if (loaded.problems[0]?.code === 'not_found') return fail('not_found', `there is no file ${path}`);
    const project = { id: 0, path: projectPath, name: basename(projectPath), addedAt: 0, trouble: null };
    return ok(detailOf(project, path, loaded));
  }

  /** `path`: the folder of a project that may not be in the list yet. */
  async profiles(projectId: number | undefined, path?: string): Promise<ProfileRow[]> {
    const storedProfiles = this.parts.store.profiles();
    const rows: ProfileRow[] = [
      ...storedProfiles.map(
        (profile): ProfileRow => ({ profile, source: 'operator', projectId: null, trouble: null }),
      ),
      ...this.parts.builtinProfiles
        .filter((profile) => !storedProfiles.some((other) => other.id === profile.id))
        .map((profile): ProfileRow => ({ profile, source: 'builtin', projectId: null, trouble: null })),
    ];
    const named = new Set(rows.map(({ profile }) => profile.id));
    const installed = (await this.parts.detected()).filter(({ id }) => !named.has(id));
    rows.push(
      ...installed.map(
        (profile): ProfileRow => ({ profile, source: 'detected', projectId: null, trouble: null }),
      ),
    );
    const known = this.parts.store.projects().filter(({ id }) => projectId === undefined || id === projectId);
    const folder = path === undefined ? null : await realpath(resolve(path)).catch(() => null);
    const isNew = folder !== null && known.every((project) => project.path !== folder);
    for (const project of [...known, ...(isNew ? [{ id: null, path: folder }] : [])]) {
      const found = await this.parts.files.profilesOf(project.path);
      const trouble = found.problems[0]?.message ?? null;
      rows.push(
        ...found.own.map(
          (profile): ProfileRow => ({ profile, source: 'project', projectId: project.id, trouble }),
        ),
      );
    }
    return rows;
  }

  /** The database holds no secret. */
  saveProfile(profile: AgentProfile): Result<ProfileRow> {
    const plain = plainSecrets(profile);
    if (plain.length > 0)
      return fail('input.invalid', `${plain.join(', ')} would be stored as plain text.`, {
        mend: 'Name it in secrets instead of env, and set its value in the keychain (Agents, Secrets) or in the environment of Muster.',
      });
    this.parts.store.saveProfile(profile, this.parts.clock.now());
    this.parts.profilesChanged();
    return ok({ profile, source: 'operator', projectId: null, trouble: null });
  }

  removeProfile(id: string): Result<Record<string, never>> {
    this.parts.store.removeProfile(id);
    this.parts.profilesChanged();
    return ok({});
  }

  detect(): Promise<DetectedAgent[]> {
    return this.parts.finder.detect();
  }

  test(profile: AgentProfile): Promise<AgentTest> {
    return this.parts.finder.test(profile);
  }
}

/** What is wrong with a project's folder now; null if nothing is. */
