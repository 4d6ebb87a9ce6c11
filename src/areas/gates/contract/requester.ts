import { laneFacts } from '@contract/run/features/feature-answers';
import { laneRole } from '@contract/run/lane/lane-role';
import { laneOfGate } from '@contract/run/lane/lane-turns';
import type { GateState, RunState } from '@contract/run/state';
import type { GateAsker } from './gate';
import type { GateRow } from './procedures';

type AskedBy = Pick<GateState, 'activationId' | 'turnId' | 'lane'>;

/** The asking agent: that of its lane with its round, or a role of the step. Null if the step has only one agent. */
export function requesterOf(state: RunState, gate: AskedBy): GateAsker | null {
  const lane = laneOfGate(state, gate);
  if (lane === null) return null;
  const { name, round } = laneFacts(state, gate.activationId ?? 0, lane);
  if (name !== undefined) return round === undefined ? { name } : { name, round };
  const role = laneRole(state, state.activations[gate.activationId ?? 0]?.stepId, lane);
  return role === lane ? null : { name: role };
}

type Asking = Pick<GateRow, 'asker' | 'agent'>;

/**
 * The asking agent in words: `ana, round 2 (Claude Code)`; only the profile if a step has one agent; null for
 * Muster itself.
 */
export function requesterWords({ asker, agent }: Asking): string | null {
  if (asker === undefined) return agent;
  const round = asker.round === undefined ? '' : `, round ${asker.round}`;
  return `${asker.name}${round}${agent === null || agent === asker.name ? '' : ` (${agent})`}`;
}

/**
 * The title without the name of its run, for places that show that name already. A loop or team that was started on its
 * own has one name for step and run, and its gates begin with it.
 */
export function gateHeadline({ title, runName }: Pick<GateRow, 'title' | 'runName'>): string {
  const start = `${runName}: `;
  if (!title.startsWith(start)) return title;
  const rest = title.slice(start.length);
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

type Placed = Asking & Pick<GateRow, 'title' | 'stepTitle' | 'stepId' | 'runName' | 'projectName'>;

/**
 * Where a question comes from, from the requesting agent out to the project. Leaves out what the title says:
 * gates of a loop or team that was started by itself begin with the name of its step and run.
 */
export function gateOrigin(gate: Placed): string {
  const { title, stepTitle, stepId, runName, projectName } = gate;
  const isNamed = (name: string | null): boolean => title === name || title.startsWith(`${name}:`);
  const names = [stepTitle ?? stepId, runName].filter((name) => !isNamed(name));
  const parts = [requesterWords(gate), ...names, projectName];
  return [...new Set(parts.filter((part) => part != null && part !== ''))].join(' · ');
}
