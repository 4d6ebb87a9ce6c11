import type { MemberState } from '@contract/team/state';
import type { ActivationView } from '../step/module';
import type { TeamConfig } from './config';

type View = ActivationView<TeamConfig>;

/** The cap on its rounds is reached, and the operator has not given it more. */
export function limited(view: View, member: MemberState): boolean {
  return !roundGoesOn(member) && member.rounds.length >= roundsAllowed(view, member);
}

const roundGoesOn = (member: MemberState): boolean =>
  member.stopping !== null || (member.rounds.at(-1) !== undefined && member.rounds.at(-1)?.result === null);

/** The cap, and as much again for each time that the operator allowed it. */
export function roundsAllowed(view: View, member: MemberState): number {
  const { max_rounds } = view.config;
  let allowed = max_rounds;
  while (view.asked(limitName(member, allowed))?.answer?.option === 'more') allowed += max_rounds;
  return allowed;
}

export const limitName = (member: MemberState, allowed: number): string => `rounds ${member.name} ${allowed}`;
