import { ownValue, setOwnValue } from '@contract/own';
import type { Plan } from '@main/core/engine/plan/plan';
import { allSteps } from '@main/core/engine/plan/tree';
import type { AgentRef } from '@main/core/step/decision';
import type { AgentProfile } from '../contract/profile';

const agentsOf = (plan: Plan): AgentRef[] => allSteps(plan).flatMap((step) => [...step.bound.agents]);

/** Whether a step uses the default profile. */
export const usesDefault = (plan: Plan): boolean =>
  agentsOf(plan).some(({ profileId }) => profileId === null);

/** The profiles that the steps name; all existing ones if a step may add agents. */
export function usedProfiles(
  plan: Plan,
  profiles: Readonly<Record<string, AgentProfile>>,
): Record<string, AgentProfile> {
  if (allSteps(plan).some((step) => step.bound.spawns)) return { ...profiles };
  const used: Record<string, AgentProfile> = {};
  for (const { profileId } of agentsOf(plan)) {
    const profile = ownValue(profiles, profileId ?? plan.defaultProfile ?? '');
    if (profile) setOwnValue(used, profile.id, profile);
  }
  return used;
}
