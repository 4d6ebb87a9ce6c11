import { ownValue } from '@contract/own';
import { ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { LEAD, OPERATOR } from '../../contract/events';
import type { TeamMessage, TeamState } from '../../contract/state';
import { roundOfTurn } from '../messages/queue';
import { findMember, isUser, refuse, reply, type ToolContext, type ToolResult } from './context';

/** Maximum characters in one answer; a single longer text is still returned whole. */
const MOST_AT_ONCE = 100_000;

interface ResultFilter {
  readonly from?: string | undefined;
  readonly round?: number | undefined;
}

/**
 * `team_results`: what this reader has not read yet, all rounds of one member, or one of its rounds. What
 * does not fit into one answer stays unread. Instructions to a member are not read here, since each begins a
 * round.
 */
export function results(context: ToolContext, { from, round }: ResultFilter): ToolResult {
  const { team } = context;
  const whose = from === undefined ? null : senderOf(context, from);
  if (whose !== null && !whose.ok) return whose;
  const sender = whose?.value ?? null;
  if (round !== undefined) return oneRound(team, sender, round);
  const { unread, later } = waitingFor(context, sender);
  const fitting = thatFit(unread, ({ text }) => text.length);
  const seen: RunEvent = {
    type: 'team.seen',
    activationId: team.activationId,
    reader: context.caller.name,
    messageIds: fitting.map((one) => one.id),
  };
  const rest = unread.length - fitting.length;
  const used = fitting.reduce((sum, one) => sum + one.text.length, 0);
  const texts = [
    ...fitting.map((one) => `From ${one.from} (${kindOf(team, one)}):\n${one.text}`),
    ...(sender === null ? [] : earlierRounds(team, sender, { unread, room: MOST_AT_ONCE - used })),
    ...(rest === 0 ? [] : [`${rest} more that you have not read: call team_results again.`]),
    ...(later ? ['There are new instructions for you: they come when your turn ends.'] : []),
  ];
  const text = texts.length === 0 ? 'Nothing that you have not read.' : texts.join('\n\n');
  return reply(text, fitting.length === 0 ? [] : [seen]);
}

/** The reader's unread messages, and whether instructions wait for the end of its turn. */
function waitingFor({ team, caller }: ToolContext, sender: string | null) {
  const reader = caller.name;
  const waiting = Object.values(team.messages).filter((one) => {
    const state = ownValue(one.deliveries, reader)?.state;
    return (state === 'queued' || state === 'delivered') && (sender === null || one.from === sender);
  });
  const begins = (one: TeamMessage): boolean => caller.role === 'member' && one.kind === 'instruction';
  return {
    unread: waiting.filter((one) => !begins(one)),
    later: waiting.some((one) => begins(one) && ownValue(one.deliveries, reader)?.state === 'queued'),
  };
}

/** The first items that fit into the space, but at least one. */
function thatFit<T>(items: readonly T[], lengthOf: (item: T) => number, room = MOST_AT_ONCE): T[] {
  let remaining = room;
  const end = items.findIndex((item, index) => {
    remaining -= lengthOf(item);
    return remaining < 0 && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

function senderOf(context: ToolContext, from: string): Result<string> {
  const name = from.trim().replace(/^@/, '').toLowerCase();
  if (name === LEAD || name === OPERATOR) return ok(name);
  if (isUser(context, name)) return ok(OPERATOR);
  const found = findMember(context, from.trim().replace(/^@/, ''));
  return found.ok ? ok(found.value.name) : found;
}

function kindOf({ members }: TeamState, { kind, from, turnId }: TeamMessage): string {
  const round = kind === 'result' ? roundOfTurn(ownValue(members, from), turnId) : null;
  return round === null ? kind : `${kind}, round ${round}`;
}

interface Delivered {
  readonly round: number;
  readonly text: string;
}

const delivered = (team: TeamState, name: string): Delivered[] =>
  (ownValue(team.members, name)?.rounds ?? []).flatMap(({ round, result }) =>
    result === null ? [] : [{ round, text: result.text }],
  );

const shown = (name: string, { round, text }: Delivered): string => `${name}, round ${round}:\n${text}`;

/** The rounds read before, oldest first; for those that do not fit, how to read them. */
function earlierRounds(
  team: TeamState,
  name: string,
  { unread, room }: { unread: readonly TeamMessage[]; room: number },
): string[] {
  const member = ownValue(team.members, name);
  const coming = unread.map(({ turnId }) => roundOfTurn(member, turnId));
  const rounds = delivered(team, name).filter(({ round }) => !coming.includes(round));
  const newest = rounds.toReversed();
  const first = newest[0];
  const fitting =
    first === undefined || (unread.length > 0 && first.text.length > room)
      ? []
      : thatFit(newest, ({ text }) => text.length, room);
  const omitted = rounds.length - fitting.length;
  const named = rounds.slice(0, omitted).map(({ round }) => round);
  return [
    ...(omitted === 0
      ? []
      : [
          `Not shown: round ${named.join(', ')} of ${name}. Call team_results with from and round to read one.`,
        ]),
    ...fitting.reverse().map((one) => shown(name, one)),
  ];
}

function oneRound(team: TeamState, name: string | null, round: number): ToolResult {
  if (name === null) return refuse('validation.config', 'round needs from', 'name the member with from');
  const rounds = delivered(team, name);
  const found = rounds.find((one) => one.round === round);
  if (found !== undefined) return reply(shown(name, found));
  const known = rounds.map((one) => one.round).join(', ');
  return refuse(
    'not_found',
    `${name} has not delivered round ${round}`,
    known === '' ? 'it has delivered none yet' : `it has delivered: ${known}`,
  );
}
