import type { PastLog } from '../contract/events';
import { CLOCK_SLACK_MS } from '../contract/limits';
import type { FoundLog } from '../contract/ports';
import type { LoopState } from '../contract/state';

/** Of the logs that are there when the watching begins, those that are an earlier loop's or had ended by then. */
export function pastLogs(loop: LoopState, found: readonly FoundLog[]): PastLog[] {
  // A history of before this was noted has attempts already.
  const began = loop.attempts.at(-1)?.startedAt ?? loop.startedAt;
  const newest = Math.max(0, ...found.map(({ writtenAt }) => writtenAt));
  const since = beginOfRunner(loop);
  const own = (log: FoundLog) =>
    loop.attempts.some(({ mark, iteration }) => mark === log.mark && iteration === log.iteration);
  return found.filter((log) => {
    const { ended, writtenAt } = log;
    if (own(log)) return false;
    if (ended) return writtenAt <= began;
    // Attempts come one after the other: one that continues has the newest log, and someone who runs it.
    return since === null ? writtenAt <= began : writtenAt < newest || writtenAt < since - CLOCK_SLACK_MS;
  });
}

/** When the earliest of those began who may run the loop; 0 where it is not told, null where no one runs it. */
function beginOfRunner({ watch }: LoopState): number | null {
  const seen = watch?.seen ?? null;
  if (seen === null || seen.how === 'none') return null;
  if (seen.processes.length === 0) return 0;
  return Math.min(...seen.processes.map(({ startedAt }) => startedAt ?? 0));
}

/** It was there at the beginning, as it is now. One without an end that was written on is an attempt after all. */
export const isPast = (past: readonly PastLog[], log: FoundLog): boolean =>
  past.some(
    ({ iteration, mark, ended, writtenAt }) =>
      iteration === log.iteration && mark === log.mark && (ended || log.writtenAt <= writtenAt),
  );
