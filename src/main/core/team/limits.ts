import type { MemberState, TeamState } from '@contract/team/state';
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

const MINUTE = 60_000;

/** What the question is known by whether an agent may send more than so many messages in a minute. */
export const paceName = (name: string, allowed: number): string => `pace ${name} ${allowed}`;

/** The cap on an agent's messages in a minute, and as much again for each time that the operator allowed it. */
export function paceAllowed(
  { messages_per_minute: cap }: Pick<TeamConfig, 'messages_per_minute'>,
  name: string,
  answered: (about: string) => string | null,
): number {
  let allowed = cap;
  while (answered(paceName(name, allowed)) === 'more') allowed += cap;
  return allowed;
}

/** Whether somebody has sent so many messages in the minute before. Looks back no further than it must. */
export function hasSent(
  { messages, last }: TeamState,
  { name, count, now }: { readonly name: string; readonly count: number; readonly now: number },
): boolean {
  let sent = 0;
  for (let id = last.message; id > 0; id -= 1) {
    const message = messages[id];
    if (message === undefined) continue;
    if (message.at <= now - MINUTE) return false;
    if (message.from === name && message.kind !== 'notice') sent += 1;
    if (sent >= count) return true;
  }
  return false;
}
