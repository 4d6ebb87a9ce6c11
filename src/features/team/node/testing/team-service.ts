import type { RunService } from '@areas/runs/node/run-service';
import type { RunRow } from '@contract/run/procedures';
import { replay } from '@contract/run/reduce';
import { runStatus } from '@contract/run/status';
import { runRow } from '@main/api/testing/run-row';
import { member, openTeam, type TeamHarness } from '../../core/testing/team';
import { TeamService } from '../service';

export const at = { runId: 1, activationId: 1 };
export const iterative = (name: string, more: Record<string, unknown> = {}) =>
  member(name, { iterative: true, ...more });
export const byAgent = { lead: { agent: 'leader' } };

type Started = Parameters<RunService['startDefinition']>[0];

export function serve(team: TeamHarness, started: Started[] = []): TeamService {
  const state = (runId: number) => team.engine.live(runId)?.state ?? replay(team.log.read(runId));
  const row = (): RunRow => {
    const run = team.state();
    return runRow({
      uid: run.uid,
      name: run.name,
      status: runStatus(run),
      outcome: run.outcome,
      startedAt: 0,
      finishedAt: run.finishedAt,
      at: run.at,
    });
  };
  return new TeamService({
    engine: team.engine,
    runs: {
      startDefinition: async (wanted) => {
        started.push(wanted);
        return { ok: true, value: { runId: 7 } };
      },
    },
    templates: { list: async () => [], save: async () => ({ ok: true, value: { file: 'f' } }) },
    rows: () => ({ rows: [row()], more: true }),
    state,
    stateWithoutHistory: state,
    now: team.clock.now,
  });
}

export async function open(config: Record<string, unknown>) {
  const team = await openTeam(config);
  const started: Started[] = [];
  const service = serve(team, started);
  const say = async (to: string | null, text: string, meant?: 'release' | 'message') => {
    const said = await service.say({ ...at, to, text, meant });
    await team.idle();
    return said;
  };
  return { team, service, say, started };
}
export async function cancel(team: TeamHarness): Promise<void> {
  const asked = { type: 'run.cancel-requested', by: 'operator' } as const;
  await team.engine.command(1, () => ({ ok: true, value: [asked] }));
  await team.idle();
}
export const texts = (team: TeamHarness) =>
  Object.values(team.team.messages).map(({ from, kind, text }) => `${from} ${kind}: ${text}`);
export const code = (result: { ok: boolean; error?: { code: string } }) => result.error?.code ?? null;
