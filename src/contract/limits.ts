import { MIB } from './size-units';

// Limits that several processes share.

/** The longest duration in minutes that a form or a file may name: a year. */
export const LONGEST_MINUTES = 525_600;

/** The longest duration in seconds that a workflow may name: a year. */
export const LONGEST_SECONDS = LONGEST_MINUTES * 60;

/** The latest time that a date can show. */
export const LATEST_DATE_MS = 8_640_000_000_000_000;

/** Changes of one field within this time are undone together. */
export const ONE_EDIT_MS = 1_000;

/** The page requests its port itself if main has not sent it by then. */
export const PAGE_READY_MS = 2000;

/** A sandbox notices an interrupt within this time, even while it waits. */
export const SANDBOX_SLICE_MS = 50;
/** Each read of a sandbox's clock advances it, so that a loop that waits for a time ends. */
export const SANDBOX_TICK_MS = 1;
/** Sandbox time between two blocks, regardless of their content. */
export const SANDBOX_BLOCK_GAP_MS = 1_000;

/** Maximum size of a terminal's output on disk, unless the operator sets another. */
export const TERMINAL_BYTES = 256 * MIB;

/**
 * An output, an answer or a diff is kept whole up to this size: far above daily use, and read into memory at once.
 * Above it the step fails, unless its author set `output_limit`.
 */
export const WHOLE_TEXT_BYTES = 64 * MIB;

/** A larger prompt fails its step: no model reads as much, and its event goes to each window and client. */
export const PROMPT_BYTES = 16 * MIB;

/** A larger text is a file of the run's artifacts: each window and client holds the events of the runs that it shows. */
export const EVENT_TEXT_BYTES = MIB / 16;

/** Characters of a large text's beginning, and of its end, that its event shows: a screen full of each. */
export const PREVIEW_CHARS = 4096;

/** A longer line on the local socket ends the connection. */
export const SOCKET_LINE_BYTES = 64 * MIB;

/** The buffer for answers into a sandbox; longer answers are sent in parts. */
export const SANDBOX_ANSWER_BYTES = MIB;
