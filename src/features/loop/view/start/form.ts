import { minutesSchema } from '@contract/bounds';
import type { ProcedureInput } from '@contract/ipc';
import { isCostBudget, isTokenBudget, readFormDraft } from '@renderer/parts/controls/form-draft';

/** The draft of a loop: texts as entered in the fields. */
export interface LoopDraft {
  readonly folder: string;
  /** Empty: the branch named in prd.json. */
  readonly branch: string;
  readonly workspace: 'worktree' | 'project';
  readonly worker: string;
  readonly model: string;
  readonly iterations: string;
  readonly minutes: string;
  readonly attemptMinutes: string;
  readonly stallAfter: string;
  readonly tokens: string;
  readonly dollars: string;
  readonly prompt: string;
  /** Empty: no check, so the worker's claim counts. */
  readonly verify: string;
  /** The agent of the second try; empty: the worker. */
  readonly retryWorker: string;
  /** The model of the second try; empty: the worker's, or another agent's default. */
  readonly retryModel: string;
}

export const blankLoop = (worker: string): LoopDraft => ({
  folder: '.',
  branch: '',
  workspace: 'worktree',
  worker,
  model: '',
  iterations: '10',
  minutes: '',
  attemptMinutes: '',
  stallAfter: '3',
  tokens: '',
  dollars: '',
  prompt: '',
  verify: '',
  retryWorker: '',
  retryModel: '',
});

/** Reads a saved draft; invalid parts are replaced by defaults. */
export function readDraft(text: string, blank: LoopDraft): LoopDraft {
  const draft = readFormDraft(text, blank);
  // A draft started before the agents were known names none.
  const worker = draft.worker === '' ? blank.worker : draft.worker;
  return { ...draft, worker, workspace: draft.workspace === 'project' ? 'project' : 'worktree' };
}

const isWholeNumber = (text: string, from: number, to: number): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= from && Number(text) <= to;
const orNothing = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const isTime = (text: string): boolean => text.trim() === '' || minutesSchema.safeParse(Number(text)).success;

/** Why the loop cannot be started yet, as a sentence; null if the form is complete. */
export function missing(draft: LoopDraft): string | null {
  if (draft.folder.trim() === '') return 'Enter the folder of prd.json; . is the project itself.';
  if (draft.worker === '') return 'Choose a worker.';
  if (!isWholeNumber(draft.iterations, 1, 1_000)) return 'Iterations must be a whole number from 1 to 1000.';
  if (!isTime(draft.minutes) || !isTime(draft.attemptMinutes))
    return 'Minutes must be a number above 0, up to 525600 (a year).';
  if (!isWholeNumber(draft.stallAfter, 2, 100))
    return '“No progress after” must be from 2 to 100 iterations.';
  if (!isTokenBudget(draft.tokens)) return 'The token budget must be a whole number above 0.';
  if (!isCostBudget(draft.dollars)) return 'The cost budget must be a number above 0.';
  if (draft.verify.trim().length > 4_000) return 'The check can have at most 4000 characters.';
  return null;
}

/** Null: unlimited. */
function budgetOf({ tokens, dollars }: LoopDraft): ProcedureInput<'loop.start'>['budget'] {
  const [most, cost] = [orNothing(tokens), orNothing(dollars)];
  if (most === null && cost === null) return null;
  return { ...(most === null ? {} : { tokens: most }), ...(cost === null ? {} : { cost_usd: cost }) };
}

const placeOf = ({ folder, branch, workspace }: LoopDraft) => ({
  folder: folder.trim() || '.',
  branch: orNull(branch),
  workspace,
});

export const previewOf = (projectId: number, draft: LoopDraft): ProcedureInput<'loop.preview'> => ({
  projectId,
  ...placeOf(draft),
  worker: draft.worker === '' ? null : draft.worker,
  ownPrompt: draft.prompt.trim() !== '',
});

export const startOf = (projectId: number, draft: LoopDraft): ProcedureInput<'loop.start'> => ({
  projectId,
  ...placeOf(draft),
  worker: draft.worker,
  model: orNull(draft.model),
  iterations: Number(draft.iterations),
  minutes: orNothing(draft.minutes),
  attemptMinutes: orNothing(draft.attemptMinutes),
  stallAfter: Number(draft.stallAfter),
  budget: budgetOf(draft),
  prompt: orNull(draft.prompt),
  verify: orNull(draft.verify),
  retryProfile: orNull(draft.retryWorker),
  retryModel: orNull(draft.retryModel),
});
