import { join } from 'node:path';
import { err, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { CaptureState, RunState } from '@contract/run/state';
import { withWholeDiff } from '@main/core/engine/effects/whole-diff';
import { folderOf, placeOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import type { RunTextFiles } from '@main/core/ports/whole-texts';
import type { ChangeToRetake, FolderEdit, WorkspaceEdits } from '@main/core/ports/workspaces/workspace-edits';

interface RecordedChangesParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly workspaces: Pick<WorkspaceEdits, 'retake'>;
  readonly textFiles: Pick<RunTextFiles, 'of'>;
  readonly state: (runId: number) => RunState | null;
}

/**
 * Keeps recorded changes (what ports hold and gates show) equal to their folders as the operator left them. An
 * edit of a folder becomes an event, so every reader of the run's state sees the same change.
 */
export class RecordedChanges {
  constructor(private readonly parts: RecordedChangesParts) {}

  /**
   * Reads again the changes that the operator may have edited by hand: those after which nothing else worked in
   * their folder. Returns which of them have changed. `only`: among these.
   */
  async refresh(runId: number, only?: readonly number[]): Promise<Result<readonly number[]>> {
    const state = this.parts.state(runId);
    if (state === null) return ok([]);
    const open = Object.values(state.captures).filter(
      (capture) => (only?.includes(capture.id) ?? true) && isAsLeft(state, capture),
    );
    const revised: number[] = [];
    for (const capture of open) {
      const done = await this.#retake(runId, capture, null);
      if (!done.ok) return done;
      if (done.value) revised.push(capture.id);
    }
    return ok(revised);
  }

  /**
   * Carries an edit that Muster made to every change recorded in the folder. A change that it does not fit stays
   * as it was: later work replaced these lines.
   */
  async edited(
    runId: number,
    workspaceId: number | null,
    edit: Omit<FolderEdit, 'undo'>,
  ): Promise<Result<void>> {
    const state = this.parts.state(runId);
    if (state === null) return ok(undefined);
    const folder = folderOf(state, workspaceId);
    for (const capture of Object.values(state.captures)) {
      if (folderOf(state, capture.workspaceId) !== folder) continue;
      const done = await this.#retake(runId, capture, edit);
      if (!done.ok && done.error.code !== 'conflict') return done;
    }
    return ok(undefined);
  }

  async #retake(runId: number, { id }: CaptureState, edit: ChangeToRetake['edit']): Promise<Result<boolean>> {
    const state = this.parts.state(runId);
    const capture = state?.captures[id];
    const diff = capture?.diff ?? null;
    if (state == null || capture === undefined || diff === null) return ok(false);
    const taken = await this.parts.workspaces.retake({
      place: placeOf(state, folderOf(state, capture.workspaceId)),
      uid: state.uid,
      key: `k${id}`,
      recorded: { from: diff.from, to: diff.to },
      began: capture.began ?? diff.from,
      edit,
      folder: join(state.artifactsDir, 'captures'),
    });
    if (!taken.ok) return taken;
    if (taken.value === null) return ok(false);
    const read = await withWholeDiff(this.parts.textFiles.of(state.artifactsDir), taken.value);
    if (!read.ok) return read;
    const { diff: now, files } = read.value;
    const event: RunEvent = {
      type: 'capture.revised',
      captureId: id,
      diff: now,
      files: [...files],
      by: 'operator',
    };
    const noted = await this.parts.engine.command(runId, (run) => {
      const last = run.state.captures[id]?.diff;
      // Another request may have read it meanwhile.
      return ok(last?.from === diff.from && last.to === diff.to ? [event] : []);
    });
    return noted.ok ? ok(true) : err(noted.error);
  }
}

/** Whether what differs from the recorded state is the operator's work. */
function isAsLeft(state: RunState, { diff, workspaceId, toTurn }: CaptureState): boolean {
  // In the operator's own checkout they may work on anything.
  if (diff === null || state.workspaceMode === 'project') return false;
  return isLastIn(state, workspaceId, toTurn);
}

/** Whether nothing of the run has worked in the folder since a turn, and nothing works there now. */
export function isLastIn(state: RunState, workspaceId: number | null, turnId: number | null): boolean {
  const folder = folderOf(state, workspaceId);
  const turn = state.turns[turnId ?? 0];
  if (turn === undefined || turn.finishedAt === null) return false;
  const { finishedAt } = turn;
  const later = Object.values(state.turns).some(
    ({ id, sessionId }) =>
      id > turn.id && folderOf(state, state.sessions[sessionId]?.workspaceId ?? null) === folder,
  );
  const ran = Object.values(state.commands).some(
    (command) => folderOf(state, command.workspaceId) === folder && command.startedAt >= finishedAt,
  );
  return !later && !ran;
}
