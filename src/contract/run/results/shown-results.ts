import { err, fail, ok, type Result } from '../../result';
import type { RunState } from '../state';
import type { Applied, RunResult, ShownResult } from './results';

/** A finished run's results by folder, as shown to the operator. Empty while the run continues. */
export function shownResults(state: RunState): ShownResult[] {
  const all = (state.results ?? []).map((result) => shown(state, result));
  const open = all.filter(isWork);
  return open.length > 1 ? all : all.map((one) => ({ ...one, address: null }));
}

/** The run worked in worktrees, and nothing of them is found here: for example, it was imported from another machine. */
export const isElsewhere = (state: RunState, results: readonly ShownResult[]): boolean =>
  state.status === 'finished' &&
  state.workspaceMode === 'worktree' &&
  results.length === 0 &&
  (state.workspace !== null || Object.values(state.workspaces).some(({ path }) => path !== null));

const isUnread = ({ state }: ShownResult): boolean => state === 'unreadable';

const isWork = ({ state }: ShownResult): boolean => state === 'to_apply' || state === 'applied';

function shown(state: RunState, result: RunResult): ShownResult {
  const workspace = result.workspaceId === null ? undefined : state.workspaces[result.workspaceId];
  const stepId = workspace?.scope ?? state.activations[workspace?.activationId ?? 0]?.stepId ?? null;
  const agent = workspace?.lane ?? null;
  const applied = appliedAs(state, result);
  return {
    ...result,
    stepId,
    agent,
    address: addressOf(stepId, agent),
    state: stateOf(result, applied),
    applied,
  };
}

const addressOf = (stepId: string | null, agent: string | null): string =>
  stepId === null ? 'run' : agent === null ? stepId : `${stepId}/${agent}`;

const appliedAs = ({ applied }: RunState, { workspaceId, commit }: RunResult): Applied | null =>
  applied.findLast((one) => one.workspaceId === workspaceId && one.result === commit) ?? null;

function stateOf(
  { commit, files, includedIn, unread }: RunResult,
  applied: Applied | null,
): ShownResult['state'] {
  // Of a folder that is gone, nothing more than its commits and snapshots will ever be known.
  if (unread !== null && (unread.code !== 'not_found' || files === 0)) return 'unreadable';
  if (commit === null) return 'folder';
  if (applied !== null) return 'applied';
  if (files === 0) return 'empty';
  return includedIn === null ? 'to_apply' : 'included';
}

/** The result that `apply` means: the named one, else the only one with changes. */
export function resultToApply(
  results: readonly ShownResult[],
  address: string | undefined,
): Result<ShownResult> {
  const unread = results.find(isUnread)?.unread;
  const work = results.filter(isWork);
  const names = work.flatMap((one) => one.address ?? []).join(', ');
  if (address !== undefined) return named(results, address, names);
  const [only] = work;
  if (unread != null && work.length <= 1) return err(unread);
  if (only !== undefined && work.length === 1) return settled(only);
  if (work.length > 1) {
    const message = `The run has ${work.length} separate results.`;
    return fail('input.invalid', message, { mend: `Name one with --step: ${names}` });
  }
  const folder = results.find((one) => one.state === 'folder');
  if (folder !== undefined)
    return fail('conflict', `The run worked in a plain folder, which has no branch: ${folder.path}`, {
      mend: 'Copy what you want from there.',
    });
  return fail('not_found', 'The run changed no files, so there is nothing to apply.');
}

function named(results: readonly ShownResult[], address: string, names: string): Result<ShownResult> {
  const found = results.findLast(
    (one) => one.commit !== null && (one.address === address || addressOf(one.stepId, one.agent) === address),
  );
  if (found === undefined) {
    const mend = names === '' ? {} : { mend: `There are: ${names}` };
    return fail('not_found', `The run has no result called "${address}".`, mend);
  }
  if (found.state === 'unreadable' && found.unread !== null) return err(found.unread);
  return found.state === 'empty'
    ? fail('not_found', `"${address}" changed no files, so there is nothing to apply.`)
    : settled(found);
}

/** A result with conflicts is never applied: its files are no finished work. */
const settled = (result: ShownResult): Result<ShownResult> =>
  result.unsettled === null ? ok(result) : err(result.unsettled);
