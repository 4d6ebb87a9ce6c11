import { MIB } from '@contract/size-units';

// Times and limits of loops.

/** The last line of a log may be newer than the message file by this much. */
export const MESSAGE_LAG_MS = 1_000;

/** Tolerance for a process's start time as reported by the system. */
export const CLOCK_SLACK_MS = 2_000;

/** A file modified this recently is not cached: it may change again without a visible difference. */
export const UNSETTLED_FILE_MS = 2_000;

/** Git is queried again after this time, even if its files look unchanged. */
export const GIT_CACHE_MS = 5_000;

/** A file may be written this much later than the next one was created, for example through a pipe. */
export const FILE_ORDER_SLACK_MS = 50;

/** Nothing of an attempt is written later than this after its end. */
export const LOG_AFTER_END_MS = 60_000;

/** How often all processes are searched for a runner. A known runner is checked every time. */
export const RUNNER_SEARCH_MS = 2_000;

/** How often watched loops are checked if the system reports no change. */
export const WATCH_MS = 400;

/** Delay after a reported change, so that simultaneous changes are read together. */
export const WATCH_GATHER_MS = 15;

/** How often the window reads a log that is still being written. */
export const LOG_POLL_MS = 1500;

/** Larger plan or instruction files are not copied into the worktree. */
export const IGNORED_FILE_BYTES = 16 * MIB;

/** The rest of a longer log line is dropped. */
export const LOG_LINE_BYTES = 4 * MIB;

/** Larger plans are not read. */
export const PLAN_BYTES = 16 * MIB;

/** Larger files of an earlier loop are not archived. */
export const ARCHIVED_FILE_BYTES = 16 * MIB;

/** Larger plans are not recorded per attempt: reading them would block everything else. */
export const NOTED_PLAN_BYTES = MIB;

/** Maximum text of one log in the window: an editor is better suited for more. */
export const SHOWN_LOG_BYTES = 16 * MIB;
