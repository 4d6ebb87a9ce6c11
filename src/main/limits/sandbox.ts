// Times and limits of the process that hosts sandboxes.

/** The REPLs may take this long to end before the host exits. */
export const LEAVE_MS = 1_000;

/** Code that fills the memory is stopped before the machine suffers. */
export const MEMORY_CHECK_MS = 250;

/** A page's process that lives longer than this after its end is killed. */
export const PAGE_KILL_MS = 2_000;

/** Between two checks whether the page's process has ended. */
export const PAGE_GONE_CHECK_MS = 10;
