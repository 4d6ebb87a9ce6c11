import type { AppError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { ok } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { EffectParts } from '@main/core/engine/base/effect-parts';
import type { LiveRun } from '@main/core/engine/base/live-run';
import type { MergeMade } from '@main/core/ports/workspaces/merges';
import { newerWork, stateLeft, workAgain } from './freeze';

type About = Pick<RunEventOf<'team.merge-requested'>, 'activationId' | 'mergeId'>;
type Parts = Pick<EffectParts, 'merges' | 'engine' | 'workspaces'>;

/** Rehearses a member's merge without touching the checkout. */
export async function rehearseMerge(
  parts: Parts,
  run: LiveRun,
  { activationId, mergeId }: About,
): Promise<void> {
  const { merges, engine } = parts;
  const team = run.state.teams[activationId];
  const member = team?.merges[mergeId]?.member ?? '';
  const stopped = ownValue(team?.members, member)?.stopped ?? null;
  const read =
    stopped?.unread === undefined ? ok(null) : await workAgain(parts, run, { activationId, member });
  if (!read.ok) return engine.report(run, [failedMerge({ activationId, mergeId }, read.error)]);
  const frozen = stopped?.frozen ?? read.value;
  if (frozen === null)
    return engine.report(run, [{ type: 'team.merged', activationId, mergeId, commit: null }]);
  const commit = (await newerWork(parts, run.state, { activationId, member, known: frozen })) ?? frozen;
  const left = await stateLeft(parts, run.state, { activationId, member });
  if (left.unsettled !== null)
    return engine.report(run, [failedMerge({ activationId, mergeId }, left.unsettled)]);
  const notes = left.notes.length === 0 ? {} : { notes: [...left.notes] };
  const tried = await merges.rehearse({ projectPath: run.state.projectPath, commit });
  await engine.report(run, [
    tried.ok
      ? { type: 'team.merge-rehearsed', activationId, mergeId, ...tried.value, ...notes }
      : failedMerge({ activationId, mergeId }, tried.error),
  ]);
}

/** Makes a confirmed merge. If repeated after a crash, it finds nothing left to do. */
export async function makeMerge(parts: Parts, run: LiveRun, { activationId, mergeId }: About): Promise<void> {
  const { merges, engine } = parts;
  const about = { activationId, mergeId };
  const team = run.state.teams[activationId];
  const merge = team?.merges[mergeId];
  const member = ownValue(team?.members, merge?.member ?? '');
  const rehearsal = merge?.rehearsal ?? null;
  const commit = rehearsal?.commit ?? member?.stopped?.frozen ?? null;
  if (merge === undefined || member === undefined || commit === null || rehearsal === null) return;
  const newer = await newerWork(parts, run.state, { activationId, member: member.name, known: commit });
  const made = await merges.merge({
    projectPath: run.state.projectPath,
    commit,
    newer,
    choices: merge.choices,
    id: `${run.state.uid}/${activationId}/${mergeId}`,
    message: `Merge the work of ${member.name}\n\nTeam run ${run.state.name} (${run.state.uid}), ${member.rounds.length} rounds.`,
    rehearsed: rehearsal,
    sign: run.state.projectSettings?.sign,
  });
  await engine.report(run, [made.ok ? outcomeOf(about, made.value) : failedMerge(about, made.error)]);
}

function outcomeOf(about: About, made: MergeMade): RunEvent {
  if (made.kind === 'made') return { type: 'team.merged', ...about, commit: made.commit };
  const { kind: _, ...again } = made;
  return { type: 'team.merge-rehearsed', ...about, ...again };
}

export const failedMerge = ({ activationId, mergeId }: About, error: AppError): RunEvent => ({
  type: 'team.merge-failed',
  activationId,
  mergeId,
  error,
});
