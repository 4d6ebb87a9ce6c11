import { claimSchema } from '@areas/sessions/contract/task-result';
import { counted } from '@contract/counted';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import type { MessageKind } from '../../contract/events';
import { LEAD, OPERATOR } from '../../contract/events';
import { type TeamKey, teamKey } from '../../contract/keys';
import { readRelease } from '../../contract/messages/release';
import type { MemberState, TeamMessage, TeamState } from '../../contract/state';
import { hasEnded, hasReported, isPlanning } from '../../contract/status';
import { allowedFor, hasSent, isAtCap, paceAllowed } from '../base/limits';
import { leadIsAgent } from '../config';
import { planEvents } from '../gates/plans';
import { owesFinal } from '../messages/queue';
import { hasTaskResult, unknownStatus } from '../messages/task-result';
import { activeMember, isUser, refuse, reply, statusOf, type ToolContext, type ToolResult } from './context';

const MOST_TEXT = 200_000;

const claims = claimSchema.options.filter((claim) => claim !== 'none');

/** Refuses a text that is too long to be read; null if it is not. */
export const tooLong = (text: string): ToolResult | null =>
  text.length <= MOST_TEXT
    ? null
    : refuse('validation.config', `the message has ${text.length} characters; ${MOST_TEXT} are the most`);

/** The operator's last answer to a gate of the team, by key. */
const answered =
  (state: RunState, { activationId }: TeamState) =>
  (key: TeamKey): string | null => {
    const about = teamKey.text(key);
    const gates = Object.values(state.gates);
    return (
      gates.findLast((gate) => gate.activationId === activationId && gate.about === about)?.answer?.option ??
      null
    );
  };

/** The caller's message limit per minute, if it is reached; the operator is then asked. */
function tooFast({ state, team, caller, config, now }: ToolContext): number | null {
  if (caller.role === 'operator') return null;
  const { name } = caller;
  if (!hasSent(team, { name, count: config.messages_per_minute, now })) return null;
  const allowed = paceAllowed(config, name, answered(state, team));
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

interface MessageInput {
  readonly to: string;
  readonly text: string;
  readonly approve?: boolean | undefined;
  readonly reject?: boolean | undefined;
}

/**
 * `team_message`: from lead or operator to a member it starts a round; from a member to the lead it is a
 * result or a question.
 */
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
  if ([LEAD, OPERATOR].includes(to.toLowerCase()) || isUser(context, to)) return toLead(context, text);
  const member = activeMember(context, to);
  if (!member.ok) return member;
  if (member.value.name === caller.name)
    return refuse('team.not_allowed', 'a message to yourself goes nowhere');
  if (input.approve === true || input.reject === true) {
    if (input.approve === true && input.reject === true)
      return refuse('validation.config', 'approve and reject exclude each other');
    return decidePlan(context, { member: member.value, approve: input.approve === true, text });
  }
  const { stopping, freezing } = member.value;
  const readsNoMore = stopping !== null && (stopping.force || !owesFinal(member.value));
  if (freezing !== null || readsNoMore)
    return refuse(
      'team.member_ended',
      `${member.value.name} is stopping: it reads no more messages`,
      'spawn another member',
    );
  const mayBeReleased = member.value.iterative && stopping === null;
  if (caller.role === 'lead' && mayBeReleased && saysSatisfied(member.value.name, text))
    return refuse(
      'team.not_allowed',
      `only the user can be satisfied with ${member.value.name}: your words release no one`,
      'tell the user what you think of the result, and wait for their answer',
    );
  if (hasReported(member.value) && caller.role !== 'member') return stored(context, member.value, text);
  const kind: MessageKind = caller.role === 'member' ? 'note' : 'instruction';
  const { name } = member.value;
  const when =
    kind === 'note' ? `${name} reads it with its next instruction` : whenRead(context, member.value);
  return reply(`${when}.`, [messageEvent(context, { to: [name], kind, text })]);
}

/** Words that release a member when the operator says them. Sent on by a lead, they would begin another round. */
const saysSatisfied = (name: string, text: string): boolean =>
  readRelease(text, { members: [name], to: name }).some(({ sure, how }) => sure && how === 'satisfied');

/** When a member will read an instruction sent now. */
function whenRead(context: ToolContext, member: MemberState): string {
  const { state, team, config } = context;
  const { name, queue } = member;
  const allowed = allowedFor(config, member, answered(state, team));
  if (isAtCap(member, allowed))
    return `held: ${name} has used its ${counted(allowed, 'round')}, and the user is asked whether it gets more`;
  const { word } = statusOf(context, member);
  if (word === 'awaiting_operator' && isPlanning(member)) return `held until the plan of ${name} is decided`;
  const before = queue.filter((id) => team.messages[id]?.kind === 'instruction').length;
  const place = before === 0 ? '' : `, number ${before + 1} in its queue`;
  const busy = word === 'working' || word === 'awaiting_permission' || word === 'stopping';
  if (busy) return `queued behind the turn of ${name} that is in flight${place}`;
  return before > 0 ? `queued for ${name}${place}` : `delivered to ${name}`;
}

/** Thanks and afterthoughts do not wake a one-shot member that has reported (SPEC "One-shot members"). */
function stored(context: ToolContext, { name }: MemberState, text: string): ToolResult {
  const rounds =
    context.caller.role === 'operator'
      ? 'add a member in iterative mode'
      : 'spawn a member with iterative: true';
  return reply(
    `Stored, but not delivered: ${name} is one-shot and has reported, so no message wakes it. To work in rounds, ${rounds}.`,
    [messageEvent(context, { to: [name], kind: 'note', text })],
  );
}

/** Only the operator approves a plan: until then the member may only read. A lead may send one back. */
function decidePlan(
  context: ToolContext,
  { member, approve, text }: { member: MemberState; approve: boolean; text: string },
): ToolResult {
  const { caller, state, team } = context;
  if (caller.role === 'member') return refuse('team.not_allowed', 'only the lead decides on a plan');
  if (member.plan.status !== 'pending')
    return refuse('team.not_allowed', `${member.name} has no plan that waits`);
  if (caller.role === 'lead' && approve)
    return refuse(
      'team.not_allowed',
      `only the user approves a plan: the plan of ${member.name} waits in their inbox`,
      'tell the user what you think of it, or send it back with reject: true and a reason',
    );
  const reason = text === '' ? null : text;
  const { activationId } = team;
  const gate = Object.values(state.gates).findLast(
    (one) => one.activationId === activationId && one.status === 'open' && isPlanOf(one, member.name),
  );
  const done = `The plan of ${member.name} is ${approve ? 'approved' : 'sent back'}.`;
  if (caller.role === 'operator' && gate !== undefined) {
    const answer = { option: approve ? 'approve' : 'reject', ...(reason === null ? {} : { reason }) };
    return reply(done, [{ type: 'gate.resolved', gateId: gate.id, answer, by: OPERATOR }]);
  }
  if (approve) return refuse('team.not_allowed', `the plan of ${member.name} is not asked about yet`);
  const about = { activationId, team, member };
  return reply(done, planEvents(about, { status: 'rejected', reason, by: caller.name }));
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
  const broken = result ? unknownStatus(text) : null;
  if (broken !== null)
    return refuse(
      'validation.config',
      `status="${broken}" is not a status of a task result; nothing was sent`,
      `use one of: ${claims.join(', ')}, or leave the status out`,
    );
  const twice = result && Object.values(team.messages).some((one) => isTheSame(one, context, text));
  if (twice) return reply('Your result of this turn is stored already; nothing was sent again.');
  const replaced = result ? outdated(context) : [];
  const iterative = ownValue(team.members, caller.name)?.iterative === true;
  const next = iterative
    ? 'End your turn now and wait: the answer comes as your next message.'
    : 'End your turn now.';
  const first = replaced.length === 0 ? 'is stored and delivered' : 'replaces the one you sent before';
  return reply(result ? `Your result ${first}. ${next}` : 'Sent to the lead.', [
    ...replaced,
    messageEvent(context, { to: [lead], kind: result ? 'result' : 'note', text }),
  ]);
}

/** The same result again: in the same turn, or in one that continues an interrupted round. */
function isTheSame(one: TeamMessage, { caller, team }: ToolContext, text: string): boolean {
  if (one.kind !== 'result' || one.from !== caller.name || caller.turnId === null) return false;
  if (one.text !== text || one.turnId === null) return false;
  const round = ownValue(team.members, caller.name)?.rounds.at(-1);
  return one.turnId === caller.turnId || round?.turnIds.includes(one.turnId) === true;
}

/** Earlier unread results of the same turn, whose last result counts. */
function outdated({ caller, team }: ToolContext): RunEvent[] {
  const { activationId } = team;
  return Object.values(team.messages).flatMap((one): RunEvent[] =>
    one.kind === 'result' &&
    one.from === caller.name &&
    caller.turnId !== null &&
    one.turnId === caller.turnId &&
    Object.values(one.deliveries).some(({ state }) => state === 'queued')
      ? [{ type: 'team.message-withdrawn', activationId, messageId: one.id, by: caller.name }]
      : [],
  );
}

/** `team_broadcast`: to all others that have not ended; wakes no one. */
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
  if (to.length === 0) return refuse('team.not_allowed', 'no one else is in the team');
  return reply(
    `Sent to ${to.join(', ')}. It starts no round: each member reads it with the next instruction.`,
    [messageEvent(context, { to, kind: 'note', text: text.trim() })],
  );
}

function isPlanOf({ about }: GateState, name: string): boolean {
  const key = teamKey.read(about ?? '');
  return key?.[0] === 'team.plan' && key[1] === name;
}
