import type { AppError } from '@contract/errors';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { Made } from '../ports/merges';
import type { EffectParts } from './effect-parts';
import type { LiveRun } from './live-run';

type About = Pick<RunEventOf<'team.merge-requested'>, 'activationId' | 'mergeId'>;
type Parts = Pick<EffectParts, 'merges' | 'engine'>;

/** Tries a member's merge; the checkout is not touched. */
export async function rehearseMerge(
  { merges, engine }: Parts,
  run: LiveRun,
  { activationId, mergeId }: About,
): Promise<void> {
  const team = run.state.teams[activationId];
  const commit = team?.members[team.merges[mergeId]?.member ?? '']?.stopped?.frozen ?? null;
  if (commit === null)
    return engine.report(run, [{ type: 'team.merged', activationId, mergeId, commit: null }]);
  const tried = await merges.rehearse({ projectPath: run.state.projectPath, commit });
  await engine.report(run, [
    tried.ok
      ? { type: 'team.merge-rehearsed', activationId, mergeId, ...tried.value }
      : failedMerge({ activationId, mergeId }, tried.error),
  ]);
}

/** Makes a merge that the operator confirmed. Made a second time after a crash, it finds that nothing is left to do. */
export async function makeMerge(
  { merges, engine }: Parts,
  run: LiveRun,
  { activationId, mergeId }: About,
): Promise<void> {
  const about = { activationId, mergeId };
  const team = run.state.teams[activationId];
  const merge = team?.merges[mergeId];
  const member = team?.members[merge?.member ?? ''];
  const frozen = member?.stopped?.frozen ?? null;
  const rehearsal = merge?.rehearsal ?? null;
  if (merge === undefined || member === undefined || frozen === null || rehearsal === null) return;
  const made = await merges.merge({
    projectPath: run.state.projectPath,
    commit: frozen,
    choices: merge.choices,
    id: `${run.state.uid}/${activationId}/${mergeId}`,
    message: `Merge the work of ${member.name}\n\nTeam run ${run.state.name} (${run.state.uid}), ${member.rounds.length} rounds.`,
    rehearsed: rehearsal,
  });
  await engine.report(run, [made.ok ? outcomeOf(about, made.value) : failedMerge(about, made.error)]);
}

function outcomeOf(about: About, made: Made): RunEvent {
  if (made.kind === 'made') return { type: 'team.merged', ...about, commit: made.commit };
  const { kind: _, ...again } = made;
  return { type: 'team.merge-rehearsed', ...about, ...again };
}

const failedMerge = (about: About, error: AppError): RunEvent => ({
  type: 'team.merge-failed',
  ...about,
  error,
});

/** After a restart: what was being tried or made is begun again. */
export function recoverMerges(run: LiveRun, begin: (event: RunEvent) => void): void {
  for (const { activationId, merges } of Object.values(run.state.teams)) {
    for (const { id: mergeId, status, member, by, choices } of Object.values(merges)) {
      if (status === 'requested') begin({ type: 'team.merge-requested', activationId, mergeId, member, by });
      if (status === 'confirmed') begin({ type: 'team.merge-confirmed', activationId, mergeId, choices, by });
    }
  }
}
