import { hostOf } from '@areas/hosts/contract/host-of';
import { lostAfterMs } from '@areas/hosts/contract/lost-after';
import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import { duration } from '@contract/time-words';

/** The connection to a host: up, or broken since then. */
export type HostSight = { readonly kind: 'up' } | { readonly kind: 'lost'; readonly since: number };

/** A turn in flight or a running command on a host. */
interface HostWork {
  readonly activationId: number;
  readonly turnId: number | null;
  readonly sessionId: number | null;
  readonly commandId: number | null;
  readonly startedAt: number;
}

const INTERRUPT = 'interrupt';
const about = (host: string): string => `host ${host}`;

/** What a run has at work on hosts, by the host's name. */
function hostWork(state: RunState): ReadonlyMap<string, readonly HostWork[]> {
  const found = new Map<string, HostWork[]>();
  const add = (host: string | null, work: HostWork): void => {
    if (host !== null) found.set(host, [...(found.get(host) ?? []), work]);
  };
  for (const turn of Object.values(state.turns)) {
    if (turn.status !== 'in_flight') continue;
    const { id: turnId, sessionId, activationId, startedAt } = turn;
    add(hostOf(state, turn), { activationId, turnId, sessionId, commandId: null, startedAt });
  }
  for (const command of Object.values(state.commands)) {
    if (command.status !== 'running') continue;
    const { id: commandId, activationId, startedAt } = command;
    add(hostOf(state, command), { activationId, turnId: null, sessionId: null, commandId, startedAt });
  }
  return found;
}

/** When the operator is asked about a host that cannot be reached; null if not. */
export function askAt(state: RunState, host: string): number | null {
  const lost = ownValue(state.lostHosts, host);
  const work = hostWork(state).get(host) ?? [];
  const asked = gatesOf(state, host);
  if (lost === undefined || work.length === 0 || asked.some(({ status }) => status === 'open')) return null;
  const begun = Math.min(...work.map(({ startedAt }) => startedAt));
  const answered = Math.max(0, ...asked.map(({ closedAt }) => closedAt ?? 0));
  return Math.max(lost.since, begun, answered) + lostAfterMs(state.definition.lost_after);
}

/** What a run records about the connections to its hosts. */
export function hostNews(
  state: RunState,
  sights: ReadonlyMap<string, HostSight>,
  now: number,
): readonly RunEvent[] {
  if (state.status === 'finished') return [];
  const events: RunEvent[] = [];
  for (const host of Object.keys(state.lostHosts))
    if (sights.get(host)?.kind === 'up') events.push({ type: 'host.reconnected', host });
  for (const [host, [first]] of hostWork(state)) {
    const sight = sights.get(host);
    if (ownValue(state.lostHosts, host) === undefined) {
      if (sight?.kind === 'lost') events.push({ type: 'host.disconnected', host, since: sight.since });
      continue;
    }
    const due = askAt(state, host);
    if (sight?.kind !== 'up' && due !== null && due <= now && first !== undefined && events.length === 0)
      events.push(lostGate(state, { host, first, now }));
  }
  return events;
}

function lostGate(
  state: RunState,
  { host, first, now }: { readonly host: string; readonly first: HostWork; readonly now: number },
): RunEventOf<'gate.opened'> {
  const since = ownValue(state.lostHosts, host)?.since ?? now;
  const { activationId, turnId, sessionId, commandId } = first;
  const after = duration(lostAfterMs(state.definition.lost_after));
  return {
    type: 'gate.opened',
    gateId: state.last.gate + 1,
    kind: 'host_lost',
    ...{ activationId, turnId, sessionId, commandId },
    title: `${host} has not been reached for ${duration(now - since)}`,
    message: `Work on ${host} continues there, as far as is known. Muster goes on trying to connect.`,
    evidence: null,
    request: null,
    about: about(host),
    why: null,
    options: [
      {
        id: 'wait',
        label: 'Keep waiting',
        effect: `Nothing changes. You are asked again after another ${after} without a connection.`,
        tone: 'approve',
      },
      {
        id: INTERRUPT,
        label: 'Count as interrupted',
        effect: `What the run has at work on ${host} counts as interrupted, and "on_interrupt" of its steps says what follows. If it still runs there, it is ended once ${host} is reached.`,
        tone: 'reject',
      },
    ],
  };
}

/** Whether the operator counts what runs on a host as interrupted. */
const givesUp = ({ kind, answer }: Pick<GateState, 'kind' | 'answer'>): boolean =>
  kind === 'host_lost' && answer?.option === INTERRUPT;

/** What was at work on its host when the operator gave it up with this gate. */
export function givenUp(state: RunState, gate: GateState): readonly HostWork[] {
  const { closedAt } = gate;
  if (!givesUp(gate) || closedAt === null) return [];
  for (const [host, work] of hostWork(state))
    if (gate.about === about(host)) return work.filter(({ startedAt }) => startedAt <= closedAt);
  return [];
}

/** The question is withdrawn when its host is reached again, or when nothing of the run works there any more. */
export function hostsFollow(state: RunState, event: RunEvent): readonly RunEvent[] {
  if (event.type === 'host.reconnected')
    return withdrawn(gatesOf(state, event.host), `The connection to ${event.host} is back.`);
  switch (event.type) {
    case 'turn.finished':
    case 'turn.interrupted':
    case 'command.finished':
    case 'command.interrupted': {
      const lost = Object.keys(state.lostHosts);
      if (lost.length === 0) return [];
      const work = hostWork(state);
      return lost.flatMap((host) =>
        work.has(host) ? [] : withdrawn(gatesOf(state, host), `Nothing of the run works on ${host} now.`),
      );
    }
    default:
      return [];
  }
}

const gatesOf = (state: RunState, host: string): GateState[] =>
  Object.values(state.gates).filter((gate) => gate.kind === 'host_lost' && gate.about === about(host));

const withdrawn = (gates: readonly GateState[], reason: string): RunEvent[] =>
  gates.flatMap(({ id: gateId, status }) =>
    status === 'open' ? [{ type: 'gate.withdrawn', gateId, reason }] : [],
  );
