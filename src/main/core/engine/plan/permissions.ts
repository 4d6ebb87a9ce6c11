import {
  CANNOT_ASK_REFUSAL,
  fitsOwnCheckout,
  OWN_CHECKOUT_REFUSAL,
  wouldHaveToAsk,
} from '@areas/agents/contract/permission-capabilities';
import type { Problem } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { BoundStep } from '../../step/module';
import { problem } from './problems';
import type { PlanContext } from './types';

interface Asked {
  readonly id: string;
  readonly agents: BoundStep['agents'];
  readonly base: string;
  /** They work in the operator's own checkout. */
  readonly ownCheckout: boolean;
}

/** Agents of a step that would be refused at their start: they cannot ask, and would have to. */
export function permissionProblems(
  { id, agents, base, ownCheckout }: Asked,
  { profiles, defaultProfile }: Pick<PlanContext, 'profiles' | 'defaultProfile'>,
): Problem[] {
  return agents.flatMap((agent): Problem[] => {
    const profile = ownValue(profiles, agent.profileId ?? defaultProfile ?? '');
    if (profile === undefined) return [];
    const held = agent.readOnly === true ? { ...profile, read_only: true } : profile;
    const refusal =
      ownCheckout && !fitsOwnCheckout(held)
        ? OWN_CHECKOUT_REFUSAL
        : wouldHaveToAsk(held)
          ? CANNOT_ASK_REFUSAL
          : null;
    if (refusal === null) return [];
    const path = `${base}.${agent.path ?? 'acp_profile_id'}`;
    const { message, mend } = refusal;
    return [{ ...problem('agent.refused', `step "${id}": ${message(profile.name)}`, path), mend }];
  });
}
