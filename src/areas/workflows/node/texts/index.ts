import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { Json } from '@contract/ids';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { DocumentEditor, DocumentReader, ParsedDocument } from '@main/core/ports/documents';
import type { StepRegistry } from '@main/core/step/module';
import { remembered } from '@main/services/object-cache';
import type { RenamedTexts } from '../../contract/apply-edit';
import { type Dangling, danglingAfter } from '../../contract/dangling-references';
import type { FileChange } from '../../contract/editing';
import { editsHold } from '../../contract/edits-hold';
import { mergeTexts } from '../../contract/hunks';
import { renamedTexts } from '../../core/reference/rename';
import type { WorkflowFiles } from '../workflow-files';
import { jsonOf, mendable, portsIn } from './check';
import { wholeText, workflowPlace } from './place';
import { replaceText } from './replace';
import { TemplateHelper, type TemplateParts } from './template-help';
import { templatesOf } from './templates-of';
import { TextCache } from './text-cache';

interface TextParts extends Pick<TemplateParts, 'lastRun'> {
  readonly files: Pick<WorkflowFiles, 'read' | 'textPlaces'>;
  readonly reader: DocumentReader;
  readonly editor: DocumentEditor;
  readonly registry: StepRegistry;
  project(projectId: number): Pick<ProjectRow, 'path'> | null;
  changed(projectId: number): void;
}

interface Target {
  readonly dry?: boolean | undefined;
  readonly projectId: number;
  readonly file: string;
  /** The file's state that the change is based on. */
  readonly base: string;
}

/** How a change produces a file's text. */
interface Making {
  /** From its base state. */
  make(base: string): Result<string>;
  /** From a later state; null if both changed the same place. */
  merge(base: string, now: string): string | null;
}

/** A file that keeps changing while it is written is left to the operator. */
const MOST_TRIES = 3;

/**
 * Reads and writes workflow files for editing clients. Changes made on disk meanwhile are never overwritten:
 * a change is merged with them, or refused with both texts.
 */
export class WorkflowTexts {
  readonly #known = new TextCache();
  /** The last write of each file; the next one begins after it. */
  readonly #writes = new Map<string, Promise<unknown>>();

  readonly #ports = remembered((document: ParsedDocument) => portsIn(jsonOf(document), this.parts.registry));
  readonly #renamed: RenamedTexts;
  readonly help: TemplateHelper;

  constructor(private readonly parts: TextParts) {
    this.help = new TemplateHelper(parts);
    this.#renamed = renamedTexts(templatesOf(parts.registry));
  }

  async source({
    projectId,
    file,
  }: ParsedInput<'workflow.source'>): Promise<Result<ProcedureOutput<'workflow.source'>>> {
    const place = await this.placeOf(projectId, file);
    if (!place.ok) return place;
    const read = await wholeText(place.value, file);
    if (!read.ok) return read;
    const { text } = read.value;
    const writable = await access(place.value, constants.W_OK).then(
      () => true,
      () => false,
    );
    return ok({ text, hash: this.#known.keep(text), absolutePath: place.value, writable });
  }

  /** Checks a text as if it were in the file. */
  async check({
    projectId,
    file,
    text,
  }: ParsedInput<'workflow.check'>): Promise<Result<ProcedureOutput<'workflow.check'>>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const path = resolve(project.path, file);
    const plain = text.replace(/^\uFEFF/, '');
    const projectPath = project.path;
    const { files, reader } = this.parts;
    const document = reader.parse(plain, file);
    const unsaved = { text: plain, changedAt: 0, path, shown: file, projectPath, document };
    const read = await files.read(unsaved);
    const { definition, plan } = read;
    return ok({
      problems: mendable(read.problems, document),
      value: jsonOf(document),
      definition,
      runnable: plan !== null,
      ports: this.#ports(document),
    });
  }

  /** Errors: `not_found`, `input.invalid`, `project.not_writable`. */
  save({ text, ...target }: ParsedInput<'workflow.save'>): Promise<Result<FileChange>> {
    return this.change(target, {
      make: () => ok(text),
      merge: (base, now) => mergeTexts(base, text, now),
    });
  }

  /** Errors: those of the editor, `not_found`, `input.invalid`, `project.not_writable`. */
  async edit({ edits, ...target }: ParsedInput<'workflow.edit'>): Promise<Result<FileChange>> {
    let dangling: Dangling[] = [];
    const saidBy = (text: string): Json => {
      const read = this.parts.editor.edit(text, []);
      return read.ok ? read.value.value : null;
    };
    const make = (text: string): Result<string> => {
      dangling = edits.some(({ kind }) => kind === 'step.remove')
        ? danglingAfter(saidBy(text), edits, this.#renamed)
        : [];
      const edited = this.parts.editor.edit(text, edits, this.#renamed);
      return edited.ok ? ok(edited.value.text) : edited;
    };
    const done = await this.change(target, {
      make,
      merge: (base, now) => {
        if (!editsHold({ base: saidBy(base), now: saidBy(now) }, edits, this.#renamed)) return null;
        const made = make(now);
        return made.ok ? made.value : null;
      },
    });
    return done.ok && done.value.kind === 'written' ? ok({ ...done.value, dangling }) : done;
  }

  /** Errors: those of the editor. */
  edited({ text, edits }: ParsedInput<'workflow.edited'>): Result<{ text: string }> {
    const edited = this.parts.editor.edit(text, edits, this.#renamed);
    return edited.ok ? ok({ text: edited.value.text }) : edited;
  }

  private async change(target: Target, making: Making): Promise<Result<FileChange>> {
    const place = await this.placeOf(target.projectId, target.file);
    if (!place.ok) return place;
    const path = place.value;
    const before = this.#writes.get(path) ?? Promise.resolve();
    const mine = before.then(() => this.changeAt(path, target, making));
    const settled = mine.catch(() => null);
    this.#writes.set(path, settled);
    try {
      return await mine;
    } finally {
      if (this.#writes.get(path) === settled) this.#writes.delete(path);
    }
  }

  private async changeAt(path: string, target: Target, making: Making): Promise<Result<FileChange>> {
    for (let tries = 0; ; tries += 1) {
      const read = await wholeText(path, target.file);
      if (!read.ok) return read;
      const now = read.value.text;
      const made = this.made(now, target.base, making);
      if (!made.ok) return made;
      const { text, base } = made.value;
      if (text === null || tries === MOST_TRIES) {
        const mine = base === null ? null : making.make(base);
        return ok({
          kind: 'conflict',
          theirs: { text: now, hash: this.#known.keep(now) },
          mine: mine?.ok === true ? mine.value : null,
        });
      }
      const replaced =
        text === now || target.dry === true
          ? ok('written' as const)
          : await replaceText(path, { shown: target.file, now, text });
      if (!replaced.ok) return replaced;
      if (replaced.value === 'changed') continue;
      if (text !== now && target.dry !== true) this.parts.changed(target.projectId);
      return ok({ kind: 'written', text, hash: this.#known.keep(text), merged: base !== now });
    }
  }

  /** The file's new text, null for a conflict, and the text that the change was based on, null if unknown. */
  private made(
    now: string,
    hash: string,
    making: Making,
  ): Result<{ readonly text: string | null; readonly base: string | null }> {
    const base = this.#known.keep(now) === hash ? now : this.#known.get(hash);
    if (base === null) return ok({ text: null, base });
    if (base !== now) return ok({ text: making.merge(base, now), base });
    const made = making.make(base);
    return made.ok ? ok({ text: made.value, base }) : made;
  }

  private async placeOf(projectId: number, file: string): Promise<Result<string>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    return workflowPlace(project, file);
  }
}
