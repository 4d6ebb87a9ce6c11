import { MIB } from './size-units';

// Limits that several processes share.

/** The longest duration in minutes that a form or a file may name: a year. */
export const LONGEST_MINUTES = 525_600;

/** The longest duration in seconds that a workflow may name: a year. */
export const LONGEST_SECONDS = LONGEST_MINUTES * 60;

/** The latest time that a date can show. */
export const LATEST_DATE_MS = 8_640_000_000_000_000;

/** Changes of one field within this time are one step of undo. */
export const ONE_EDIT_MS = 1_000;

/** The page asks for its port itself when main has not sent it by then. */
export const PAGE_READY_MS = 2000;

/** A sandbox hears an interrupt within this time, also while it waits. */
export const SANDBOX_SLICE_MS = 50;
/** A read of a sandbox's clock moves it on, so that a loop which waits for a time ends. */
export const SANDBOX_TICK_MS = 1;
/** On the clock of a sandbox, between two blocks, whatever they did. */
export const SANDBOX_BLOCK_GAP_MS = 1_000;

/** What a terminal may keep on disk, where the operator sets nothing else. */
export const TERMINAL_BYTES = 256 * MIB;

/** A longer line of the local socket ends the connection. */
export const SOCKET_LINE_BYTES = 64 * MIB;

/** The buffer that carries answers into a sandbox; a longer answer comes in parts. */
export const SANDBOX_ANSWER_BYTES = MIB;
