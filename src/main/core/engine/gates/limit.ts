import type { RunState, TurnState } from '@contract/run/state';
import { LATEST_RESET_MS, PAST_RESET_MS, SHORT_RESET_MS, SOONEST_RESET_MS } from '../../../limits/core';
import { findGate } from './gates';

const MOST_SHORT = 5;

/**
 * When a limit ends, from the agent's report; null if the time is implausible, in which case the operator is
 * asked.
 */
export function resetTime(reported: number | null, now: number): number | null {
  if (reported === null || !Number.isFinite(reported)) return null;
  if (reported < now - PAST_RESET_MS || reported > now + LATEST_RESET_MS) return null;
  return Math.ceil(Math.max(reported, now + SOONEST_RESET_MS));
}

/**
 * Whether waiting has not helped: several times in a row the limit was due to end immediately, but did not.
 */
export function waitsInVain(state: RunState, turn: TurnState): boolean {
  let short = 0;
  let one: TurnState | undefined = turn;
  while (one !== undefined && isShort(one) && (one === turn || !wasAsked(state, one))) {
    short += 1;
    one = state.turns[one.resendOf ?? 0];
  }
  return short > MOST_SHORT;
}

const isShort = ({ status, limitResetsAt, finishedAt }: TurnState): boolean =>
  status === 'limit' && limitResetsAt !== null && limitResetsAt - (finishedAt ?? 0) < SHORT_RESET_MS;

/** The operator had it resent. */
const wasAsked = (state: RunState, turn: TurnState): boolean =>
  findGate(state, 'provider_limit', { turnId: turn.id }) !== null;
