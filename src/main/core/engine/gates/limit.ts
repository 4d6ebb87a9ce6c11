import type { RunState, TurnState } from '@contract/run/state';
import { LATEST_RESET_MS, PAST_RESET_MS, SHORT_RESET_MS, SOONEST_RESET_MS } from '../../../limits/core';
import { findGate } from './gates';

const MOST_SHORT = 5;

/** When a limit ends, of what an agent told about it; null where that cannot be so, and the operator is asked. */
export function resetTime(told: number | null, now: number): number | null {
  if (told === null || !Number.isFinite(told)) return null;
  if (told < now - PAST_RESET_MS || told > now + LATEST_RESET_MS) return null;
  return Math.ceil(Math.max(told, now + SOONEST_RESET_MS));
}

/** Whether waiting has not helped: the limit was to end within a moment, and did not, several times in a row. */
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

/** The operator had it sent again. */
const wasAsked = (state: RunState, turn: TurnState): boolean =>
  findGate(state, 'provider_limit', { turnId: turn.id }) !== null;
