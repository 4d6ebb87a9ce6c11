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

/** How many messages each has sent in the minute before. Looks back from the end, no further than that minute. */
export function sentInMinute({ messages, last }: TeamState, now: number): ReadonlyMap<string, number> {
  const sent = new Map<string, number>();
  for (let id = last.message; id > 0; id -= 1) {
    const message = messages[id];
    if (message === undefined) continue;
    if (message.at <= now - MINUTE) break;
    if (message.kind !== 'notice') sent.set(message.from, (sent.get(message.from) ?? 0) + 1);
  }
  return sent;
}
