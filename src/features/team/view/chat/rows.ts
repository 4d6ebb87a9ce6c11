import { ownValue } from '@contract/own';
import { laneOfGate, turnsByLane } from '@contract/run/lane/lane-turns';
import type { GateState, RunState, TurnState } from '@contract/run/state';
import type { StackRow } from '@renderer/ui/lists/stack';
import { LEAD, OPERATOR } from '../../contract/events';
import { teamKey } from '../../contract/keys';
import { agentOfLane, LEAD_LANE, memberLane } from '../../contract/lanes/lanes';
import { inThread } from '../../contract/messages/thread';
import type { MemberState, MergeState, RoundState, TeamMessage, TeamState } from '../../contract/state';
import { hasEnded } from '../../contract/status';
import { nameOf } from '../words';

interface TimedRow {
  /** Milliseconds since 1970; running turns are at the end. */
  readonly at: number;
}

export type ChatRow = StackRow &
  TimedRow &
  (
    | { readonly kind: 'earlier' }
    | { readonly kind: 'message'; readonly message: TeamMessage }
    | {
        readonly kind: 'result';
        readonly message: TeamMessage;
        readonly member: MemberState;
        /** Null if it came from no known round. */
        readonly round: RoundState | null;
        /** The next message counts for it. */
        readonly open: boolean;
      }
    | { readonly kind: 'happened'; readonly text: string; readonly why: string | null; readonly tone: Tone }
    | { readonly kind: 'gate'; readonly gate: GateState; readonly who: string | null }
    | { readonly kind: 'merge'; readonly merge: MergeState }
    | {
        readonly kind: 'live';
        readonly who: string;
        readonly turn: TurnState;
        /** It waits for the operator's answer. */
        readonly waits: boolean;
      }
  );
type Tone = 'plain' | 'done' | 'failed';

export interface ChatOf {
  readonly state: RunState;
  readonly team: TeamState;
  /** Null: everything. */
  readonly thread: string | null;
  /** Messages older than those in the run's state, oldest first. */
  readonly older: readonly TeamMessage[];
  /** There are still earlier ones. */
  readonly more: boolean;
}

/** At the same time, joining comes before messages to the new member. */
const rank = (row: ChatRow): number => (row.key.startsWith('join ') ? 0 : 1);

const NOW = Number.POSITIVE_INFINITY;

/** A team's chat: messages, deliveries, gates and decisions in time order; running turns at its end. */
export function chatRows(chat: ChatOf): ChatRow[] {
  const messages = messagesOf(chat);
  const said = messages.map((message) => messageRow(chat.team, message));
  const from = chat.more ? (messages[0]?.at ?? NOW) : 0;
  const between = [...happened(chat), ...gateRows(chat), ...mergeRows(chat)].filter(
    // Open gates are always included, however old.
    (row) => row.at >= from || row.kind === 'merge' || (row.kind === 'gate' && row.gate.status === 'open'),
  );
  const sorted = [...said, ...between].sort((a, b) => a.at - b.at || rank(a) - rank(b));
  const earlier: ChatRow[] = chat.more ? [{ key: 'earlier', guess: 44, at: 0, kind: 'earlier' }] : [];
  return [...earlier, ...sorted, ...liveRows(chat)];
}

/** The first id from which the state holds all messages; the page reads earlier ones. */
export function heldFrom({ messages, last }: Pick<TeamState, 'messages' | 'last'>): number {
  let id = last.message;
  while (id > 0 && messages[id] !== undefined) id -= 1;
  return id + 1;
}

function messagesOf({ team, thread, older }: ChatOf): TeamMessage[] {
  const from = heldFrom(team);
  // A waiting message may be edited: the state's version is the newest.
  const before = older.filter(({ id }) => id < from).map((message) => team.messages[message.id] ?? message);
  const held: TeamMessage[] = [];
  for (let id = from; id <= team.last.message; id += 1) {
    const message = team.messages[id];
    if (message !== undefined && inThread(message, thread)) held.push(message);
  }
  return [...before, ...held];
}

function messageRow(team: TeamState, message: TeamMessage): ChatRow {
  const base = { key: `m${message.id}`, at: message.at };
  const member = ownValue(team.members, message.from);
  if (message.kind !== 'result' || member === undefined)
    return { ...base, guess: message.kind === 'notice' ? 32 : 88, kind: 'message', message };
  const round = member.rounds.find(({ turnIds }) => turnIds.includes(message.turnId ?? 0)) ?? null;
  const open =
    round !== null &&
    round === member.rounds.at(-1) &&
    !isReplaced(team, message) &&
    round.result !== null &&
    member.stopping === null &&
    !hasEnded(member);
  return { ...base, guess: 180, kind: 'result', message, member, round, open };
}

/** The same turn delivered a later result, which counts. */
function isReplaced({ messages, last }: TeamState, { id, from, turnId }: TeamMessage): boolean {
  for (let next = id + 1; next <= last.message; next += 1) {
    const later = messages[next];
    if (later?.kind === 'result' && later.from === from && later.turnId === turnId) return true;
  }
  return false;
}

function happened({ team, thread }: ChatOf): ChatRow[] {
  return Object.values(team.members)
    .filter(({ name }) => thread === null || thread === name)
    .flatMap((member) => [...joinRows(member), ...ends(team, member)]);
}

interface Happened {
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly why?: string | null;
  readonly tone?: Tone;
}
const row = ({ id, at, text, why = null, tone = 'plain' }: Happened): ChatRow => ({
  key: id,
  guess: 32,
  at,
  kind: 'happened',
  text,
  why,
  tone,
});

function joinRows({ name, addedAt, by, rounds, released, plan }: MemberState): ChatRow[] {
  const joined = row({
    id: `join ${name}`,
    at: addedAt,
    text: `${name} joins`,
    why: `by ${by === OPERATOR ? 'you' : nameOf(by)}`,
  });
  const rows = [joined];
  const first = rounds[0];
  if (plan.status === 'approved' && first !== undefined)
    rows.push(row({ id: `plan ${name}`, at: first.startedAt, text: `The plan of ${name} is approved` }));
  if (released !== null) {
    const { at, how, by: who } = released;
    const satisfied = who === OPERATOR ? `You are satisfied with ${name}` : `${name} is released`;
    const text = how === 'satisfied' ? satisfied : `${name} is being shut down`;
    rows.push(row({ id: `release ${name}`, at, text, why: 'its last round follows', tone: 'done' }));
  }
  return rows;
}

function ends(team: TeamState, { name, stopped, failed, merged }: MemberState): ChatRow[] {
  const rows: ChatRow[] = [];
  if (stopped !== null)
    rows.push(row({ id: `stop ${name}`, at: stopped.at, text: `${name} has stopped`, why: stopped.reason }));
  if (failed !== null) {
    const why = failed.error.message;
    rows.push(row({ id: `fail ${name}`, at: failed.at, text: `${name} failed`, why, tone: 'failed' }));
  }
  if (merged !== null) {
    const target = Object.values(team.merges).findLast((merge) => merge.member === name)?.rehearsal?.target;
    const text = `${name} is merged${target === undefined ? '' : ` into ${target}`}`;
    const why = merged.commit === null ? 'there was nothing left to merge' : merged.commit.slice(0, 8);
    rows.push(row({ id: `merged ${name}`, at: merged.at, text, why, tone: 'done' }));
  }
  return rows;
}

const mergeOfGate = (team: TeamState, { about }: GateState): MergeState | null => {
  const key = teamKey.read(about ?? '');
  return key?.[0] === 'team.merge' ? (team.merges[key[1]] ?? null) : null;
};

/** The conflict card replaces a gate that only points to it; a declined merge can be requested again. */
const hasCard = (merge: MergeState): boolean =>
  merge.status === 'declined' ||
  (merge.status === 'rehearsed' && (merge.rehearsal?.conflicts.length ?? 0) > 0);

function gateRows({ state, team, thread }: ChatOf): ChatRow[] {
  return Object.values(state.gates)
    .filter((gate) => gate.activationId === team.activationId)
    .map((gate) => ({ gate, who: agentOfLane(team, laneOfGate(state, gate)) }))
    .filter(({ who }) => thread === null || who === thread)
    .filter(({ gate }) => {
      const merge = mergeOfGate(team, gate);
      return gate.status !== 'open' || merge === null || !hasCard(merge);
    })
    .map(({ gate, who }) => ({
      key: `g${gate.id}`,
      guess: 160,
      at: gate.openedAt,
      kind: 'gate',
      gate,
      who,
    }));
}

/** Each member's last merge, while something can be done about it. */
function mergeRows({ state, team, thread }: ChatOf): ChatRow[] {
  const last = new Map(Object.values(team.merges).map((merge) => [merge.member, merge]));
  return [...last.values()]
    .filter((merge) => (thread === null || thread === merge.member) && hasCard(merge))
    .map((merge) => {
      const gate = Object.values(state.gates).findLast((one) => mergeOfGate(team, one)?.id === merge.id);
      const at = gate?.openedAt ?? ownValue(team.members, merge.member)?.stopped?.at ?? 0;
      return { key: `merge${merge.id}`, guess: 200, at, kind: 'merge', merge };
    });
}

/** The turns in flight, at the end. */
function liveRows({ state, team, thread }: ChatOf): ChatRow[] {
  const lanes = turnsByLane(state, state.activations[team.activationId]);
  const whose = [LEAD, ...Object.keys(team.members)].filter((who) => thread === null || who === thread);
  const open = Object.values(state.gates).filter(({ status }) => status === 'open');
  const asking = new Set(open.map(({ turnId }) => turnId));
  return whose.flatMap((who): ChatRow[] => {
    const turn = lanes.get(who === LEAD ? LEAD_LANE : memberLane(who))?.at(-1);
    if (turn?.status !== 'in_flight') return [];
    const waits = asking.has(turn.id);
    return [{ key: `live${turn.id}`, guess: 116, at: NOW, kind: 'live', who, turn, waits }];
  });
}

/** The gate that the inbox's keys apply to: the only open one here. */
export function keyedGate(rows: readonly ChatRow[]): number | null {
  const open = rows.flatMap((one) =>
    one.kind === 'gate' && one.gate.status === 'open' ? [one.gate.id] : [],
  );
  return open.length === 1 ? (open[0] ?? null) : null;
}
