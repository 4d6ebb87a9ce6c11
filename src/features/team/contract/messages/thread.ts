import { ownValue } from '@contract/own';
import { LEAD, OPERATOR } from '../events';
import type { TeamMessage, TeamState } from '../state';

/** The runtime's name as a speaker. */
export const MUSTER = 'muster';

/** Prefix of `about` for copies to a lead of messages to others, which the chat of all already contains. */
export const TOLD = 'told ';

const amongLeads = new Set<string>([LEAD, OPERATOR, MUSTER]);

/**
 * Whether a message belongs to a thread: `null` is everything in time order, `lead` what the operator, the
 * lead and the runtime say to each other, a name everything from or to that member.
 */
export function inThread(message: Pick<TeamMessage, 'from' | 'deliveries' | 'about'>, thread: string | null) {
  if (thread === null) return message.about?.startsWith(TOLD) !== true;
  const to = Object.keys(message.deliveries);
  if (thread === LEAD) return amongLeads.has(message.from) && to.every((name) => amongLeads.has(name));
  return message.from === thread || to.includes(thread);
}

/** A message as it was for one recipient; for anyone else, as last edited. */
export const textFor = ({ text, deliveries }: Pick<TeamMessage, 'text' | 'deliveries'>, who: string | null) =>
  (who === null ? undefined : ownValue(deliveries, who)?.got) ?? text;

/** The texts that differ from the last one, each with those who got it. */
export function earlierTexts({ text, deliveries }: Pick<TeamMessage, 'text' | 'deliveries'>) {
  const byText = new Map<string, string[]>();
  for (const { to, got } of Object.values(deliveries))
    if (got !== undefined && got !== text) byText.set(got, [...(byText.get(got) ?? []), to]);
  return [...byText].map(([got, names]) => ({ text: got, names }));
}

/**
 * The last messages of a thread before an id, oldest first. Searches from the end, so the cost does not grow
 * with earlier messages.
 */
export function threadPage(
  team: Pick<TeamState, 'messages' | 'last'>,
  { thread, before, limit }: { thread: string | null; before?: number | undefined; limit: number },
): { messages: TeamMessage[]; more: boolean } {
  const messages: TeamMessage[] = [];
  for (let id = Math.min(before ?? Number.POSITIVE_INFINITY, team.last.message + 1) - 1; id > 0; id -= 1) {
    const message = team.messages[id];
    if (message === undefined || !inThread(message, thread)) continue;
    if (messages.length === limit) return { messages: messages.reverse(), more: true };
    messages.push(message);
  }
  return { messages: messages.reverse(), more: false };
}

/** Number of a team's messages in a snapshot; older ones are read page by page. */
export const SNAPSHOT_MESSAGES = 300;

/**
 * A team without older messages: keeps the last ones, and those still waiting for someone. Does not modify
 * the given team.
 */
export const withLastMessages = (team: TeamState, keep = SNAPSHOT_MESSAGES): TeamState =>
  team.last.message > keep ? { ...team, messages: lastOf(team, keep) } : team;

function lastOf(team: TeamState, keep: number): TeamState['messages'] {
  const last: TeamState['messages'] = {};
  const take = (id: number): void => {
    const message = team.messages[id];
    if (message !== undefined) last[id] = message;
  };
  team.leadQueue.forEach(take);
  for (const member of Object.values(team.members)) member.queue.forEach(take);
  for (let id = Math.max(1, team.last.message - keep + 1); id <= team.last.message; id += 1) take(id);
  return last;
}
