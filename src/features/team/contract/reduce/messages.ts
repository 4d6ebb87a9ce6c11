import { ownValue, setOwnValue } from '@contract/own';
import type { OfType, Reducers } from '@contract/run/event-table';
import { LEAD, OPERATOR, type TeamEvent } from '../events';
import type { Delivery, RoundState, TeamMessage, TeamState } from '../state';
import { changeMember, inTeam, type Teams } from './change';

type MessageEvent = Extract<
  TeamEvent,
  {
    type: 'team.message' | 'team.message-edited' | 'team.message-withdrawn' | 'team.delivered' | 'team.seen';
  }
>;

export const messageReducers: Reducers<Teams, MessageEvent> = {
  'team.message': inTeam(queueMessage),
  'team.message-edited': inTeam((team, { messageId, text }) => {
    const message = team.messages[messageId];
    if (message) team.messages[message.id] = { ...message, text, edited: true, deliveries: settled(message) };
  }),
  'team.message-withdrawn': inTeam((team, { messageId }, at) => {
    const message = team.messages[messageId];
    for (const to of Object.keys(message?.deliveries ?? {})) {
      if (ownValue(message?.deliveries, to)?.state !== 'queued') continue;
      become(team, messageId, { to, state: 'withdrawn', at });
      unqueue(team, to, [messageId]);
    }
  }),
  'team.delivered': inTeam((team, event, at) => {
    for (const id of event.messageIds)
      become(team, id, { to: event.to, state: 'delivered', turnId: event.turnId, at });
    unqueue(team, event.to, event.messageIds);
    if (event.to !== LEAD) deliverRound(team, event, at);
  }),
  'team.seen': inTeam((team, { messageIds, reader }, at) => {
    for (const id of messageIds) become(team, id, { to: reader, state: 'seen', at });
    unqueue(team, reader, messageIds);
  }),
};

/** The deliveries of a message that is about to be edited: who has it keeps the text that it got. */
function settled({ deliveries, text }: TeamMessage): TeamMessage['deliveries'] {
  const kept: Record<string, Delivery> = {};
  for (const one of Object.values(deliveries)) {
    const has = one.to !== OPERATOR && one.state !== 'queued' && one.state !== 'withdrawn';
    setOwnValue(kept, one.to, has ? { got: text, ...one } : one);
  }
  return kept;
}

function queueMessage(team: TeamState, event: OfType<TeamEvent, 'team.message'>, at: number): void {
  const { messageId: id, from, kind, text } = event;
  team.last.message = Math.max(team.last.message, id);
  const deliveries: Record<string, Delivery> = {};
  for (const to of event.to) {
    // The operator reads in the window, so nothing is queued.
    const state = to === OPERATOR ? 'delivered' : 'queued';
    if (to === LEAD) {
      team.leadSent += 1;
      deliveries[to] = { to, seq: team.leadSent, state, turnId: null, at };
      team.leadQueue = [...team.leadQueue, id];
    } else if (to === OPERATOR) {
      deliveries[to] = { to, seq: id, state, turnId: null, at };
    } else if (ownValue(team.members, to) !== undefined) {
      changeMember(team, to, (member) => {
        setOwnValue(deliveries, to, { to, seq: member.sent + 1, state, turnId: null, at });
        return { sent: member.sent + 1, queue: [...member.queue, id] };
      });
    }
  }
  const message: TeamMessage = {
    id,
    from,
    kind,
    text,
    at,
    deliveries,
    about: event.about ?? null,
    turnId: event.turnId ?? null,
    edited: false,
  };
  team.messages[id] = message;
}

/** The turn that carries messages begins a round, or continues the last one. */
function deliverRound(team: TeamState, event: OfType<TeamEvent, 'team.delivered'>, at: number): void {
  changeMember(team, event.to, (member) => {
    const { round, turnId, final } = event;
    if (round === null) {
      const last = member.rounds.at(-1);
      if (last === undefined) return {};
      const more = {
        turnIds: [...last.turnIds, turnId],
        messageIds: [...last.messageIds, ...event.messageIds],
      };
      return { rounds: [...member.rounds.slice(0, -1), { ...last, ...more }] };
    }
    const begun: RoundState = {
      round,
      final,
      startedAt: at,
      turnIds: [turnId],
      messageIds: event.messageIds,
      result: null,
      finishedAt: null,
    };
    return { rounds: [...member.rounds, begun], stalled: null };
  });
}

interface Step {
  readonly to: string;
  readonly state: Delivery['state'];
  readonly turnId?: number;
  readonly at: number;
}

function become(team: TeamState, messageId: number, { to, state, turnId, at }: Step): void {
  const message = team.messages[messageId];
  const delivery = ownValue(message?.deliveries, to);
  if (!message || !delivery) return;
  const next: Delivery = { ...delivery, state, at, turnId: turnId ?? delivery.turnId };
  team.messages[messageId] = { ...message, deliveries: { ...message.deliveries, [to]: next } };
}

function unqueue(team: TeamState, to: string, ids: readonly number[]): void {
  const left = (queue: readonly number[]) => queue.filter((id) => !ids.includes(id));
  if (to === LEAD) team.leadQueue = left(team.leadQueue);
  else changeMember(team, to, (member) => ({ queue: left(member.queue) }));
}

/** Messages delivered with a successful turn were acted on. */
export function acted(team: TeamState, to: string, messageIds: readonly number[]): void {
  for (const id of messageIds) {
    const delivery = ownValue(team.messages[id]?.deliveries, to);
    if (delivery?.state === 'delivered') become(team, id, { to, state: 'acted', at: delivery.at });
  }
}
