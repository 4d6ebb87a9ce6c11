import { isDeepStrictEqual } from 'node:util';
import { changesOf, type RenamedTexts, shown } from '@areas/workflows/contract/apply-edit';
import { applyChange, type Change, valueAt } from '@areas/workflows/contract/change';
import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import { type AppError, appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { err, fail, ok, type Result } from '@contract/result';
import { type Document, isMap, isSeq } from 'yaml';
import type { DocumentEditor, EditedDocument } from '../../../core/ports/documents';
import { unshared } from '../config-edits';
import { type ParsedText, parsedText } from '../parsed-texts';
import { pairOf, type Splice, splice } from '../splice';
import { changeText } from './change-text';
import { saysInEntry } from './entry-check';
import { columnOf, dashOf, pairStart } from './nodes';
import type { Editing } from './replace-value';
import { sharing } from './shared-nodes';

/**
 * Edits a workflow's text with splices: everything else stays the same, byte for byte. The result is parsed
 * again, and rejected if it does not match the edits exactly.
 */
export const yamlEditor: DocumentEditor = {
  edit(text, edits, renamed): Result<EditedDocument> {
    const read = opened(text);
    if (!read.ok) return read;
    const work = new Work(read.value);
    for (const edit of edits) {
      const done = work.take(edit, renamed);
      if (!done.ok) return done;
    }
    const end = work.flush();
    return end.ok ? ok({ text: work.text, value: work.value }) : end;
  },
};

interface Opened extends Omit<Editing, 'keepsText'> {
  readonly value: Json;
  readonly hasAliases: boolean;
}

/** An edit often starts from the text that the previous one produced and checked. */
const openedBefore = new WeakMap<Document, Result<Opened>>();

function opened(text: string): Result<Opened> {
  const parsed = parsedText(text);
  const made = openedBefore.get(parsed.document) ?? openedAs(text, parsed);
  openedBefore.set(parsed.document, made);
  return made;
}

function openedAs(text: string, { document, lines, meaning }: ParsedText): Result<Opened> {
  const { value, troubles } = meaning;
  const [broken] = document.errors.map(({ message, pos }) => ({ message, offset: pos[0] }));
  const trouble = broken ?? troubles[0];
  if (trouble !== undefined) {
    const { line } = lines.linePos(trouble.offset);
    const mend = 'correct the YAML at this line first';
    return fail('validation.yaml', trouble.message, { where: { line }, mend });
  }
  const source = { text, document, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return ok({ ...source, ...facts(source), value: unshared((value ?? null) as Json) });
}

function facts({ document, text }: Pick<Editing, 'document' | 'text'>) {
  const pair = pairOf(document.contents, 'steps');
  const list = pair?.value;
  const block = isMap(document.contents) && isSeq(list) && list.flow !== true && list.items.length > 0;
  const flatLists =
    block && pair !== null && columnOf(text, dashOf(list, 0)) <= columnOf(text, pairStart(pair));
  return { flatLists, hasAliases: /[*]/.test(text) && sharing.hasAliases(document) };
}

/** The edits in progress. Changes of different places are written together. */
class Work {
  #open: Opened;
  /** Written and not parsed yet. */
  #written: string | null = null;
  #batch: Change[] = [];
  #places = new Set<string>();
  value: Json;

  constructor(open: Opened) {
    this.#open = open;
    this.value = open.value;
  }

  get text(): string {
    return this.#written ?? this.#open.text;
  }

  take(edit: WorkflowEdit, renamed?: RenamedTexts): Result<void> {
    const changes = changesOf(this.value, edit, renamed);
    if (!changes.ok) return changes;
    for (const change of changes.value) {
      const ready = this.reopen();
      if (!ready.ok) return ready;
      const done = this.#open.hasAliases ? this.alone(change, edit.both === true) : this.add(change);
      if (!done.ok) return done;
    }
    return ok(undefined);
  }

  /** The next change is made in the text that the last one produced. */
  private reopen(): Result<void> {
    if (this.#written === null) return ok(undefined);
    const next = opened(this.#written);
    if (!next.ok) return next;
    this.#open = next.value;
    this.#written = null;
    return ok(undefined);
  }

  /** With aliases a change may affect other places, so it is written before the next one is examined. */
  private alone(change: Change, both: boolean): Result<void> {
    const single = applyChange(this.value, change);
    const everywhere = sharing.applied(this.#open.document, change);
    const others = sharing.others(single, everywhere);
    if (others.length > 0 && !both) return err(sharedError(others));
    return this.write([change], everywhere);
  }

  private add(change: Change): Result<void> {
    if (change.op !== 'set' || this.meets(change)) {
      const done = this.flush();
      if (!done.ok) return done;
    }
    if (change.op !== 'set') return this.write([change], applyChange(this.value, change));
    this.#batch.push(change);
    for (const place of placesOf(this.value, change)) this.#places.add(place);
    this.value = applyChange(this.value, change);
    return ok(undefined);
  }

  /** Whether a change overlaps with another one of the batch. */
  private meets(change: Change & { op: 'set' }): boolean {
    const [place = ''] = placesOf(this.value, change);
    for (const known of this.#places)
      if (known === place || known.startsWith(`${place}\0`) || place.startsWith(`${known}\0`)) return true;
    return false;
  }

  flush(): Result<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#places = new Set();
    return batch.length === 0 ? ok(undefined) : this.write(batch, this.value);
  }

  private write(changes: readonly Change[], expected: Json): Result<void> {
    const ready = this.reopen();
    if (!ready.ok) return ready;
    const kept = this.spliced(changes, expected, true);
    // Old lines that mean something else in their new place are rewritten from their values.
    const next = kept.ok ? kept : this.spliced(changes, expected, false);
    if (!next.ok) return next;
    this.#written = next.value;
    this.value = expected;
    return ok(undefined);
  }

  /** The text with these changes; an error if they cannot be written, or the result would differ. */
  private spliced(changes: readonly Change[], expected: Json, keepsText: boolean): Result<string> {
    const { text } = this.#open;
    const editing = { ...this.#open, keepsText: keepsText && !this.#open.hasAliases };
    const splices: Splice[] = [];
    for (const change of changes) {
      const list = change.op === 'set' || change.op === 'unset' ? change.path.slice(0, -1) : change.path;
      const made = changeText(editing, change, valueAt(expected, list) ?? null);
      if (made === null) return err(this.unwritable(change));
      splices.push(...made);
    }
    const made = splice(text, splices);
    if (!this.#open.hasAliases && saysInEntry(this.#open, { changes, splices, expected })) return ok(made);
    const next = opened(made);
    if (next.ok && isDeepStrictEqual(next.value.value, unshared(expected))) return ok(made);
    return err(this.unwritable(changes[0] ?? { op: 'unset', path: [] }));
  }

  private unwritable({ path }: Change): AppError {
    const where = { path: shown(path) };
    if (this.#open.hasAliases)
      return appError('edit.shared', `${where.path} has an anchor that is used elsewhere in the file`, {
        where,
        mend: 'replace the aliases with their content, or edit the YAML',
      });
    return appError('edit.refused', `${where.path} is written in a way that cannot be edited here`, {
      where,
      mend: 'change the YAML of the file',
    });
  }
}

const sharedError = (others: readonly string[]): AppError => {
  const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
  const places = `${others.slice(0, 3).join(', ')}${more}`;
  return appError('edit.shared', `the file also uses this value in: ${places}`, {
    where: { path: others[0] ?? '' },
    mend: 'change all of them, or replace the alias with its content in the YAML',
  });
};

/**
 * The place of a change; one that adds a key takes the whole map, because two would be inserted at the same
 * offset.
 */
function placesOf(value: Json, { path }: Change & { op: 'set' }): string[] {
  const place = valueAt(value, path) === undefined ? path.slice(0, -1) : path;
  return [['', ...place].join('\0')];
}
