import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { EffectParts } from './effect-parts';
import type { LiveRun } from './live-run';

type Parts = Pick<EffectParts, 'merges' | 'engine'>;

/** Tries a member's merge; the checkout is not touched. */
export async function rehearseMerge(
  { merges, engine }: Parts,
  run: LiveRun,
  { activationId, mergeId }: Pick<RunEventOf<'team.merge-requested'>, 'activationId' | 'mergeId'>,
): Promise<void> {
  const team = run.state.teams[activationId];
  const commit = team?.members[team.merges[mergeId]?.member ?? '']?.stopped?.frozen ?? null;
  if (commit === null)
    return engine.report(run, [{ type: 'team.merged', activationId, mergeId, commit: null }]);
  const tried = await merges.rehearse({ projectPath: run.state.projectPath, commit });
  await engine.report(run, [
    tried.ok
      ? { type: 'team.merge-rehearsed', activationId, mergeId, ...tried.value }
      : { type: 'team.merge-failed', activationId, mergeId, error: tried.error },
  ]);
}

/** Makes a merge that the operator confirmed. Made a second time after a crash, it finds that nothing is left to do. */
export async function makeMerge(
  { merges, engine }: Parts,
  run: LiveRun,
  { activationId, mergeId }: Pick<RunEventOf<'team.merge-confirmed'>, 'activationId' | 'mergeId'>,
): Promise<void> {
  const team = run.state.teams[activationId];
  const merge = team?.merges[mergeId];
  const member = team?.members[merge?.member ?? ''];
  const frozen = member?.stopped?.frozen ?? null;
  if (merge === undefined || member === undefined || frozen === null) return;
  const made = await merges.merge({
    projectPath: run.state.projectPath,
    commit: frozen,
    choices: merge.choices,
    message: `Merge the work of ${member.name}\n\nTeam run ${run.state.name} (${run.state.uid}), ${member.rounds.length} rounds.`,
    expected: merge.rehearsal?.targetCommit ?? '',
  });
  const event: RunEvent = made.ok
    ? { type: 'team.merged', activationId, mergeId, commit: made.value }
    : { type: 'team.merge-failed', activationId, mergeId, error: made.error };
  await engine.report(run, [event]);
}

/** After a restart: what was being tried or made is begun again. */
export function recoverMerges(run: LiveRun, begin: (event: RunEvent) => void): void {
  for (const { activationId, merges } of Object.values(run.state.teams)) {
    for (const { id: mergeId, status, member, by, choices } of Object.values(merges)) {
      if (status === 'requested') begin({ type: 'team.merge-requested', activationId, mergeId, member, by });
      if (status === 'confirmed') begin({ type: 'team.merge-confirmed', activationId, mergeId, choices, by });
    }
  }
}
