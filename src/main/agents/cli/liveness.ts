import { MINUTE_MS } from '@contract/time-units';
/** What is known of a terminal agent; each part may be missing, and what is missing is never a sign of death. */
export interface LifeSignals {
  readonly startedAt: number;
  /** When it came to its prompt; null before. */
  readonly readyAt: number | null;
  readonly exit: { readonly at: number; readonly how: string } | null;
  /** Since when a turn is under way; null between turns. */
  readonly turnAt: number | null;
  /** When it last printed something. */
  readonly outputAt: number | null;
  /** What it last said itself, by a hook or a notification. */
  readonly told: {
    readonly at: number;
    readonly what: 'working' | 'waiting';
    readonly detail: string;
  } | null;
  /** A question that is on its screen and only the operator can answer. */
  readonly asks: { readonly at: number; readonly text: string } | null;
  /** When its processes last did something; null where they cannot be seen. */
  readonly processesAt: number | null;
  /** How old the last sign of life may be, in milliseconds, for the agent to count as working, and until it is stalled. */
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
  /** As `reason` where no sign of life comes, without how long that is so. */
  readonly silence?: string;
}

interface Sign {
  readonly at: number;
  readonly what: string;
}

/**
 * How a terminal agent is, from several signals. Any fresh sign of life vetoes `stalled`, and so does everything that is
 * not known: it takes old output, silence of the agent itself and processes that were seen to do nothing.
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
