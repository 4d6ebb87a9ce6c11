import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import { wholeText } from '@areas/workflows/node/texts/place';
import { replaceText } from '@areas/workflows/node/texts/replace';
import { firstFinding } from '@contract/findings';
import type { Json } from '@contract/ids';
import type { ProcedureOutput } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type { DocumentEditor } from '@main/core/ports/documents';
import {
  PROJECT_SETTINGS_FILE,
  projectSettingsSchema,
  type SettingsChange,
} from '../contract/project-settings';
import { folderInProject, written } from './project-write';
import { SETTINGS_TEMPLATE } from './settings-template';

type Shown = ProcedureOutput<'project.settings'>;

interface Parts {
  readonly editor: DocumentEditor;
  project(projectId: number): Pick<ProjectRow, 'path'> | null;
  shown(path: string): Promise<Shown>;
  changed(projectId: number): void;
}

const PATHS: Readonly<Record<keyof SettingsChange, readonly string[]>> = {
  copy: ['worktree', 'copy'],
  setup: ['worktree', 'setup'],
  teardown: ['worktree', 'teardown'],
  submodules: ['worktree', 'submodules'],
  sign: ['sign'],
  hooks: ['hooks'],
};
const MEND = 'look at the file, then try again';
/** A file that keeps changing while it is written is left to the operator. */
const MOST_TRIES = 3;

/** Changes the settings file of a project, and leaves all else in it as it is. */
export class ProjectSettingsFile {
  constructor(private readonly parts: Parts) {}

  async change(projectId: number, change: SettingsChange): Promise<Result<Shown>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const [problem] = (await this.parts.shown(project.path)).problems;
    if (problem !== undefined) return err({ ...problem, mend: problem.mend ?? 'Correct the file first.' });
    const done = await this.#write(project.path, change);
    if (!done.ok) return done;
    this.parts.changed(projectId);
    return ok(await this.parts.shown(project.path));
  }

  async #write(projectPath: string, change: SettingsChange): Promise<Result<unknown>> {
    const folder = await folderInProject(projectPath, dirname(PROJECT_SETTINGS_FILE));
    if (!folder.ok) return folder;
    const path = join(folder.value, basename(PROJECT_SETTINGS_FILE));
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const real = await realpath(path).catch(() => null);
      if (real === null) return this.#begin(path, change);
      if (!real.startsWith((await realpath(projectPath)) + sep))
        return fail('input.invalid', `${PROJECT_SETTINGS_FILE} is a link that leads out of the project`);
      const read = await wholeText(real, PROJECT_SETTINGS_FILE);
      if (!read.ok) return read;
      const now = read.value.text;
      const text = this.#changed(now, change);
      if (!text.ok || text.value === now) return text;
      const replaced = await replaceText(real, { shown: PROJECT_SETTINGS_FILE, now, text: text.value });
      if (!replaced.ok || replaced.value === 'written') return replaced;
    }
    return fail('conflict', `${PROJECT_SETTINGS_FILE} was changed elsewhere in the meantime`, { mend: MEND });
  }

  #begin(path: string, change: SettingsChange): Promise<Result<void>> | Result<never> {
    const text = this.#changed(SETTINGS_TEMPLATE, change);
    if (!text.ok) return text;
    return written(PROJECT_SETTINGS_FILE, {
      mend: MEND,
      work: async () => {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text.value, { flag: 'wx' });
      },
    });
  }

  #changed(text: string, change: SettingsChange): Result<string> {
    const read = this.parts.editor.edit(text, []);
    if (!read.ok) return read;
    // A file with comments only has no map to put a key into.
    const base = read.value.value === null ? `${text.trimEnd()}\n${BLANK}`.trimStart() : text;
    const edits = editsOf(read.value.value, change);
    const edited = this.parts.editor.edit(base, edits);
    if (!edited.ok) return edited;
    const checked = projectSettingsSchema.safeParse(edited.value.value);
    if (!checked.success) return fail('input.invalid', firstFinding(checked.error));
    return ok(edits.length === 0 ? text : edited.value.text);
  }
}

const BLANK = 'worktree:\n  submodules: true\n';

/** A key that says what holds anyway is only written where it stands already. */
function editsOf(now: Json, change: SettingsChange): WorkflowEdit[] {
  return Object.entries(change).flatMap(([key, value]): WorkflowEdit[] => {
    const path = [...PATHS[key as keyof SettingsChange]];
    const stands = path.reduce<Json | undefined>(inside, now) !== undefined;
    if (value === undefined) return [];
    if (value === null || (Array.isArray(value) && value.length === 0))
      return stands ? [{ kind: 'value.unset', step: [], path }] : [];
    const isDefault = value === true || value === 'as-configured';
    return isDefault && !stands ? [] : [{ kind: 'value.set', step: [], path, value }];
  });
}

const inside = (value: Json | undefined, key: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? ownValue(value, key) : undefined;
