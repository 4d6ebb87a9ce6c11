import type { PastLog } from '../contract/events';
import { CLOCK_SLACK_MS } from '../contract/limits';
import type { FoundLog } from '../contract/ports';
import type { LoopState } from '../contract/state';

/** The existing logs at the start of watching that belong to an earlier loop or had already ended. */
export function pastLogs(loop: LoopState, found: readonly FoundLog[]): PastLog[] {
  // Histories from before this event already have attempts.
  const began = loop.attempts.at(-1)?.startedAt ?? loop.startedAt;
  const newest = Math.max(0, ...found.map(({ writtenAt }) => writtenAt));
  const since = beginOfRunner(loop);
  const isOwnLog = (log: FoundLog) =>
    loop.attempts.some(({ mark, iteration }) => mark === log.mark && iteration === log.iteration);
  return found.filter((log) => {
    const { ended, writtenAt } = log;
    if (isOwnLog(log)) return false;
    if (ended) return writtenAt <= began;
    // Attempts are sequential: one in progress has the newest log, and a runner.
    return since === null ? writtenAt <= began : writtenAt < newest || writtenAt < since - CLOCK_SLACK_MS;
  });
}

/** When the earliest possible runner started; 0 if unknown, null if there is none. */
function beginOfRunner({ watch }: LoopState): number | null {
  const seen = watch?.seen ?? null;
  if (seen === null || seen.how === 'none') return null;
  if (seen.processes.length === 0) return 0;
  return Math.min(...seen.processes.map(({ startedAt }) => startedAt ?? 0));
}

/**
 * The log has not changed since the beginning. If an unfinished log was appended to, it is an attempt after
 * all.
 */
export const isPast = (past: readonly PastLog[], log: FoundLog): boolean =>
  past.some(
    ({ iteration, mark, ended, writtenAt }) =>
      iteration === log.iteration && mark === log.mark && (ended || log.writtenAt <= writtenAt),
  );
