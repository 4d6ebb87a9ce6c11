import { MIB } from '@contract/size-units';

// Times and limits of loops.

/** The last line of a log may be newer than the message file by this much. */
export const MESSAGE_LAG_MS = 1_000;

/** A system may be wrong by this much about when a process began. */
export const CLOCK_SLACK_MS = 2_000;

/** A file written this recently is not cached: it may be written again and look the same. */
export const UNSETTLED_FILE_MS = 2_000;

/** Git is asked again after this time, whatever its files look like. */
export const GIT_CACHE_MS = 5_000;

/** A file may be written this much later than the next one was made, for example through a pipe. */
export const FILE_ORDER_SLACK_MS = 50;

/** Nothing of an attempt is written later than this after its end. */
export const LOG_AFTER_END_MS = 60_000;

/** How often all processes are searched for a runner. The one that was found is checked each time. */
export const RUNNER_SEARCH_MS = 2_000;

/** How often watched loops are checked when the system reports no change. */
export const WATCH_MS = 400;

/** After a reported change, so that changes that come together are read together. */
export const WATCH_GATHER_MS = 15;

/** How often the window reads a log that is still written. */
export const LOG_POLL_MS = 1500;

/** A larger plan or instruction file is not copied into the worktree. */
export const IGNORED_FILE_BYTES = 16 * MIB;

/** The rest of a longer line of a log is dropped. */
export const LOG_LINE_BYTES = 4 * MIB;

/** A larger plan is not read. */
export const PLAN_BYTES = 16 * MIB;

/** A larger file of an earlier loop is not archived. */
export const ARCHIVED_FILE_BYTES = 16 * MIB;

/** A larger plan is not noted for each attempt: reading it would hold up everything else. */
export const NOTED_PLAN_BYTES = MIB;

/** The window holds no more text of one log: an editor is better at it. */
export const SHOWN_LOG_BYTES = 16 * MIB;
