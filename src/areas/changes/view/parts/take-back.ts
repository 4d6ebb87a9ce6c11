import { call } from '@renderer/client/rpc';
import { Cell } from '@renderer/client/store';
import { attempt, say } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';

/** Stands for all changes of a file, as the core names them. */
export const WHOLE_FILE = 'file';

/** Lines that were taken back, and the name by which they are put back. */
export interface TakenBack {
  readonly path: string;
  /** A hunk, or `WHOLE_FILE`. */
  readonly hunk: string;
  readonly turnId: number | null;
  readonly undo: string;
}

interface FilePlace {
  readonly runId: number;
  readonly sessionId: number;
  readonly turnId: number | null;
  readonly path: string;
}

const MOST_TAKEN_BACK = 50;
const all = new Map<string, Cell<readonly TakenBack[]>>();

/** What was taken back in a session since the window was opened, the last one at the end. */
export function takenBack(runId: number, sessionId: number): Cell<readonly TakenBack[]> {
  const key = `${runId}/${sessionId}`;
  const cell = all.get(key) ?? new Cell<readonly TakenBack[]>([]);
  all.set(key, cell);
  return cell;
}

/** The change is another one now, in whatever view it is shown. */
const readAgain = () => refresh('workspace.diff', 'workspace.marks', 'run.apply-preview');

export async function acceptHunk(place: FilePlace, hunk: string, accepted: boolean): Promise<void> {
  await attempt(call('workspace.accept', { ...place, hunk, accepted }));
  await refresh('workspace.marks');
}

export async function rejectHunk(place: FilePlace, hunk: string): Promise<void> {
  const { runId, sessionId, turnId, path } = place;
  const done = await attempt(call('workspace.reject', { ...place, hunk }));
  if (done === null) return;
  const entry = { path, hunk, turnId, undo: done.undo };
  takenBack(runId, sessionId).update((entries) => [...entries, entry].slice(-MOST_TAKEN_BACK));
  if (done.still !== undefined)
    say(`The lines were taken back here, but not in what was branched before: ${done.still.join(', ')}.`);
  await readAgain();
}

/** Puts back what was taken back last, and removes its mark. Later changes in the folder stay. */
export async function undoLast(runId: number, sessionId: number): Promise<void> {
  const cell = takenBack(runId, sessionId);
  const last = cell.get().at(-1);
  if (!last) return;
  const { undo, path, hunk, turnId } = last;
  const done = await attempt(call('workspace.undo', { runId, sessionId, undo }), 'The lines are back');
  if (done === null) return;
  cell.update((entries) => entries.filter((entry) => entry !== last));
  await call('workspace.accept', { runId, sessionId, turnId, path, hunk, accepted: false });
  await readAgain();
}
