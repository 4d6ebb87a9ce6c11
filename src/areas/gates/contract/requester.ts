import { ownValue } from '@contract/own';
import type { AskedBy } from '@contract/run/features/feature';
import { laneRole } from '@contract/run/lane/lane-role';
import type { RunState } from '@contract/run/state';
import { features } from '@features/contract';
import type { GateAsker } from './gate';
import type { GateRow } from './procedures';

/**
 * The asking agent: a team member with its round, or a role of the step. Null if the step has only one agent.
 */
export function requesterOf(state: RunState, gate: AskedBy): GateAsker | null {
  for (const feature of features) {
    const asker = feature.requesterOf(state, gate);
    if (asker !== undefined) return asker;
  }
  const lane = state.turns[gate.turnId ?? 0]?.lane ?? null;
  if (lane === null) return null;
  const name = laneRole(state, state.activations[gate.activationId ?? 0]?.stepId, lane);
  return name === lane ? null : { name };
}

type Asking = Pick<GateRow, 'asker' | 'agent'>;

/**
 * The asking agent in words: `ana, round 2 (Claude Code)`; only the profile if a step has one agent; null for
 * Muster itself.
 */
export function requesterWords({ asker, agent }: Asking): string | null {
  if (asker === undefined) return agent;
  const titles = features.map(({ askerTitles }) => ownValue(askerTitles, asker.name));
  const name = titles.find((title) => title !== undefined) ?? asker.name;
  const round = asker.round === undefined ? '' : `, round ${asker.round}`;
  return `${name}${round}${agent === null || agent === asker.name ? '' : ` (${agent})`}`;
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
