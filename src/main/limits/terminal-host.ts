import { MIB } from '@contract/size-units';

// Times and sizes of the terminal host.

/** A write that takes longer than this did more than copy into the system's memory. */
export const SLOW_WRITE_MS = 4;

/** A slow disk is left to the writing threads for this long; the time doubles with each slow write. */
export const SLOW_DISK_MS = 1_000;

/** The longest pause of a slow disk, however often it was slow. */
export const LONGEST_SLOW_DISK_MS = 60_000;

/** Keys wait at most this long for a program to start. On a busy machine that takes some hundred milliseconds. */
export const LONGEST_ECHO_MS = 1000;

/** Between two checks whether processes of the family still live. */
export const FAMILY_CHECK_MS = 50;

/** The operator counts as typing for this long after the last key. A pause between two words is shorter. */
export const TYPING_MS = 500;

/** Output of a terminal is summed over this time to recognise a flood. */
export const FLOOD_WINDOW_MS = 250;

/** A flooding terminal is read after the answer to a key, when the next key is farthest away, or after this time. */
export const FLOOD_TURN_MS = 100;

/** An answer reaches the screen within this time; the window shares the processors with the program. */
export const ANSWER_DRAWN_MS = 8;

/** A flood on a screen is read this often, because drawing it is what costs. */
export const SEEN_FLOOD_TURN_MS = 1000;

/** A guard that dies earlier than this would die again at once. */
export const GUARD_QUICK_DEATH_MS = 1000;

/** Input that does not fit into the terminal is offered again after this time: its program reads when it likes. */
export const INPUT_RETRY_MS = 2;

/** How often a disk that was full is checked for room. */
export const DISK_FULL_CHECK_MS = 1000;

/** How long the snapshot thread is kept after its last use. */
export const SNAPSHOT_THREAD_IDLE_MS = 30_000;

/** How long processes that a command left behind may take to end by themselves. */
export const LEFT_OVER_GRACE_MS = 2000;

/** How long the last output of a killed program's standard error is awaited: it is in the system already. */
export const ERRORS_DRAIN_MS = 200;

/**
 * Standard error waits until no standard output came for this long, or until so much was read: more than a system holds
 * for a terminal.
 */
export const ERRORS_BEHIND_MS = 20;
/** The same rule by size: more bytes than a system holds back for a terminal. */
export const ERRORS_BEHIND_BYTES = 128 * 1024;

/** How long a command may take to end when its client is gone. */
export const ORPHAN_GRACE_MS = 2000;

/** When the operator types, other terminals are not read for this long, unless the answer comes sooner. */
export const TYPED_FIRST_MS = 10;

/** How often clients are told how much a terminal has printed. */
export const PRINTED_MS = 50;

/** How long a program may take to show what was typed. */
export const TYPED_SHOWN_MS = 1500;

/** While a program prints continuously, its terminal is not queried more often than this. */
export const TYPED_CHECK_MS = 250;

/** How long programs may take to end when the terminal host stops. */
export const SHUTDOWN_GRACE_MS = 2000;

/** Time for the last message to leave the process. */
export const LAST_MESSAGE_MS = 20;

/** How often output is written to its file: about once a frame. */
export const FLUSH_MS = 16;

/** An invisible flood is written less often: waking the writing thread costs as much as the write. */
export const UNSEEN_FLOOD_FLUSH_MS = 48;

/** Earlier output is drawn in pieces of this size, so that new output gets its turn. */
export const PAST_CHUNK_BYTES = MIB;

/** No more earlier output is shown: at 200 bytes a line it is more than the scrollback holds. */
export const PAST_BYTES = 16 * MIB;

/** Beside a window, a program may print this much on top of a flood, such as the log of a build, before it is slowed. */
export const BURST_BYTES = 2 * MIB;

/** The start of a secret at the end of printed text is held back this long for its rest. */
export const MASK_HOLDS_MS = 50;
