import type { AppError } from '@contract/errors';
import type { ProcedureInput, ProcedureOutput } from '@contract/ipc';
import { isTokenBudget, readFormDraft } from '@renderer/parts/controls/form-draft';

/** The draft of a question: texts as entered in the fields. */
export interface QuestionDraft {
  readonly question: string;
  /** One path, folder or glob per line. */
  readonly documents: string;
  readonly root: string;
  /** Empty: the root model answers sub-calls too. */
  readonly sub: string;
  /** Empty: no model verifies the answer. */
  readonly verify: string;
  readonly iterations: string;
  readonly subcalls: string;
  readonly tokens: string;
  /** `yes`: the root model may add its own knowledge. */
  readonly background: string;
  /** `yes`: the operator accepts the browser's isolation alone. */
  readonly weak: string;
}

export const blankQuestion = (root: string): QuestionDraft => ({
  question: '',
  documents: '',
  root,
  sub: '',
  verify: '',
  iterations: '20',
  subcalls: '2000',
  tokens: '',
  background: '',
  weak: '',
});

/** Reads a saved draft; invalid parts are replaced by defaults. */
export function readDraft(text: string, blank: QuestionDraft): QuestionDraft {
  const draft = readFormDraft(text, blank);
  return { ...draft, root: draft.root === '' ? blank.root : draft.root };
}

export const pathsOf = ({ documents }: Pick<QuestionDraft, 'documents'>): string[] =>
  documents
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const isWholeNumber = (text: string, to: number): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= to;

/** Why the question cannot be asked yet, as a sentence; null if the form is complete. */
export function missing(draft: QuestionDraft): string | null {
  if (draft.question.trim() === '') return 'Enter a question.';
  if (pathsOf(draft).length === 0) return 'Enter the documents.';
  if (draft.root === '') return 'Choose the model that writes the code.';
  if (!isWholeNumber(draft.iterations, 1_000)) return 'Iterations must be a whole number from 1 to 1000.';
  if (!isWholeNumber(draft.subcalls, 100_000)) return 'Sub-calls must be a whole number from 1 to 100000.';
  if (!isTokenBudget(draft.tokens)) return 'The token budget must be a whole number above 0, or empty.';
  return null;
}

/** Why these documents cannot be asked about, beside the error itself; null if they can, or it is not known yet. */
export function unreadable(
  error: AppError | null,
  preview: Pick<ProcedureOutput<'rlm.preview'>, 'count'> | null,
): string | null {
  if (error?.code === 'not_found' || error?.code === 'input.invalid') return 'Change the documents first.';
  return preview?.count === 0 ? 'None of these files is a text.' : null;
}

type Input<N extends 'rlm.start' | 'rlm.preview'> = ProcedureInput<N>;

/** The request for a preview; null while too little is entered. */
export function previewOf(projectId: number, draft: QuestionDraft): Input<'rlm.preview'> | null {
  const documents = pathsOf(draft);
  if (documents.length === 0) return null;
  const iterations = isWholeNumber(draft.iterations, 1_000) ? { iterations: Number(draft.iterations) } : {};
  return { projectId, question: draft.question, documents, ...iterations };
}

/** Requires a complete draft. */
export const startOf = (projectId: number, draft: QuestionDraft): Omit<Input<'rlm.start'>, 'uid'> => ({
  projectId,
  question: draft.question.trim(),
  documents: pathsOf(draft),
  root: { profile: draft.root },
  sub: draft.sub === '' ? null : { profile: draft.sub },
  verify: draft.verify === '' ? null : { profile: draft.verify },
  iterations: Number(draft.iterations),
  subcalls: Number(draft.subcalls),
  tokens: draft.tokens.trim() === '' ? null : Number(draft.tokens),
  backgroundKnowledge: draft.background === 'yes',
  allowWeakSandbox: draft.weak === 'yes',
});
