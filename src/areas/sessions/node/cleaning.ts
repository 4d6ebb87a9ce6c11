import { basename } from 'node:path';
import type { Leftover } from '@areas/changes/contract/procedures';
import { worktreeSetup } from '@areas/projects/contract/project-settings';
import { madeIn, type RunResults } from '@areas/runs/node/results/run-results';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { runOf, unfinishedBranches } from '@main/core/engine/effects/workspace-effects';
import type { Store } from '@main/core/ports/store/store';
import type { WorkspaceEdits } from '@main/core/ports/workspaces/workspace-edits';
import { UID_END } from '@main/core/ports/workspaces/workspace-names';

export interface CleaningParts {
  readonly store: Pick<Store, 'runByUid' | 'runByUidEnd'>;
  readonly workspaces: Pick<WorkspaceEdits, 'worktrees' | 'clear'>;
  readonly results: Pick<RunResults, 'results'>;
  readonly state: (runId: number) => RunState | null;
}

type Cleaned = ProcedureOutput<'workspace.clean'>;

/** Removes worktrees and branches that Muster made for ended runs. */
export class Cleaning {
  constructor(private readonly parts: CleaningParts) {}

  async leftovers(runId: number | undefined): Promise<Result<ProcedureOutput<'workspace.leftovers'>>> {
    const { store, workspaces, state } = this.parts;
    const leftovers: Leftover[] = [];
    const unknown: string[] = [];
    for (const { uid, root, made } of await workspaces.worktrees()) {
      const row = uid === null ? this.#runNamedIn(made) : store.runByUid(uid);
      if (row === null) unknown.push(root);
      if (row === null || (runId !== undefined && row.id !== runId)) continue;
      const run = state(row.id);
      // A run that is unreadable, or still running, keeps its worktrees.
      if (run?.status !== 'finished') continue;
      const isUnfinished = unfinishedBranches(run).includes(made);
      const isKnown = isUnfinished || madeIn(run).some(({ branch }) => branch === made);
      if (uid === null && !isKnown) {
        unknown.push(root);
        continue;
      }
      const found: Pick<Leftover, 'state' | 'files'> | null = isUnfinished
        ? { state: 'unfinished', files: 0 }
        : await this.#stateOf(row.id, run, made);
      if (found === null) continue;
      leftovers.push({
        runId: row.id,
        runName: run.name,
        projectPath: run.projectPath,
        path: root,
        branch: made,
        ...found,
      });
    }
    return ok({ leftovers, unknown });
  }

  async clean({ runId, unapplied }: ParsedInput<'workspace.clean'>): Promise<Result<Cleaned>> {
    const found = await this.leftovers(runId);
    if (!found.ok) return found;
    const { leftovers } = found.value;
    // What cannot be read cannot be kept either: only the operator can remove it.
    const stays = (one: Leftover): boolean =>
      one.state === 'unreadable' || (one.state === 'unapplied' && !unapplied);
    const cleaned: Cleaned = { worktrees: [], branches: [], notes: [], kept: leftovers.filter(stays) };
    const goes = leftovers.filter((one) => !stays(one));
    for (const id of new Set(goes.map((one) => one.runId))) {
      const rows = goes.filter((one) => one.runId === id);
      const run = this.parts.state(id);
      if (run?.status !== 'finished') continue;
      const { teardown } = worktreeSetup(run.projectSettings, run.definition.worktree);
      const branches = rows.map(({ branch }) => branch);
      const unfinished = unfinishedBranches(run);
      const cleared = await this.parts.workspaces.clear(runOf(run), { branches, unfinished, teardown });
      if (!cleared.ok) {
        cleaned.notes.push(cleared.error.message);
        continue;
      }
      cleaned.worktrees.push(...cleared.value.worktrees);
      cleaned.branches.push(...cleared.value.branches);
      cleaned.notes.push(...cleared.value.notes);
    }
    return ok(cleaned);
  }

  /**
   * A worktree whose creation was interrupted has no mark, but its name contains the end of the run's uid.
   */
  #runNamedIn(branch: string): RunRow | null {
    for (const word of basename(branch).split('-')) {
      const row = word.length === UID_END ? this.parts.store.runByUidEnd(word) : null;
      if (row !== null) return row;
    }
    return null;
  }

  /** Null if its content cannot be determined now: it is then left alone. */
  async #stateOf(
    runId: number,
    run: RunState,
    made: string,
  ): Promise<Pick<Leftover, 'state' | 'files'> | null> {
    const results = await this.parts.results.results(runId);
    if (!results.ok) return null;
    const workspace = madeIn(run).find(({ branch }) => branch === made);
    if (workspace === undefined) return null;
    const result = results.value.find(({ workspaceId }) => workspaceId === workspace.workspaceId);
    if (result === undefined) return null;
    const { files, branch } = result;
    // Its work is on a branch that Muster did not create, which stays.
    const elsewhere = branch !== null && branch !== made;
    const state = result.state === 'to_apply' || result.state === 'folder' ? 'unapplied' : result.state;
    return { files, state: elsewhere && state === 'unapplied' ? 'included' : state };
  }
}
