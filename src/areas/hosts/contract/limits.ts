import { MIB } from '@contract/size-units';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@contract/time-units';

/** The pauses between attempts to reach a host again; the last one repeats. */
export const HOST_RECONNECT_MS = 1 * SECOND_MS;
/** The longest pause: a host that returns is noticed within it. */
export const HOST_RECONNECT_LONGEST_MS = 30 * SECOND_MS;
/** A look at a host, its login included. A jump host and a slow name server have taken 20 s. */
export const HOST_LOOK_MS = 45 * SECOND_MS;
/** The program is 0.2 MB compressed; a line of 16 kbit/s takes two minutes for it. */
export const HOST_UPLOAD_MS = 5 * MINUTE_MS;
/** A host process without sessions ends after this time. */
export const HOST_IDLE_MS = 1 * DAY_MS;
/** How often a host process checks whether it has been idle for so long. */
export const HOST_IDLE_CHECK_MS = 1 * MINUTE_MS;
/** A host process that was just started opens its socket within this time. */
export const HOST_START_MS = 20 * SECOND_MS;
/** How often the connection looks for that socket. */
export const HOST_START_CHECK_MS = 50;
/** A longer frame is refused unread: no message of Muster is longer. */
export const HOST_FRAME_BYTES = 4 * MIB;
/** What a program printed and the desktop has not acknowledged. When it is full the program is not read. */
export const HOST_STREAM_BYTES = 8 * MIB;
/** A piece of a file that is sent to a host; in base64 it fits a frame. */
export const HOST_PIECE_BYTES = 2 * MIB;
/** A larger file in the repository is refused before a run: every host would keep a copy. */
export const HOST_FILE_BYTES = 100 * 1_000_000;
/** How long the end of Muster waits for the end of its programs on hosts. */
export const HOST_END_MS = 3 * SECOND_MS;
/** The results of changing requests that a host remembers until they are acknowledged. */
export const HOST_RESULTS_BYTES = 16 * MIB;
/** `lost_after` of a workflow that sets none: longer than a night. */
export const LOST_AFTER = '12h';
/** The longest `lost_after`. */
export const LOST_AFTER_LONGEST_MS = 365 * DAY_MS;
