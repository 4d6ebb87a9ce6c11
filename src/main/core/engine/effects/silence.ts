import { QUIET_AGENT_MS } from '../../../limits/core';
import type { TurnResult } from '../../ports/ports';
import type { EffectParts } from '../base/effect-parts';
import { heardOf, type LiveRun } from '../base/live-run';
import { observe } from './agent-observations';

interface Watched {
  readonly sessionId: number;
  readonly turnId: number;
  readonly result: Promise<TurnResult>;
  readonly failed: (cause: unknown) => void;
}

/** Waits for a turn's end, and reports the agent's silence meanwhile if nothing else observes it. */
export async function withSilenceReported(
  parts: EffectParts,
  run: LiveRun,
  { sessionId, turnId, result, failed }: Watched,
): Promise<TurnResult> {
  const begun = parts.clock.now();
  let cancel: () => void = () => undefined;
  let due = begun + QUIET_AGENT_MS;
  let awake = begun;
  const look = (): void => {
    const now = parts.clock.now();
    // The clock advances while the machine sleeps, but its agents do not.
    if (now - due > QUIET_AGENT_MS) awake = now;
    const since = Math.max(heardOf(run, turnId, now) ?? begun, awake);
    const quiet = now - since >= QUIET_AGENT_MS;
    const silent = quiet && !run.watched.has(sessionId);
    due = (quiet ? now : since) + QUIET_AGENT_MS;
    cancel = parts.clock.at(due, look);
    if (!silent) return;
    const reason = `nothing came since ${whatWasAt(since, { begun, awake })}`;
    const seen = { state: 'unknown', since, reason, screen: null } as const;
    observe(parts, run, { sessionId, turnId, seen }).catch(failed);
  };
  cancel = parts.clock.at(due, look);
  try {
    return await result;
  } finally {
    cancel();
  }
}

function whatWasAt(
  since: number,
  { begun, awake }: { readonly begun: number; readonly awake: number },
): string {
  if (since === begun) return 'the prompt was sent';
  return since === awake ? 'the machine was awake again' : 'its last update';
}
