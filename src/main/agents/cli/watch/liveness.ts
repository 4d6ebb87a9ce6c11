import { MINUTE_MS } from '@contract/time-units';
/** Known signs of life of a terminal agent; each may be missing, which never counts as a sign of death. */
export interface LifeSignals {
  readonly startedAt: number;
  /** When it reached its prompt; null before. */
  readonly readyAt: number | null;
  readonly exit: { readonly at: number; readonly how: string } | null;
  /** Start of the turn in flight; null between turns. */
  readonly turnAt: number | null;
  /** When it last printed something. */
  readonly outputAt: number | null;
  /** Its last report, from a hook or notification. */
  readonly told: {
    readonly at: number;
    readonly what: 'working' | 'waiting';
    readonly detail: string;
  } | null;
  /** A question on its screen that only the operator can answer. */
  readonly asks: { readonly at: number; readonly text: string } | null;
  /** When its processes were last active; null if unknown. */
  readonly processesAt: number | null;
  /**
   * Maximum age of the last sign of life, in milliseconds, for the agent to count as working, and as not
   * stalled.
   */
  readonly freshMs: number;
  readonly stallMs: number;
}

export type LifeState =
  | 'starting'
  | 'working'
  | 'waiting_for_input'
  | 'idle'
  | 'stalled'
  | 'exited'
  | 'unknown';

export interface Liveness {
  readonly state: LifeState;
  readonly since: number;
  readonly reason: string;
  /** Like `reason` for an agent without a sign of life, without the duration. */
  readonly silence?: string;
}

interface Sign {
  readonly at: number;
  readonly what: string;
}

/**
 * A terminal agent's state, from several signals. Any recent sign of life, and anything unknown, prevents
 * `stalled`: it requires old output, no report of the agent, and processes seen to be idle.
 */
export function agentLiveness(signals: LifeSignals, now: number): Liveness {
  const { asks, exit, readyAt, startedAt, turnAt } = signals;
  if (exit) return { state: 'exited', since: exit.at, reason: exit.how };
  if (asks) return { state: 'waiting_for_input', since: asks.at, reason: asks.text };
  if (readyAt === null)
    return { state: 'starting', since: startedAt, reason: 'it has not shown its prompt yet' };
  const { told } = signals;
  if (told?.what === 'waiting' && told.at >= (turnAt ?? 0)) {
    return { state: 'waiting_for_input', since: told.at, reason: told.detail };
  }
  if (turnAt === null) return { state: 'idle', since: readyAt, reason: 'it is at its prompt' };
  return inTurn(signals, turnAt, now);
}

function inTurn(signals: LifeSignals, turnAt: number, now: number): Liveness {
  const { freshMs, processesAt, stallMs } = signals;
  const last = lastSign(signals, turnAt);
  const age = now - last.at;
  if (age < freshMs) return { state: 'working', since: turnAt, reason: last.what };
  const unseen = processesAt === null ? ', and its processes are not visible' : '';
  return {
    state: processesAt === null || age < stallMs ? 'unknown' : 'stalled',
    since: last.at,
    reason: `no activity for ${seconds(age)}; before that, ${last.what}${unseen}`,
    silence: `no activity since ${last.what}${unseen}`,
  };
}

function lastSign({ outputAt, processesAt, told }: LifeSignals, turnAt: number): Sign {
  const signs: readonly (Sign | null)[] = [
    { at: turnAt, what: 'the prompt was sent' },
    outputAt === null ? null : { at: outputAt, what: 'it printed something' },
    processesAt === null ? null : { at: processesAt, what: 'its processes worked' },
    told && { at: told.at, what: `it reported: ${told.detail}` },
  ];
  return signs.reduce<Sign>((best, sign) => (sign && sign.at > best.at ? sign : best), signs[0] as Sign);
}

const seconds = (ms: number): string =>
  ms < 2 * MINUTE_MS ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / MINUTE_MS)} minutes`;
