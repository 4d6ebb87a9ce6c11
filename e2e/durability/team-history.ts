import type { RunEvent, RunEventOf } from '@contract/run/events';
import { LEAD, OPERATOR } from '@features/team/contract/events';
import { memberLane } from '@features/team/contract/lanes/lanes';

type Message = RunEventOf<'team.message'>;

export interface TeamBreaches {
  /** Messages lost, doubled, out of order, or not among the words that the agent was given. */
  readonly messages: readonly string[];
  readonly rounds: readonly string[];
  readonly results: readonly string[];
}

/** What a team's history does not keep of SPEC "Teams". It is the history of a run that has ended. */
export function teamBreaches(events: readonly RunEvent[]): TeamBreaches {
  return {
    messages: [...wronglyDelivered(events), ...leftLying(events)],
    rounds: uncalledRounds(events),
    results: wrongResults(events),
  };
}

const messagesOf = (events: readonly RunEvent[]): Map<number, Message> =>
  new Map(events.flatMap((event) => (event.type === 'team.message' ? [[event.messageId, event]] : [])));

function wronglyDelivered(events: readonly RunEvent[]): string[] {
  const messages = messagesOf(events);
  const prompts = new Map<number, RunEventOf<'turn.dispatched'>>();
  const delivered = new Set<string>();
  const withdrawn = new Set<number>();
  const last = new Map<string, number>();
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === 'turn.dispatched') prompts.set(event.turnId, event);
    if (event.type === 'team.message-withdrawn') withdrawn.add(event.messageId);
    if (event.type !== 'team.delivered') continue;
    const turn = prompts.get(event.turnId);
    const lane = event.to === LEAD ? LEAD : memberLane(event.to);
    if (turn?.lane !== lane) wrong.push(`turn ${event.turnId} is not of ${event.to}`);
    let at = 0;
    for (const id of event.messageIds) {
      const name = `message ${id} to ${event.to}`;
      const message = messages.get(id);
      if (delivered.has(name)) wrong.push(`${name} delivered twice`);
      delivered.add(name);
      if (withdrawn.has(id)) wrong.push(`${name} delivered though it was taken back`);
      if (message?.to.includes(event.to) !== true) wrong.push(`${name} was not meant for it`);
      if ((last.get(event.to) ?? 0) >= id) wrong.push(`${name} out of order`);
      last.set(event.to, id);
      at = turn?.prompt.indexOf(message?.text ?? '', at) ?? -1;
      if (at < 0) wrong.push(`${name} does not stand in its place in turn ${event.turnId}`);
    }
  }
  return wrong;
}

/** An instruction is delivered, read, or taken back, unless the one that it is for has ended. */
function leftLying(events: readonly RunEvent[]): string[] {
  const gone = new Set<string>();
  const waiting = new Set<string>();
  for (const event of events) {
    if (event.type === 'team.message' && event.kind === 'instruction')
      for (const to of event.to) if (to !== OPERATOR) waiting.add(`${event.messageId} ${to}`);
    if (event.type === 'team.delivered')
      for (const id of event.messageIds) waiting.delete(`${id} ${event.to}`);
    if (event.type === 'team.seen')
      for (const id of event.messageIds) waiting.delete(`${id} ${event.reader}`);
    if (event.type === 'team.message-withdrawn')
      for (const one of waiting) if (one.startsWith(`${event.messageId} `)) waiting.delete(one);
    if (event.type === 'team.stopped') gone.add(event.member);
  }
  return [...waiting]
    .filter((one) => !gone.has(one.split(' ')[1] ?? ''))
    .map((one) => `message ${one} was never delivered`);
}

/** Each round begins with an instruction of the lead or the operator, or is the last one of who was released. */
function uncalledRounds(events: readonly RunEvent[]): string[] {
  const messages = messagesOf(events);
  const stopping = new Set<string>();
  return events.flatMap((event): string[] => {
    if (event.type === 'team.stopping') stopping.add(event.member);
    if (event.type !== 'team.delivered' || event.round === null) return [];
    const called = event.messageIds.some((id) => {
      const message = messages.get(id);
      return message?.kind === 'instruction' && [LEAD, OPERATOR].includes(message.from);
    });
    if (called || (event.final && stopping.has(event.to))) return [];
    return [`round ${event.round} of ${event.to} began without an instruction`];
  });
}

/** Each completed turn of a member is told as one result, in one message; nothing else is. */
function wrongResults(events: readonly RunEvent[]): string[] {
  const lanes = new Map<number, string>();
  const results = new Map<number, number>();
  const rounds = new Set<string>();
  const told = new Map<string, number>();
  const wrong: string[] = [];
  const completed: number[] = [];
  for (const event of events) {
    if (event.type === 'turn.dispatched' && event.kind !== 'operator')
      lanes.set(event.turnId, event.lane ?? '');
    if (event.type === 'turn.finished' && event.outcome === 'completed') completed.push(event.turnId);
    if (event.type === 'team.message' && event.kind === 'result')
      told.set(`${event.from} ${event.turnId}`, (told.get(`${event.from} ${event.turnId}`) ?? 0) + 1);
    if (event.type !== 'team.result') continue;
    results.set(event.turnId, (results.get(event.turnId) ?? 0) + 1);
    const round = `round ${event.round} of ${event.member}`;
    if (rounds.has(round)) wrong.push(`${round} has two results`);
    rounds.add(round);
  }
  for (const turnId of completed) {
    const lane = lanes.get(turnId) ?? '';
    if (!lane.startsWith('member-')) continue;
    const count = results.get(turnId) ?? 0;
    if (count !== 1) wrong.push(`turn ${turnId} of ${lane} is done and has ${count} results`);
    const messages = told.get(`${lane.slice('member-'.length)} ${turnId}`) ?? 0;
    if (messages !== 1) wrong.push(`the result of turn ${turnId} was told ${messages} times`);
  }
  return wrong;
}
