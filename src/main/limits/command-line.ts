// Times and limits of the command line.

/** How long the core may take to open or close the API before the command says so. */
export const API_SETTLES_MS = 5_000;

/** How often the address of the API is read in that time. */
export const API_CHECK_MS = 25;

/** How often a core without a window checks whether anything is still working. */
export const IDLE_CHECK_MS = 500;

/** Between two steps of a run nothing works for a moment: the core ends only after this time. */
export const IDLE_END_MS = 5_000;

/** A listener for signals does not keep the process alive; a timer of any length does. */
export const KEEP_ALIVE_MS = 60_000;

/** How long another core may take to start after the first one ended. */
export const REOPEN_MS = 20_000;

/** Between two attempts to reach the core that follows. */
export const REOPEN_PAUSE_MS = 300;

/** A core that does not greet within this time is not used. */
export const CORE_GREETS_MS = 5_000;

/** A core that does not close its side within this time is cut off. */
export const CORE_CLOSES_MS = 1_000;

/** Between two attempts to reach a core. */
export const CONNECT_PAUSE_MS = 150;

/** Longer than the supervisor's maximum delay before a restart. A core it gave up on does not come back. */
export const CORE_RESTARTS_MS = 15_000;

/** How often `muster wait` checks whether runs started by others are still running. */
export const WAIT_CHECK_MS = 1_000;

/** How long cores may be lost one after the other, from the first one on. */
export const CORE_LOST_MS = 20_000;

/**
 * How long a command waits for a core, by purpose. The app gives a starting or ending core 20 s; a background
 * core may have a large database to open.
 */
export const OPEN_MS = {
  reading: 20_000,
  working: 20_000,
  serving: 20_000,
  attached: 0,
  background: 60_000,
} as const;

/** The period of `muster spend` by default: a month. */
export const SPEND_DAYS = 30;

/** A century: more is a typing error. */
export const SPEND_MOST_DAYS = 36_500;
