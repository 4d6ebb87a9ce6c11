// Times and sizes of Electron's main process.

/** A core that was silent for a shorter time was only busy. */
export const CORE_SILENT_MS = 60_000;

/** A wait longer than this does not keep the machine from sleeping. */
export const LONGEST_AWAKE_MS = 12 * 3600_000;

/** A core that does not answer must not keep the app from quitting. */
export const QUIT_ASK_MS = 1500;

/**
 * How often the app checks time-dependent state: whether the operator is there, snoozed items, planned
 * notices.
 */
export const PRESENCE_CHECK_MS = 30_000;

/** The rest of the start follows this long after the first paint, so that the page shows the core's answer first. */
export const LATE_START_MS = 250;

/** Crashes of the page count together within this time. */
export const PAGE_CRASHES_MS = 60_000;

/** A program that lives this long has started: a missing one ends at once. */
export const EDITOR_STARTED_MS = 300;

/** The operator counts as away after this time without a key or a movement. */
export const AWAY_AFTER_S = 600;

/** The core writes what runs before it ends; after this it is killed. */
export const CORE_STOP_MS = 20_000;

/** The terminal host ends its programs; after this it is killed. */
export const TERMINAL_HOST_STOP_MS = 5000;

/** How often the core is asked whether it is there, and how long its answer may take before the window says so. */
export const HEARTBEAT_MS = 10_000;

/** A core that has not answered for this long is shown as silent. */
export const SHOWN_SILENT_MS = 10_000;

/** The desktop may not answer at all whether it has a tray. */
export const TRAY_ASK_MS = 1500;

/** A process that was asked to end is killed after this. */
export const KILL_AFTER_MS = 3000;

/** Compiled code of an older build is deleted after this time. Code still in use is compiled again. */
export const OLD_CODE_CACHE_MS = 30 * 24 * 3600_000;

/** V8 compiles functions on their first call; everything that a start calls has been called by then. */
export const SAVE_CODE_CACHE_MS = 5000;

/** The delay before a dead process is restarted; it doubles with each death. */
export const RESTART_MS = 250;

/** A dead process is restarted within this time, however often it died. */
export const LONGEST_RESTART_MS = 10_000;

/** After a life this long, earlier deaths no longer count. */
export const HEALTHY_MS = 60_000;

/** A shorter life is a quick death, and five of them in a row end the restarts. */
export const QUICK_DEATH_MS = 10_000;

/** How long a core that said why it cannot continue may take to exit. */
export const DOOMED_CORE_MS = 2000;

/** How long another program's core may take to accept us: one stopped by Ctrl-Z never does. */
export const LET_IN_MS = 5000;

/** How long a call waits for a core that is being restarted. */
export const CALL_WAIT_MS = 5000;

/** The first start of a core may check a large database. */
export const FIRST_CALL_WAIT_MS = 60_000;

/** Starts that reached nothing count together within this time. */
export const STARTS_WITHIN_MS = 600_000;

/** Deaths of a process count together within this time. */
export const DEATHS_WITHIN_MS = 600_000;

/** After a life this long a process counts as steady again. */
export const STEADY_MS = 600_000;

/** A window that is moved changes its position with each frame; the last one is stored after this pause. */
export const WINDOW_SAVE_MS = 400;

/**
 * A page that does not become ready is shown after this time: an empty window can be closed, a hidden one
 * cannot.
 */
export const WINDOW_SHOW_MS = 5000;

/** Reading the icon takes 10 ms, in which the page could draw nothing. */
export const ICON_AFTER_MS = 250;
