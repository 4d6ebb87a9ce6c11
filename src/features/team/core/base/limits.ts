import { MINUTE_MS } from '@contract/time-units';
import type { ActivationView } from '@main/core/step/module';
import type { TeamKey } from '../../contract/keys';
import type { MemberState, TeamState } from '../../contract/state';
import type { TeamConfig } from '../config';

type View = ActivationView<TeamConfig>;

/** Its round limit is reached, and the operator has not raised it. */
export const limited = (view: View, member: MemberState): boolean =>
  isAtCap(member, roundsAllowed(view, member));

/** A continuing round counts its turns, so that endless questions reach the limit too. */
export function isAtCap({ stopping, rounds }: MemberState, allowed: number): boolean {
  const last = rounds.at(-1);
  if (stopping !== null) return false;
  return last !== undefined && last.result === null
    ? last.turnIds.length >= allowed
    : rounds.length >= allowed;
}

/** The limit, and as much again for each time that the operator raised it. */
export const roundsAllowed = (view: View, member: MemberState): number =>
  allowedFor(view.config, member, (about) => view.gateByKey(about)?.answer?.option ?? null);

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

/** Key of the gate that asks whether an agent may send more messages per minute. */
export const paceKey = (name: string, allowed: number): TeamKey => ['team.messages-allowed', name, allowed];

/**
 * The limit on an agent's messages per minute, and as much again for each time that the operator raised it.
 */
export function paceAllowed(
  { messages_per_minute: cap }: Pick<TeamConfig, 'messages_per_minute'>,
  name: string,
  answered: (about: TeamKey) => string | null,
): number {
  let allowed = cap;
  while (answered(paceKey(name, allowed)) === 'more') allowed += cap;
  return allowed;
}

/** Whether someone sent this many messages in the last minute. Searches no further than necessary. */
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
