import { own } from '@contract/own';
import { ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { MessageKind } from '@contract/team/events';
import { LEAD, OPERATOR } from '@contract/team/events';
import type { TeamMessage, TeamState } from '@contract/team/state';
import { hasEnded } from '@contract/team/status';
import { leadIsAgent } from '../config';
import { planEvents } from '../gates';
import { hasSent, paceAllowed } from '../limits';
import { owesFinal, roundOfTurn } from '../queue';
import { hasTaskResult } from '../task-result';
import {
  activeMember,
  findMember,
  refuse,
  reply,
  statusOf,
  type ToolContext,
  type ToolResult,
} from './context';

const MOST_TEXT = 200_000;

/** The refusal of a text that nobody could be given to read; null where it is none. */
export const tooLong = (text: string): ToolResult | null =>
  text.length <= MOST_TEXT
    ? null
    : refuse('validation.config', `the message has ${text.length} characters; ${MOST_TEXT} are the most`);

/** The most messages that the caller may send in a minute, where it has sent as many; the operator is asked about it. */
function tooFast({ state, team, caller, config, now }: ToolContext): number | null {
  if (caller.role === 'operator') return null;
  const { name } = caller;
  if (!hasSent(team, { name, count: config.messages_per_minute, now })) return null;
  const answered = (about: string) =>
    Object.values(state.gates).findLast(
      (gate) => gate.activationId === team.activationId && gate.about === about,
    )?.answer?.option ?? null;
  const allowed = paceAllowed(config, name, answered);
  return hasSent(team, { name, count: allowed, now }) ? allowed : null;
}

interface Said {
  readonly to: readonly string[];
  readonly kind: MessageKind;
  readonly text: string;
  readonly about?: string;
}

export function messageEvent(context: ToolContext, said: Said, after = 0): RunEvent {
  const { team, caller } = context;
  return {
    type: 'team.message',
    activationId: team.activationId,
    messageId: team.last.message + 1 + after,
    from: caller.name,
    to: [...said.to],
    kind: said.kind,
    text: said.text,
    ...(said.about === undefined ? {} : { about: said.about }),
    ...(caller.turnId === null ? {} : { turnId: caller.turnId }),
  };
}

export interface MessageInput {
  readonly to: string;
  readonly text: string;
  readonly approve?: boolean | undefined;
  readonly reject?: boolean | undefined;
}

/** `team_message`: from lead or operator to a member it starts a round; from a member to the lead it is a result or a question. */
export function message(context: ToolContext, input: MessageInput): ToolResult {
  const { caller } = context;
  const text = input.text.trim();
  if (text === '' && input.approve !== true) return refuse('validation.config', 'the message is empty');
  const long = tooLong(text);
  if (long !== null) return long;
  const most = tooFast(context);
  if (most !== null)
    return refuse(
      'team.limit',
      `more than ${most} messages in a minute`,
      'wait for answers before you send more',
    );
  const to = input.to.trim().replace(/^@/, '');
  if ([LEAD, OPERATOR, 'user'].includes(to.toLowerCase())) return toLead(context, text);
  const member = activeMember(context, to);
  if (!member.ok) return member;
  if (member.value.name === caller.name)
    return refuse('team.not_allowed', 'a message to yourself goes nowhere');
  if (input.approve === true || input.reject === true) {
    if (caller.role === 'member') return refuse('team.not_allowed', 'only the lead decides on a plan');
    if (member.value.plan.status !== 'pending')
      return refuse('team.not_allowed', `${member.value.name} has no plan that waits`);
    const status = input.approve === true ? ('approved' as const) : ('rejected' as const);
    const { team } = context;
    const about = { activationId: team.activationId, team, member: member.value };
    return reply(`The plan of ${member.value.name} is ${status}.`, [
      ...planEvents(about, { status, reason: text === '' ? null : text, by: caller.name }),
    ]);
  }
  const { stopping, freezing } = member.value;
  const readsNoMore = stopping !== null && (stopping.force || !owesFinal(member.value));
  if (freezing !== null || readsNoMore)
    return refuse(
      'team.member_ended',
      `${member.value.name} is stopping: it reads no more messages`,
      'spawn another member',
    );
  const kind: MessageKind = caller.role === 'member' ? 'note' : 'instruction';
  const { word } = statusOf(context, member.value);
  const busy = word === 'working' || word === 'awaiting_permission' || word === 'stopping';
  const when =
    kind === 'note'
      ? `${member.value.name} reads it with its next instruction`
      : busy
        ? `queued behind the turn of ${member.value.name} that is in flight`
        : `delivered to ${member.value.name}`;
  return reply(`${when}.`, [messageEvent(context, { to: [member.value.name], kind, text })]);
}

function toLead(context: ToolContext, text: string): ToolResult {
  const { caller, config, team } = context;
  if (caller.role === 'lead') {
    // The lead's words to the user.
    return reply('The user sees it.', [messageEvent(context, { to: [OPERATOR], kind: 'note', text })]);
  }
  if (caller.role === 'operator') {
    if (!leadIsAgent(config)) return refuse('team.not_allowed', 'you lead this team: write to a member');
    return reply('Sent to the lead.', [messageEvent(context, { to: [LEAD], kind: 'instruction', text })]);
  }
  const lead = leadIsAgent(config) ? LEAD : OPERATOR;
  const result = hasTaskResult(text);
  const twice = result && Object.values(team.messages).some((one) => isTheSame(one, context, text));
  if (twice) return reply('Your result of this turn is stored already; nothing was sent again.');
  const iterative = own(team.members, caller.name)?.iterative === true;
  const next = iterative
    ? 'End your turn now and wait: the answer comes as your next message.'
    : 'End your turn now.';
  return reply(result ? `Your result is stored and delivered. ${next}` : 'Sent to the lead.', [
    messageEvent(context, { to: [lead], kind: result ? 'result' : 'note', text }),
  ]);
}

/** A second result of the same turn; or the same one again, in a turn that goes on with a round that was cut off. */
function isTheSame(one: TeamMessage, { caller, team }: ToolContext, text: string): boolean {
  if (one.kind !== 'result' || one.from !== caller.name || caller.turnId === null) return false;
  if (one.turnId === caller.turnId) return true;
  const round = own(team.members, caller.name)?.rounds.at(-1);
  return one.text === text && one.turnId !== null && round?.turnIds.includes(one.turnId) === true;
}

/** `team_broadcast`: to all others that have not ended; it wakes nobody. */
export function broadcast(context: ToolContext, { text }: { readonly text: string }): ToolResult {
  const { caller, config, team } = context;
  if (text.trim() === '') return refuse('validation.config', 'the message is empty');
  const long = tooLong(text);
  if (long !== null) return long;
  const most = tooFast(context);
  if (most !== null) return refuse('team.limit', `more than ${most} messages in a minute`);
  const members = Object.values(team.members).filter(
    (member) => !hasEnded(member) && member.name !== caller.name,
  );
  const lead = caller.role === 'lead' ? [] : leadIsAgent(config) ? [LEAD] : [OPERATOR];
  const to = [...members.map((member) => member.name), ...lead.filter((name) => name !== caller.name)];
  if (to.length === 0) return refuse('team.not_allowed', 'nobody else is in the team');
  return reply(`Sent to ${to.join(', ')}. It wakes nobody: each reads it with the next instruction.`, [
    messageEvent(context, { to, kind: 'note', text: text.trim() }),
  ]);
}

/**
 * `team_results`: what was delivered to this reader and not read yet, or the last rounds of one member. A member's
 * instructions are not read here: each begins a round, with the message that it comes with.
 */
export function results(context: ToolContext, { from }: { readonly from?: string | undefined }): ToolResult {
  const { team, caller } = context;
  const reader = caller.name;
  const whose = from === undefined ? null : senderOf(context, from);
  if (whose !== null && !whose.ok) return whose;
  const sender = whose?.value ?? null;
  const waiting = Object.values(team.messages).filter((one) => {
    const state = own(one.deliveries, reader)?.state;
    return (state === 'queued' || state === 'delivered') && (sender === null || one.from === sender);
  });
  const comes = (one: TeamMessage): boolean => caller.role === 'member' && one.kind === 'instruction';
  const unread = waiting.filter((one) => !comes(one));
  const later = waiting.filter((one) => comes(one) && own(one.deliveries, reader)?.state === 'queued').length;
  const seen: RunEvent[] =
    unread.length === 0
      ? []
      : [
          {
            type: 'team.seen',
            activationId: team.activationId,
            reader,
            messageIds: unread.map((one) => one.id),
          },
        ];
  const told = unread.map((one) => `From ${one.from} (${kindOf(team, one)}):\n${one.text}`);
  const rounds = sender === null ? [] : lastRounds(context, sender);
  const text = [
    ...told,
    ...rounds.filter((round) => !told.some((one) => one.includes(round))),
    ...(later === 0 ? [] : ['There are new instructions for you: they come when your turn ends.']),
  ].join('\n\n');
  return reply(text === '' ? 'Nothing that you have not read.' : text, seen);
}

function senderOf(context: ToolContext, from: string): Result<string> {
  const name = from.trim().replace(/^@/, '').toLowerCase();
  if (name === LEAD || name === OPERATOR) return ok(name);
  if (name === 'user') return ok(OPERATOR);
  const found = findMember(context, from.trim().replace(/^@/, ''));
  return found.ok ? ok(found.value.name) : found;
}

function kindOf({ members }: TeamState, { kind, from, turnId }: TeamMessage): string {
  const round = kind === 'result' ? roundOfTurn(own(members, from), turnId) : null;
  return round === null ? kind : `${kind}, round ${round}`;
}

function lastRounds({ team }: ToolContext, name: string): string[] {
  const member = own(team.members, name);
  return (member?.rounds ?? [])
    .slice(-2)
    .flatMap((round) =>
      round.result === null ? [] : [`${name}, round ${round.round}:\n${round.result.text}`],
    );
}
