import type { TurnResponse } from '@areas/sessions/contract/response';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import type { RunState, TurnState } from '@contract/run/state';
import type { TurnLeft, TurnResult } from '../../ports/ports';

const ENDED = 'Muster ended while it was in flight';
const PROCESS_ENDED = 'its process ended with Muster';

/** A command without an end in the log, and when it began. */
export interface BegunCommand {
  readonly event: RunEventOf<'command.started'>;
  readonly at: number;
}

/** What survived a core: commands by number, and sessions by number. */
export interface ReattachedWork {
  readonly commands: readonly number[];
  readonly sessions: ReadonlyMap<number, FoundSession>;
  /** Effects to repeat; events decided by the recovery start their own effects. */
  readonly unended: readonly RunEvent[];
}

export type FoundSession =
  | {
      readonly kind: 'lives';
      /** The turn that was in flight, and its state. */
      readonly turnId: number | null;
      readonly left: TurnLeft | null;
      /** From here on it may report. */
      readonly release: () => void;
    }
  /** It survived, but is gone now. */
  | { readonly kind: 'gone'; readonly why: string };

export type PartialResponse = Pick<TurnResponse, 'response'> & Partial<TurnResponse>;

export interface Found {
  /** A turn's partial response when it was interrupted. */
  readonly partialResponse: (turnId: number) => PartialResponse;
  /** The last time that interrupted work was known to run; absent if unknown. */
  readonly workedUntil?: number;
  /** Whether an unfinished command will still end, because it runs or its result is waiting. */
  readonly survives: (commandId: number) => boolean;
  /** A session whose program is alive; null if it ended with the core. */
  readonly session: (sessionId: number) => FoundSession | null;
}

/**
 * The events for a run that was left unfinished: every unfinished turn and command was interrupted and every
 * session lost its process, except those that survived the core. Never guesses what they did.
 */
export function interruptions(state: RunState, found: Found): RunEvent[] {
  const events: RunEvent[] = [];
  const until = found.workedUntil === undefined ? {} : { workedUntil: found.workedUntil };
  for (const turn of Object.values(state.turns)) {
    const reason = turn.status === 'in_flight' ? cutOff(turn, found.session(turn.sessionId)) : null;
    if (reason !== null) events.push(interrupted(turn.id, reason, { ...found, until }));
  }
  for (const command of Object.values(state.commands)) {
    if (command.status === 'running' && !found.survives(command.id))
      events.push({ type: 'command.interrupted', commandId: command.id, reason: ENDED, ...until });
  }
  for (const { id: sessionId, status } of Object.values(state.sessions)) {
    if (status !== 'starting' && status !== 'resuming' && status !== 'ready') continue;
    const one = found.session(sessionId);
    if (one?.kind === 'lives')
      events.push({ type: 'session.reattached', sessionId, turnId: continuedTurn(one) });
    else events.push({ type: 'session.lost', sessionId, reason: one?.why ?? PROCESS_ENDED });
  }
  return events;
}

function interrupted(
  turnId: number,
  reason: string,
  { partialResponse, until }: Pick<Found, 'partialResponse'> & { readonly until: { workedUntil?: number } },
): RunEvent {
  const { response: partial, toolCalls } = partialResponse(turnId);
  const calls = toolCalls === undefined ? {} : { toolCalls };
  return { type: 'turn.interrupted', turnId, reason, partial, ...calls, ...until };
}

/** Ends a turn whose terminal host or guard died while Muster continued. */
export const cutOffByHost = (
  turnId: number,
  { interrupted, response, toolCalls }: TurnResult & { readonly interrupted: string },
  workedUntil: number,
): RunEvent => ({
  type: 'turn.interrupted',
  turnId,
  reason: interrupted,
  partial: response,
  workedUntil,
  hostDied: true,
  ...(toolCalls === undefined ? {} : { toolCalls }),
});

/** Why a turn in flight was interrupted; null if it continues. */
function cutOff(turn: TurnState, found: FoundSession | null): string | null {
  if (found === null) return ENDED;
  if (found.kind === 'gone') return `${ENDED}; ${found.why}`;
  if (found.left?.kind === 'cut') return found.left.reason;
  return found.turnId === turn.id ? null : ENDED;
}

const continuedTurn = ({ turnId, left }: Extract<FoundSession, { kind: 'lives' }>): number | null =>
  left === null || left.kind === 'cut' ? null : turnId;

/** Unfinished commands in terminals: only a terminal can survive a core. */
export function begunInTerminals(state: RunState, log: () => Iterable<StoredEvent>): BegunCommand[] {
  const open = Object.values(state.commands).some((one) => one.status === 'running' && one.terminal);
  if (!open) return [];
  const begun: BegunCommand[] = [];
  for (const { at, event } of log()) {
    if (
      event.type === 'command.started' &&
      event.terminal &&
      state.commands[event.commandId]?.status === 'running'
    )
      begun.push({ event, at });
  }
  return begun;
}
