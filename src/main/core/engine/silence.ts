import type { TurnResult } from '../ports/ports';
import type { EffectParts } from './effect-parts';
import { heardOf, type LiveRun } from './live-run';
import { observe } from './observed';

/** An agent of which nothing came for so long is not known to work. It is told of and never ended. */
export const QUIET_MS = 3 * 60_000;

interface Watched {
  readonly sessionId: number;
  readonly turnId: number;
  readonly result: Promise<TurnResult>;
  readonly failed: (cause: unknown) => void;
}

/** Waits for the end of a turn, and looks meanwhile whether its agent sends anything, where nobody else looks. */
export async function withSilenceTold(
  parts: EffectParts,
  run: LiveRun,
  { sessionId, turnId, result, failed }: Watched,
): Promise<TurnResult> {
  const begun = parts.clock.now();
  let cancel: () => void = () => undefined;
  const look = (): void => {
    const now = parts.clock.now();
    const since = Math.max(heardOf(run, turnId, now) ?? begun, begun);
    const silent = now - since >= QUIET_MS && !run.watched.has(sessionId);
    cancel = parts.clock.at(silent ? now + QUIET_MS : since + QUIET_MS, look);
    if (!silent) return;
    const reason =
      since === begun ? 'nothing came since the prompt was sent' : 'nothing came since its last update';
    const seen = { state: 'unknown', since, reason, screen: null } as const;
    observe(parts, run, { sessionId, turnId, seen }).catch(failed);
  };
  cancel = parts.clock.at(begun + QUIET_MS, look);
  try {
    return await result;
  } finally {
    cancel();
  }
}
