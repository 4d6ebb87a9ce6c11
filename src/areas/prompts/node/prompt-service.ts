import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { StoreReader } from '@main/core/ports/store/store';
import type { PromptCheck, PromptDetail, PromptRow } from '../contract/procedures';
import { parseTemplate } from '../core/template';
import { validatePrompt } from '../core/validate';
import type { PromptLibrary } from './prompt-library';
import type { PromptOverrides } from './prompt-overrides';

interface PromptServiceParts {
  readonly store: Pick<StoreReader, 'project'>;
  readonly library: PromptLibrary;
  readonly overrides: PromptOverrides;
  /** Something in this project's folder was written. */
  readonly changed: (projectId: number) => void;
}

/** The prompt texts for the window and the command line: by listed project, or by any folder. */
export class PromptService {
  constructor(private readonly parts: PromptServiceParts) {}

  async list(place: ParsedInput<'prompt.list'>): Promise<Result<PromptRow[]>> {
    const path = await this.pathOf(place);
    return path.ok ? ok(await this.parts.library.list(path.value, place.folders)) : path;
  }

  async get({ id, ...place }: ParsedInput<'prompt.get'>): Promise<Result<PromptDetail>> {
    const path = await this.pathOf(place);
    return path.ok ? this.parts.library.get(path.value, id, place.folders) : path;
  }

  async check(place: ParsedInput<'prompt.check'>): Promise<Result<PromptCheck>> {
    const path = await this.pathOf(place);
    return path.ok ? ok(await this.parts.library.check(path.value, place.folders)) : path;
  }

  override({ projectId, id }: ParsedInput<'prompt.override'>) {
    return this.change(projectId, (path) => this.parts.overrides.make(path, id));
  }

  /** A placeholder's sample value is its name in guillemets. */
  judge({ id, text }: ParsedInput<'prompt.judge'>): Result<ProcedureOutput<'prompt.judge'>> {
    const known = this.parts.library.find(id);
    if (known === null) return fail('not_found', `there is no prompt ${id}`);
    const problems = validatePrompt(known.schema, text, known.schema.file);
    if (problems.length > 0) return ok({ problems, preview: null });
    const preview = parseTemplate(text).map(({ kind, raw, value }) =>
      kind === 'placeholder' ? `«${value}»` : kind === 'brace' ? raw.slice(0, 1) : raw,
    );
    return ok({ problems, preview: preview.join('') });
  }

  save({ projectId, ...change }: ParsedInput<'prompt.save'>) {
    return this.change(projectId, (path) => this.parts.overrides.save(path, change));
  }

  removeOverride({ projectId, id }: ParsedInput<'prompt.removeOverride'>) {
    return this.change(projectId, (path) => this.parts.overrides.remove(path, id));
  }

  restoreOverride({ projectId, id, backup }: ParsedInput<'prompt.restoreOverride'>) {
    return this.change(projectId, (path) => this.parts.overrides.restore(path, { id, backup }));
  }

  private async change<T>(projectId: number, work: (path: string) => Promise<Result<T>>): Promise<Result<T>> {
    const path = await this.pathOf({ projectId });
    if (!path.ok) return path;
    // The project is known, so there is a path.
    const done = await work(path.value ?? '');
    if (done.ok) this.parts.changed(projectId);
    return done;
  }

  private async pathOf({ projectId, path }: ParsedInput<'prompt.list'>): Promise<Result<string | null>> {
    if (projectId !== undefined) {
      const project = this.parts.store.project(projectId);
      return project === null ? fail('not_found', `there is no project ${projectId}`) : ok(project.path);
    }
    if (path === undefined) return ok(null);
    const absolute = resolve(path);
    const facts = await stat(absolute).catch(() => null);
    if (facts?.isDirectory() === true) return ok(absolute);
    return fail('not_found', `there is no folder ${path}`);
  }
}
