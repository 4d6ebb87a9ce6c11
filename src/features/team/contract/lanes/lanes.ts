import { LEAD } from '../events';
import type { TeamState } from '../state';

/** A member's lane; names may contain everything that a lane's id can. */
export const memberLane = (name: string): string => `member-${name}`;
export const LEAD_LANE = 'lead';

/** The lane of a member, or of the lead. */
export const agentLane = (name: string): string => (name === LEAD ? LEAD_LANE : memberLane(name));

/** The member that works in a lane, or `lead`; null for neither. */
export function agentOfLane(
  team: Pick<TeamState, 'members'> | undefined,
  lane: string | null,
): string | null {
  if (lane === LEAD_LANE) return LEAD;
  return Object.keys(team?.members ?? {}).find((name) => memberLane(name) === lane) ?? null;
}
