import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Problem } from '@contract/errors';
import type { Knowledge } from './json-schema';
import { optionsAt } from './options';
import { look } from './theme';

interface EditorParts {
  readonly host: HTMLElement;
  readonly text: string;
  /** Its name for screen readers. */
  readonly label: string;
  knowledge(): Knowledge;
  changed(text: string): void;
}

/**
 * A text editor for YAML. It is in a shadow tree, where its styles need no permission of the page's policy.
 */
export class YamlText {
  readonly #view: EditorView;
  #silent = false;

  constructor({ host, text, label, knowledge, changed }: EditorParts) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const tell = EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.#silent) changed(update.state.doc.toString());
    });
    this.#view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ doc: text, extensions: [...extensions(label, knowledge), tell] }),
    });
  }

  /** Replaces the shown text. Undo restores the old one. */
  show(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() === text) return;
    this.#silent = true;
    this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    this.#silent = false;
  }

  mark(problems: readonly Problem[]): void {
    const { doc } = this.#view.state;
    this.#view.dispatch(
      setDiagnostics(
        this.#view.state,
        problems.map((problem) => diagnosticOf(problem, doc)),
      ),
    );
  }

  /** Puts the cursor at a position, counted from 1, and scrolls to it. */
  goTo(line: number, column = 1): void {
    const { doc } = this.#view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const anchor = Math.min(from + Math.max(column, 1) - 1, to);
    this.#view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    });
    this.#view.focus();
  }

  focus = (): void => this.#view.focus();
  end = (): void => this.#view.destroy();
}

const extensions = (label: string, knowledge: () => Knowledge) => [
  ...[lineNumbers(), highlightActiveLineGutter(), history(), foldGutter(), drawSelection(), indentOnInput()],
  ...[bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), lintGutter()],
  autocompletion({ override: [(context) => completion(context, knowledge())], icons: false }),
  keymap.of([
    // Tab leaves the editor, as everywhere, unless a completion is offered.
    { key: 'Tab', run: acceptCompletion },
    ...[closeBracketsKeymap, searchKeymap, historyKeymap, foldKeymap, completionKeymap, lintKeymap].flat(),
    ...defaultKeymap,
  ]),
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({ 'aria-label': label }),
  ...[yaml(), look],
];

function completion(
  { state, pos, explicit }: CompletionContext,
  knowledge: Knowledge,
): CompletionResult | null {
  const found = optionsAt(state.doc.toString(), pos, knowledge);
  if (found === null || (found.typed === 0 && !explicit)) return null;
  return { from: pos - found.typed, options: [...found.options], validFor: /^[$\w.-]*$/ };
}

/** From its position to the end of the line; a problem without a position is at the beginning. */
function diagnosticOf({ message, mend, severity, where }: Problem, doc: Text): Diagnostic {
  const { from, to, text } = doc.line(Math.min(Math.max(where?.line ?? 1, 1), doc.lines));
  const start = Math.min(from + Math.max((where?.column ?? 1) - 1, text.search(/\S|$/)), to);
  return { from: start, to, severity, message: mend === undefined ? message : `${message}\n${mend}` };
}
