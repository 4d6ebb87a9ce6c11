import { fail, ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { ask, type CoreCalls } from '@main/api/core-service';
import type { TeamState } from '../contract/state';
import { type TeamRow, teamIsLive, teamRow } from '../contract/summary';

/** A team as found by a caller, with its run's current state. */
export interface FoundTeam {
  readonly run: RunRow;
  readonly state: RunState;
  readonly team: TeamState;
  /** The location that a team's procedures take. */
  readonly place: { readonly runId: number; readonly activationId: number };
  readonly row: TeamRow;
}

/** A run's team: the only one, the only active one, or that of the named step. */
export async function findTeam(
  core: CoreCalls,
  { run: name, step }: { readonly run: string; readonly step?: string | undefined },
): Promise<Result<FoundTeam>> {
  const run = await ask(core, 'run.find', { name });
  if (!run.ok) return run;
  const fullRun = await ask(core, 'run.get', { runId: run.value.id });
  if (!fullRun.ok) return fullRun;
  const { state } = fullRun.value;
  const stepOf = ({ activationId }: TeamState): string => state.activations[activationId]?.stepId ?? '';
  // For a step that ran several times, its last team.
  const teams = [...new Map(Object.values(state.teams).map((team) => [stepOf(team), team])).values()];
  const live = teams.filter(({ activationId }) => teamIsLive(state, activationId));
  const named = step === undefined ? teams : teams.filter((team) => stepOf(team) === step);
  const [team, ...others] = step === undefined && live.length === 1 ? live : named;
  if (team === undefined) {
    const which = step === undefined ? 'no team' : `no team in step "${step}"`;
    return fail('not_found', `run ${run.value.id} has ${which}`);
  }
  if (others.length > 0) {
    const names = teams.map((one) => `${run.value.id}/${stepOf(one)}`).join(', ');
    return fail('input.invalid', `run ${run.value.id} has ${teams.length} teams`, {
      mend: `name one: ${names}`,
    });
  }
  const { id: runId, uid: runUid, name: runName, projectName, status } = run.value;
  return ok({
    run: run.value,
    state,
    team,
    place: { runId, activationId: team.activationId },
    row: teamRow(state, team, { runId, runUid, runName, projectName, status }),
  });
}
