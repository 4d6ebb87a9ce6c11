import { z } from 'zod';
import { lazyObject } from '../../lazy-object';
import { type Definitions, stepDefinition } from '../scope/path';

/** The part of a step's config that names its agents; the rest belongs to its module. */
const agentsSchema = lazyObject(() => ({ agents: z.array(z.object({ role: z.string() })) }));

/**
 * The display name of a lane: its agent's role, `builder`, or the team member's name; else the lane's id. If
 * two agents of a step share a role, their number in the list is added: `builder 2`.
 */
export function laneRole(run: Definitions, stepId: string | undefined, lane: string): string {
  const member = /^member-(.+)$/.exec(lane)?.[1];
  if (member !== undefined) return member;
  const number = Number(/^agent-(\d+)$/.exec(lane)?.[1]);
  const config = agentsSchema.safeParse(stepDefinition(run, stepId ?? '')?.config);
  const agents = config.success ? config.data.agents : [];
  const role = agents[number - 1]?.role;
  if (role === undefined) return lane;
  return agents.filter((agent) => agent.role === role).length > 1 ? `${role} ${number}` : role;
}
