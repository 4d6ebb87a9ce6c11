import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { LEAD, OPERATOR } from '../../contract/events';
import { LEAD_LANE, memberLane } from '../../contract/lanes/lanes';
import { addressOf } from '../../contract/messages/address';
import { type ReleaseWords, releasesIn, takesMessages } from '../../contract/messages/release';
import { TOLD } from '../../contract/messages/thread';
import { leadIsAgent } from '../config';
import { satisfied, type ToolContext, type ToolReply, toolOf } from '../tools';
import { findMember, refuse } from '../tools/context';
import { messageEvent } from '../tools/messages';

/**
 * The effect of the operator's words; if `asks` is set because they are ambiguous, there is no other effect.
 */
export interface Spoken extends ToolReply {
  readonly asks: readonly ReleaseWords[];
}

export interface Saying {
  readonly to: string | null;
  readonly text: string;
  readonly meant?: 'release' | 'message' | undefined;
  /** Which of the members in question are meant. Required if there are several. */
  readonly release?: readonly string[] | undefined;
}

/** Sent to all, it would say nothing to anyone. */
const ONLY_ADDRESS = /^@[A-Za-z0-9-]+[,:;]?$/;

const tell = (context: ToolContext, name: string, input: unknown): Result<ToolReply> => {
  const tool = toolOf(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.call(context, input);
};

/** Combines several replies on the same state, numbering their messages consecutively. */
function together({ team }: Pick<ToolContext, 'team'>, replies: readonly ToolReply[]): ToolReply {
  let messageId = team.last.message;
  const events = replies
    .flatMap((reply) => reply.events)
    .map((event): RunEvent => {
      if (event.type !== 'team.message') return event;
      messageId += 1;
      return { ...event, messageId };
    });
  return { events, text: replies.map((reply) => reply.text).join(' ') };
}

/**
 * The operator's message in the team's chat (SPEC "Teams"). `@name` or `NAME:` at the start addresses that
 * member, and the lead is told. Words that release a member release it; ambiguous ones are confirmed first.
 * Errors: `team.unknown_member`, `team.member_ended`, `team.not_allowed`.
 */
export function speak(context: ToolContext, saying: Saying): Result<Spoken> {
  if (ONLY_ADDRESS.test(saying.text.trim())) return refuse('validation.config', 'the message is empty');
  const addressed = addressee(context, saying);
  if (!addressed.ok) return addressed;
  const { to, text } = addressed.value;
  const release = saying.meant === 'message' ? [] : releasesIn(context.team, { to, text });
  const doubtful = release.filter((words) => !words.sure);
  const chosen = chosenOf(doubtful, saying);
  if (chosen === null) return ok({ events: [], text: '', asks: doubtful });
  const meant = release.filter((words) => words.sure || chosen.includes(words.member));
  const sent =
    meant.length > 0 ? releaseMembers(context, { to, text, release: meant }) : send(context, to, text);
  return sent.ok ? ok({ ...sent.value, asks: [] }) : sent;
}

/**
 * The members in doubt that the operator confirmed; null if one must still be asked about. Each answer is for
 * one member.
 */
function chosenOf(doubtful: readonly ReleaseWords[], { meant, release }: Saying): readonly string[] | null {
  if (doubtful.length === 0) return [];
  if (meant !== 'release') return null;
  if (release !== undefined) return release;
  return doubtful.length === 1 ? doubtful.map(({ member }) => member) : null;
}

function addressee(context: ToolContext, { to, text }: Saying): Result<{ to: string | null; text: string }> {
  const address = addressOf(text, Object.keys(context.team.members));
  const named = address?.rest === '' ? null : address;
  const name = named?.name ?? to;
  const rest = named?.rest ?? text;
  if (name === null) return ok({ to: leadIsAgent(context.config) ? LEAD : null, text: rest });
  if (name.toLowerCase() === LEAD) return ok({ to: LEAD, text: rest });
  const found = findMember(context, name);
  return found.ok ? ok({ to: found.value.name, text: rest }) : found;
}

/** Sends the message; a lead agent reads messages to others along, without being woken. */
function send(context: ToolContext, to: string | null, text: string): Result<ToolReply> {
  if (to === null) return tell(context, 'team_broadcast', { text });
  const sent = tell(context, 'team_message', { to, text });
  if (!sent.ok || to === LEAD || !leadIsAgent(context.config)) return sent;
  return ok(together(context, [sent.value, { events: [noticeOfMessage(context, to, text)], text: '' }]));
}

const noticeOfMessage = (context: ToolContext, to: string, text: string): RunEvent =>
  messageEvent(context, {
    to: [LEAD, OPERATOR],
    kind: 'note',
    text: `To ${to}, directly: ${text}`,
    about: `${TOLD}${to}`,
  });

interface Release {
  readonly to: string | null;
  readonly text: string;
  readonly release: readonly ReleaseWords[];
}

function releaseMembers(context: ToolContext, { to, text, release }: Release): Result<ToolReply> {
  const replies: ToolReply[] = [];
  for (const { member, how } of release) {
    const done = satisfied(context, { member, how, words: text });
    if (!done.ok) return done;
    replies.push(done.value);
  }
  // There is no one left to release, so nothing to say either.
  if (replies.every((reply) => reply.events.length === 0)) return ok(together(context, replies));
  return ok(together(context, [{ events: [words(context, { to, text, release })], text: '' }, ...replies]));
}

/** The operator's exact words, if they can still be read. */
function words(context: ToolContext, { to, text, release }: Release): RunEvent {
  if (to === LEAD) return messageEvent(context, { to: [LEAD], kind: 'instruction', text });
  const last = release.flatMap(({ member }) => {
    const known = ownValue(context.team.members, member);
    return known !== undefined && takesMessages(known) ? [member] : [];
  });
  return messageEvent(context, { to: last.length > 0 ? last : [OPERATOR], kind: 'note', text });
}

/**
 * Ends a turn in flight, and sends the waiting messages next, followed by the text. Words that release a
 * member do so here as well; if they are ambiguous, only the question follows.
 */
export function interrupt(
  context: ToolContext,
  { member: name, text, meant, release }: { readonly member: string } & Omit<Saying, 'to'>,
): Result<Spoken> {
  const { state, team } = context;
  const to = name.toLowerCase() === LEAD ? ok({ name: LEAD }) : findMember(context, name);
  if (!to.ok) return to;
  const lane = to.value.name === LEAD ? LEAD_LANE : memberLane(to.value.name);
  const turnIds = state.activations[team.activationId]?.turnIds ?? [];
  const turn = turnIds.map((id) => state.turns[id]).findLast((one) => one?.lane === lane);
  const inFlight = turn?.status === 'in_flight';
  if (!inFlight && text.trim() === '') return fail('conflict', `${to.value.name} has no running turn`);
  const sent =
    text.trim() === '' ? null : speak(context, { to: to.value.name, text: text.trim(), meant, release });
  if (sent?.ok === false) return sent;
  if (sent !== null && sent.value.asks.length > 0) return sent;
  const cancel: RunEvent[] =
    inFlight && turn.cancelledBy === null
      ? [{ type: 'turn.cancel-requested', turnId: turn.id, by: OPERATOR }]
      : [];
  const stopped = { events: cancel, text: `The turn of ${to.value.name} is ended.` };
  return ok({ ...together(context, [...(sent === null ? [] : [sent.value]), stopped]), asks: [] });
}
