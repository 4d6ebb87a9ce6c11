import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import {
  Compartment,
  EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
  Transaction,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  placeholder,
} from '@codemirror/view';
import type { TemplatePreview } from '../../../contract/template-help';
import { fieldLook } from './theme';

export interface TemplateOption {
  readonly label: string;
  readonly detail?: string;
}

type Marks = Pick<TemplatePreview, 'references' | 'problems'>;

interface TemplateParts {
  readonly host: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly placeholder: string;
  /** A script is shown in the code font. */
  readonly code: boolean;
  /** Enter adds a line. */
  readonly lines: boolean;
  options(): readonly TemplateOption[];
  changed(text: string): void;
  left(): void;
}

const setReferences = StateEffect.define<DecorationSet>();
const reference = Decoration.mark({ class: 'cm-reference' });

/** The last reported references of the text, moved along with later typing. */
const references = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setReferences)) return effect.value;
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A field for a text with references, in a shadow tree like the YAML editor. */
export class TemplateText {
  readonly #view: EditorView;
  readonly #state = new Compartment();
  #silent = false;

  constructor(parts: TemplateParts) {
    const { host, text } = parts;
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
    const tell = EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.#silent) parts.changed(update.state.doc.toString());
    });
    this.#view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [extensionsOf(parts), this.#state.of([]), tell, leaves(parts)],
      }),
    });
  }

  /** Replaces the shown text; the field's own undo does not restore the old one. */
  show(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() === text) return;
    this.#silent = true;
    this.#view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      annotations: Transaction.addToHistory.of(false),
    });
    this.#silent = false;
  }

  /** Marks references, and underlines invalid ones. They belong to the text `of`. */
  mark(marks: Marks, of: string): void {
    const { state } = this.#view;
    if (state.doc.toString() !== of) return;
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of marks.references) builder.add(from, to, reference);
    const { length } = state.doc;
    const diagnostics = setDiagnostics(
      state,
      marks.problems.map(({ from, to, severity, message, mend }) => ({
        from: Math.min(from, length),
        to: Math.min(Math.max(to, from + 1), length),
        severity,
        message: mend === undefined ? message : `${message}\n${mend}`,
      })),
    );
    this.#view.dispatch(diagnostics, { effects: setReferences.of(builder.finish()) });
  }

  /** Whether it can be edited, and its description for screen readers. */
  set({ disabled, invalid, problem }: { disabled: boolean; invalid: boolean; problem: string }): void {
    this.#view.dispatch({
      effects: this.#state.reconfigure([
        EditorState.readOnly.of(disabled),
        EditorView.editable.of(!disabled),
        EditorView.contentAttributes.of({
          'aria-invalid': String(invalid),
          ...(disabled ? { 'aria-readonly': 'true' } : {}),
          ...(problem === '' ? {} : { 'aria-description': problem }),
        }),
      ]),
    });
  }

  /** Puts the cursor at a position, and scrolls to it. */
  goTo(at: number): void {
    const anchor = Math.min(at, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.#view.focus();
  }

  focus = (): void => this.#view.focus();
  end = (): void => this.#view.destroy();
}

/** Immediately, before any other effect of the same key or click. */
const leaves = ({ left }: TemplateParts) => EditorView.domEventHandlers({ blur: () => left() });

/** Alt with an arrow moves the entry that contains the field. */
const keys = defaultKeymap.filter(({ key }) => key !== 'Alt-ArrowUp' && key !== 'Alt-ArrowDown');

function extensionsOf({ label, placeholder: empty, code, lines, options }: TemplateParts): Extension {
  return [
    ...[history(), drawSelection(), references, EditorView.lineWrapping, fieldLook(code)],
    autocompletion({ override: [(context) => completion(context, options())], icons: false }),
    keymap.of([
      // Tab leaves the field, unless a completion is offered.
      { key: 'Tab', run: acceptCompletion },
      ...[historyKeymap, completionKeymap, keys].flat(),
    ]),
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': String(lines) }),
    ...(empty === '' ? [] : [placeholder(empty)]),
    ...(lines ? [] : [EditorState.transactionFilter.of(oneLine)]),
  ];
}

/** Changes that would add a line are dropped; a text that already has several keeps them. */
const oneLine = (transaction: Transaction): Transaction | [] =>
  transaction.newDoc.lines > Math.max(1, transaction.startState.doc.lines) ? [] : transaction;

const WRITTEN = /(?<!\\)\$[\w.-]*$/;

function completion(
  { state, pos, explicit }: CompletionContext,
  options: readonly TemplateOption[],
): CompletionResult | null {
  const { from, text } = state.doc.lineAt(pos);
  const [written] = WRITTEN.exec(text.slice(0, pos - from)) ?? [];
  if (written === undefined && !explicit) return null;
  const offered: Completion[] = options.map(({ label, detail }) => ({
    label,
    ...(detail === undefined ? {} : { detail }),
  }));
  return { from: pos - (written?.length ?? 0), options: offered, validFor: /^\$[\w.-]*$/ };
}
