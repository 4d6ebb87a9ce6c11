import { fitsOwnCheckout, OWN_CHECKOUT_REFUSAL } from '@contract/catalog/permission-capabilities';
import type { Problem } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { BoundStep } from '../../step/module';
import type { PlanContext } from './types';

/** Agents of a step, or of a step in its body, that cannot work in the operator's own checkout. */
export function permissionProblems(
  { id, agents, base }: { readonly id: string; readonly agents: BoundStep['agents']; readonly base: string },
  { profiles, defaultProfile }: Pick<PlanContext, 'profiles' | 'defaultProfile'>,
): Problem[] {
  return agents.flatMap((agent): Problem[] => {
    const profile = ownValue(profiles, agent.profileId ?? defaultProfile ?? '');
    if (profile === undefined) return [];
    const held = agent.readOnly === true ? { ...profile, read_only: true } : profile;
    if (fitsOwnCheckout(held)) return [];
    return [
      {
        code: 'agent.refused',
        severity: 'error',
        message: `step "${id}": ${OWN_CHECKOUT_REFUSAL.message(profile.name)}`,
        mend: OWN_CHECKOUT_REFUSAL.mend,
        where: { path: `${base}.${agent.path ?? 'acp_profile_id'}` },
      },
    ];
  });
}
