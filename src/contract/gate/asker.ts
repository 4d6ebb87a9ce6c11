import { LEAD } from '@features/team/contract/events';
import { gateMember } from '@features/team/contract/summary';
import { laneRole } from '../run/lane-role';
import type { GateState, RunState } from '../run/state';
import type { GateAsker } from './gate';
import type { GateRow } from './procedures';

type Asked = Pick<GateState, 'activationId' | 'turnId' | 'about'>;

/** A member of a team with its round, or the role of one of a step's agents. Null where the step has one agent only. */
export function askerOf(state: RunState, gate: Asked): GateAsker | null {
  const team = state.teams[gate.activationId ?? 0];
  if (team !== undefined) {
    const name = gateMember(state, team, gate);
    if (name === null || name === LEAD) return name === null ? null : { name };
    const rounds = Object.entries(team.members).find(([key]) => key === name)?.[1].rounds ?? [];
    const asked = rounds.find(({ turnIds }) => gate.turnId !== null && turnIds.includes(gate.turnId));
    const round = (asked ?? rounds.at(-1))?.round;
    return round === undefined ? { name } : { name, round };
  }
  const lane = state.turns[gate.turnId ?? 0]?.lane ?? null;
  if (lane === null) return null;
  const name = laneRole(state.definition, state.activations[gate.activationId ?? 0]?.stepId, lane);
  return name === lane ? null : { name };
}

type Asking = Pick<GateRow, 'asker' | 'agent'>;

/** Who asks: `ana, round 2 (Claude Code)`; the profile alone where a step has one agent; null for Muster itself. */
export function askerWords({ asker, agent }: Asking): string | null {
  if (asker === undefined) return agent;
  const name = asker.name === LEAD ? 'Lead' : asker.name;
  const round = asker.round === undefined ? '' : `, round ${asker.round}`;
  return `${name}${round}${agent === null || agent === asker.name ? '' : ` (${agent})`}`;
}

type Placed = Asking & Pick<GateRow, 'title' | 'stepTitle' | 'stepId' | 'runName' | 'projectName'>;

/**
 * Where a question comes from, from the requesting agent out to the project. What the title says is left out: the gates
 * of a loop or team that was started by itself begin with the one name of its step and run.
 */
export function gateOrigin(gate: Placed): string {
  const { title, stepTitle, stepId, runName, projectName } = gate;
  const isTold = (name: string | null): boolean => title === name || title.startsWith(`${name}:`);
  const names = [stepTitle ?? stepId, runName].filter((name) => !isTold(name));
  const parts = [askerWords(gate), ...names, projectName];
  return [...new Set(parts.filter((part) => part != null && part !== ''))].join(' · ');
}
