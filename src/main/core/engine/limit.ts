import type { RunState, TurnState } from '@contract/run/state';
import { findGate } from './gates';

/** No earlier: a limit that ends now would have the turn sent again and again without a pause. */
const SOONEST_MS = 1000;
/** A moment further back is none at which a limit ends; it was told of something else. */
const PAST_MS = 60_000;
/** Longer than any month for which a provider counts. */
const LATEST_MS = 62 * 24 * 60 * 60_000;
/** So often in a row a turn is sent again by itself after a wait as short as this. */
const SHORT_MS = 60_000;
const MOST_SHORT = 5;

/** When a limit ends, of what an agent told about it; null where that cannot be so, and the operator is asked. */
export function resetTime(told: number | null, now: number): number | null {
  if (told === null || !Number.isFinite(told)) return null;
  if (told < now - PAST_MS || told > now + LATEST_MS) return null;
  return Math.ceil(Math.max(told, now + SOONEST_MS));
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
  status === 'limit' && limitResetsAt !== null && limitResetsAt - (finishedAt ?? 0) < SHORT_MS;

/** The operator had it sent again. */
const wasAsked = (state: RunState, turn: TurnState): boolean =>
  findGate(state, 'provider_limit', { turnId: turn.id }) !== null;
