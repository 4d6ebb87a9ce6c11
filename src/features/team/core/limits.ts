import { MINUTE_MS } from '@contract/time-units';
import type { ActivationView } from '@main/core/step/module';
import type { TeamKey } from '../contract/keys';
import type { MemberState, TeamState } from '../contract/state';
import type { TeamConfig } from './config';

type View = ActivationView<TeamConfig>;

/** The cap on its rounds is reached, and the operator has not given it more. */
export const limited = (view: View, member: MemberState): boolean =>
  isAtCap(member, roundsAllowed(view, member));

/** A round that continues with answers counts its turns, so that questions without end come to the cap as well. */
export function isAtCap({ stopping, rounds }: MemberState, allowed: number): boolean {
  const last = rounds.at(-1);
  if (stopping !== null) return false;
  return last !== undefined && last.result === null
    ? last.turnIds.length >= allowed
    : rounds.length >= allowed;
}

/** The cap, and as much again for each time that the operator allowed it. */
export const roundsAllowed = (view: View, member: MemberState): number =>
  allowedFor(view.config, member, (about) => view.asked(about)?.answer?.option ?? null);

export function allowedFor(
  { max_rounds }: Pick<TeamConfig, 'max_rounds'>,
  member: MemberState,
  answered: (about: TeamKey) => string | null,
): number {
  let allowed = max_rounds;
  while (answered(limitKey(member, allowed)) === 'more') allowed += max_rounds;
  return allowed;
}

export const limitKey = (member: MemberState, allowed: number): TeamKey => [
  'team.rounds-allowed',
  member.name,
  allowed,
];

/** Key of the question whether an agent may send more than this many messages in a minute. */
export const paceKey = (name: string, allowed: number): TeamKey => ['team.messages-allowed', name, allowed];

/** The cap on an agent's messages in a minute, and as much again for each time that the operator allowed it. */
export function paceAllowed(
  { messages_per_minute: cap }: Pick<TeamConfig, 'messages_per_minute'>,
  name: string,
  answered: (about: TeamKey) => string | null,
): number {
  let allowed = cap;
  while (answered(paceKey(name, allowed)) === 'more') allowed += cap;
  return allowed;
}

/** Whether someone has sent so many messages in the minute before. Looks back no further than it must. */
export function hasSent(
  { messages, last }: TeamState,
  { name, count, now }: { readonly name: string; readonly count: number; readonly now: number },
): boolean {
  let sent = 0;
  for (let id = last.message; id > 0; id -= 1) {
    const message = messages[id];
    if (message === undefined) continue;
    if (message.at <= now - MINUTE_MS) return false;
    if (message.from === name && message.kind !== 'notice') sent += 1;
    if (sent >= count) return true;
  }
  return false;
}
