import { LEAD, OPERATOR } from './events';
import type { TeamMessage, TeamState } from './state';

/** What the runtime speaks as. */
export const MUSTER = 'muster';

/** Begins the `about` of what a lead is told of words that went past it: the chat of all has those words already. */
export const TOLD = 'told ';

const amongLeads = new Set<string>([LEAD, OPERATOR, MUSTER]);

/**
 * Whether a message is in a thread: `null` is everything in time order, `lead` what the operator, the lead and the
 * runtime say to each other, a name all that goes from or to that member.
 */
export function inThread(message: Pick<TeamMessage, 'from' | 'deliveries' | 'about'>, thread: string | null) {
  if (thread === null) return message.about?.startsWith(TOLD) !== true;
  const to = Object.keys(message.deliveries);
  if (thread === LEAD) return amongLeads.has(message.from) && to.every((name) => amongLeads.has(name));
  return message.from === thread || to.includes(thread);
}

/**
 * The last messages of a thread before an id, oldest first. Looks back from the end: what it costs does not grow with
 * what was said earlier.
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

/** A team's messages in a snapshot; older ones are read page by page. */
export const SNAPSHOT_MESSAGES = 300;

/**
 * A team without the messages that no one looks at first: the last ones stay, and those that still wait for someone.
 * The maps of the given team are left as they are.
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
