import { applyEdit, pathOfStep } from '@areas/workflows/contract/apply-edit';
import type { StepPath, WorkflowEdit } from '@areas/workflows/contract/edit';
import type { FileChange } from '@areas/workflows/contract/editing';
import {
  changedOutside,
  newHistory,
  recorded,
  redone,
  type TextHistory,
  undone,
} from '@areas/workflows/contract/history';
import type { AppError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { ProcedureOutput } from '@contract/ipc';
import type { Result } from '@contract/result';
import { call } from '../rpc';
import { isSame } from '../runs/selection';
import { oneAfterAnother } from '../sending/one-after-another';
import { Cell } from '../store';
import { complain, say } from '../toasts';
import { bus } from '../wire/window';

export type CheckedText = ProcedureOutput<'workflow.check'>;
type Conflict = FileChange & { kind: 'conflict' };

/** A workflow file that is being edited. */
export interface WorkflowFileView {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: AppError | null;
  readonly text: string;
  readonly hash: string;
  readonly absolutePath: string;
  readonly writable: boolean;
  /** The core's check of the text; the check of the previous text while a new one is pending. */
  readonly checked: CheckedText | null;
  /** The text that `checked` refers to. */
  readonly checkedText: string;
  /** The checked document with pending edits applied: what is drawn. */
  readonly drawn: Json;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The file was also changed elsewhere in the same place: both texts, until the operator chooses one. */
  readonly conflict: Conflict | null;
  /** Edits that would also change other places in the file, until the operator agrees. */
  readonly shared: { readonly error: AppError; readonly edits: readonly WorkflowEdit[] } | null;
}

const nothing: WorkflowFileView = {
  status: 'loading',
  error: null,
  text: '',
  hash: '',
  absolutePath: '',
  writable: true,
  checked: null,
  checkedText: '',
  drawn: null,
  canUndo: false,
  canRedo: false,
  conflict: null,
  shared: null,
};

/** Edits, or a function that makes them from the file when their turn comes. */
export type Edits = readonly WorkflowEdit[] | ((document: Json) => readonly WorkflowEdit[]);

/** Edits that are drawn before they are written. Ports and problems come from the core, with its check. */
const DRAWN_AT_ONCE: ReadonlySet<WorkflowEdit['kind']> = new Set([
  ...(['step.move', 'value.set', 'value.unset', 'cable.add', 'cable.remove', 'cable.reconnect'] as const),
]);

/** Requested edits that `checked` does not contain yet. */
interface Pending {
  readonly edits: readonly WorkflowEdit[];
  written: boolean;
}

interface FilePlace {
  readonly projectId: number;
  readonly file: string;
}

/** The only way to change a workflow file from the window: changes are sequential, and each can be undone. */
export class WorkflowFile {
  readonly view: Cell<WorkflowFileView>;
  #history: TextHistory = newHistory('');
  /** Ends with the last turn. */
  #last: Promise<unknown> = Promise.resolve();
  #begun = 0;
  #ended = 0;
  /** Renames made here, oldest first. An edit that was started before a rename uses the old id and is translated. */
  readonly #renames: { readonly step: StepPath; readonly id: string }[] = [];
  #pending: readonly Pending[] = [];

  constructor(private readonly place: FilePlace) {
    this.view = new Cell(nothing, () => {
      const again = () => void this.#readAgain();
      const ends = [bus.onLost(again), bus.on('workflows', null, again), bus.on('profiles', null, again)];
      queueMicrotask(again);
      return () => {
        for (const end of ends) end();
      };
    });
  }

  /**
   * Makes edits, all or none. Consecutive edits of one `group` within a short time are undone together. Edits
   * that need nothing from the core are drawn at once, and reverted if the core rejects them.
   */
  async edit(
    requested: Edits,
    group: string | null = null,
    /** Asked when it is the turn of these edits, on the file as it is then: false leaves them. */
    holds: (() => boolean) | null = null,
  ): Promise<boolean> {
    const pending: Pending = { edits: typeof requested === 'function' ? [] : requested, written: false };
    const draw = () => this.draw([...this.#pending, pending]);
    // Sent before it is drawn, which takes longer in a large workflow; one that has to wait is drawn first.
    const isNext = this.#begun === this.#ended;
    if (!isNext) draw();
    try {
      const done = await this.inTurn(async () => {
        if (holds !== null || !this.isSureOf(requested)) await this.checked();
        if (holds?.() === false) return false;
        const edits = typeof requested === 'function' ? requested(this.document()) : requested;
        return (
          edits.length > 0 && (await this.makeEdits(edits, group, { pending, onSent: isNext ? draw : null }))
        );
      });
      if (done) await this.#check();
      return done;
    } finally {
      this.draw(this.#pending.filter((one) => one !== pending));
    }
  }

  /** Whether edits mean the same on the last checked state of the file as on its text. */
  private isSureOf(edits: Edits): boolean {
    if (typeof edits === 'function' || this.#renames.length > 0) return false;
    return edits.every(({ kind }) => DRAWN_AT_ONCE.has(kind));
  }

  private async makeEdits(
    edits: readonly WorkflowEdit[],
    group: string | null,
    { pending, onSent }: { readonly pending: Pending; readonly onSent: (() => void) | null },
  ): Promise<boolean> {
    const { hash } = this.view.get();
    const placed = edits.map((edit) => this.placed(edit));
    const done = await this.write(
      async () => {
        const answer = call('workflow.edit', { ...this.place, base: hash, edits: placed });
        // The call leaves the page in its next microtask.
        await null;
        onSent?.();
        return answer;
      },
      group,
      () => {
        // Before the new text is shown: a form finds its step in the text by the new name.
        this.#renames.push(...placed.filter((edit) => edit.kind === 'step.rename'));
        pending.written = true;
      },
    );
    if (done.ok) return done.value.kind === 'written';
    if (done.error.code === 'edit.shared' && !edits.every(({ both }) => both === true))
      this.set({ shared: { error: done.error, edits } });
    else complain(done.error);
    return false;
  }

  /** The document of the file, as far as it was checked. */
  private document(): Json {
    return this.view.get().checked?.value ?? null;
  }

  private draw(pending: readonly Pending[]): void {
    this.#pending = pending;
    this.set({ drawn: this.drawnOf(this.document()) });
  }

  private drawnOf(document: Json): Json {
    let drawn = document;
    for (const edit of this.#pending.flatMap(({ edits }) => edits)) {
      if (!DRAWN_AT_ONCE.has(edit.kind)) continue;
      const made = applyEdit(drawn, this.placed(edit));
      if (made.ok) drawn = made.value;
    }
    return drawn;
  }

  /** The current path of a step, if it was renamed here since it had this path. */
  nowAt(step: StepPath): StepPath {
    const document = this.document();
    let path = step;
    for (const { step: from, id } of this.#renames) {
      if (path.length === 0 || pathOfStep(document, path) !== null) break;
      if (from.every((part, at) => path[at] === part))
        path = [...from.slice(0, -1), id, ...path.slice(from.length)];
    }
    return path;
  }

  private placed(edit: WorkflowEdit): WorkflowEdit {
    if (!('step' in edit) || edit.kind === 'step.add') return edit;
    return { ...edit, step: [...this.nowAt(edit.step)] };
  }

  /** Writes a whole text in the place of the one that is shown. */
  async save(text: string, group: string | null = null): Promise<boolean> {
    const done = await this.inTurn(() => this.put(text, group));
    await this.checked();
    return done;
  }

  /** Writes a text that was made elsewhere from the state `base`, as one change that can be taken back. */
  async saveFrom(base: string, text: string): Promise<Result<FileChange>> {
    const saved = await this.inTurn(async () => {
      // What others changed meanwhile is no part of this change.
      this.take(await call('workflow.source', this.place));
      const done = await call('workflow.save', { ...this.place, base, text });
      if (done.ok && done.value.kind === 'written') this.show(done.value, { group: null });
      return done;
    });
    await this.checked();
    return saved;
  }

  undo = (): Promise<void> => this.step(undone);
  redo = (): Promise<void> => this.step(redone);

  /** Makes the edits in all places, or drops them. */
  answerShared(all: boolean): void {
    const { shared } = this.view.get();
    this.set({ shared: null });
    if (all && shared !== null) void this.edit(shared.edits.map((edit) => ({ ...edit, both: true })));
  }

  /** Writes one's own text over the one that came from elsewhere, which can then be brought back, or leaves it. */
  async answerConflict(keep: 'mine' | 'theirs'): Promise<void> {
    await this.inTurn(async () => {
      const { conflict } = this.view.get();
      this.set({ conflict: null });
      if (conflict === null) return;
      this.show(conflict.theirs, null);
      if (keep === 'mine' && conflict.mine !== null) await this.put(conflict.mine, null);
    });
    await this.checked();
  }

  private async step(way: (history: TextHistory) => TextHistory | null): Promise<void> {
    await this.inTurn(async () => {
      const next = way(this.#history);
      if (next === null) return;
      const { hash } = this.view.get();
      const saved = await call('workflow.save', { ...this.place, base: hash, text: next.text });
      if (!saved.ok) return complain(saved.error);
      if (saved.value.kind === 'conflict') return this.set({ conflict: saved.value });
      this.#history = next;
      this.show(saved.value, null);
    });
    await this.checked();
  }

  private async put(text: string, group: string | null): Promise<boolean> {
    const { hash } = this.view.get();
    const done = await this.write(() => call('workflow.save', { ...this.place, base: hash, text }), group);
    if (!done.ok) complain(done.error);
    return done.ok && done.value.kind === 'written';
  }

  private async write(
    ask: () => Promise<Result<FileChange>>,
    group: string | null,
    onWritten: () => void = () => undefined,
  ): Promise<Result<FileChange>> {
    const done = await ask();
    if (!done.ok) return done;
    const { value } = done;
    if (value.kind === 'conflict') this.set({ conflict: value });
    else {
      onWritten();
      if (value.merged) say('The file had changed on disk. It now has both changes.');
      this.show(value, { group });
    }
    return done;
  }

  /** Outside of the turns, so that no edit waits for it. An answer from before a turn says nothing of the file after it. */
  readonly #readAgain = oneAfterAnother(async () => {
    for (;;) {
      const turns = this.#begun;
      await this.#last;
      const source = await call('workflow.source', this.place);
      if (turns !== this.#begun) continue;
      this.take(source);
      return this.#check();
    }
  });

  private take(source: Result<ProcedureOutput<'workflow.source'>>): void {
    if (!source.ok) return this.set({ status: 'failed', error: source.error });
    const { absolutePath, writable } = source.value;
    this.set({ absolutePath, writable });
    if (this.view.get().status === 'loading') this.#history = newHistory(source.value.text);
    this.show(source.value, null);
  }

  /** Takes a text as the file's; with `change` as one that the operator made. */
  private show(
    { text, hash }: { readonly text: string; readonly hash: string },
    change: { readonly group: string | null } | null,
  ): void {
    this.#history =
      change === null
        ? changedOutside(this.#history, text)
        : recorded(this.#history, text, { group: change.group, at: Date.now() });
    const { past, future } = this.#history;
    this.set({
      status: 'ready',
      error: null,
      text,
      hash,
      canUndo: past.length > 0,
      canRedo: future.length > 0,
    });
  }

  /** Asks what the core says of the text, beside the turns: a further edit is written meanwhile. */
  readonly #check = oneAfterAnother(async () => {
    const { text, status } = this.view.get();
    if (status !== 'ready') return;
    const known = this.#pending.filter(({ written }) => written);
    const checked = await call('workflow.check', { ...this.place, text });
    if (!checked.ok) return;
    this.#pending = this.#pending.filter((one) => !known.includes(one));
    this.set({ checked: checked.value, checkedText: text, drawn: this.drawnOf(checked.value.value) });
  });

  /** Until the text as it is now was checked. */
  private async checked(): Promise<void> {
    const { text, checkedText } = this.view.get();
    if (text !== checkedText) await this.#check();
  }

  private set(change: Partial<WorkflowFileView>): void {
    this.view.update((view) => {
      const next = { ...view, ...change };
      return isSame(view, next) ? view : next;
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#begun += 1;
    const mine = this.#last.then(work).finally(() => {
      this.#ended += 1;
    });
    this.#last = mine.catch(() => null);
    return mine;
  }
}

/** Undo histories are kept while the window is open, even while another view is shown. */
const files = new Map<string, WorkflowFile>();

export function workflowFile(projectId: number, file: string): WorkflowFile {
  const key = `${projectId} ${file}`;
  const known = files.get(key) ?? new WorkflowFile({ projectId, file });
  files.set(key, known);
  return known;
}
