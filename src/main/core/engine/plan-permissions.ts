import { fitsOwnCheckout, OWN_CHECKOUT_REFUSAL } from '@contract/catalog/permission-capabilities';
import type { Problem } from '@contract/errors';
import { own } from '@contract/own';
import type { Plan, PlanContext } from './plan';

/**
 * Agents of a plan that cannot work in the operator's own checkout, before the run begins. No part of the plan's own
 * check: a run that began earlier goes on, and its session says the same.
 */
export function permissionProblems(
  plan: Plan,
  { profiles, defaultProfile }: Pick<PlanContext, 'profiles' | 'defaultProfile'>,
): Problem[] {
  if (plan.definition.workspace !== 'project') return [];
  return plan.definition.steps.flatMap(({ id }, index) =>
    (plan.steps.get(id)?.bound.agents ?? []).flatMap((agent): Problem[] => {
      const profile = own(profiles, agent.profileId ?? defaultProfile ?? '');
      if (profile === undefined) return [];
      const held = agent.readOnly === true ? { ...profile, read_only: true } : profile;
      if (fitsOwnCheckout(held)) return [];
      return [
        {
          code: 'agent.refused',
          severity: 'error',
          message: `step "${id}": ${OWN_CHECKOUT_REFUSAL.message(profile.name)}`,
          mend: OWN_CHECKOUT_REFUSAL.mend,
          where: { path: `steps[${index}].config.${agent.path ?? 'acp_profile_id'}` },
        },
      ];
    }),
  );
}
