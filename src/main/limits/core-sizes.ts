import { WHOLE_TEXT_BYTES } from '@contract/limits';
import { MIB } from '@contract/size-units';

// Sizes of what the core keeps, reads and accepts.

/** One more than an answer may have: the engine fails a turn whose answer is too large to be passed on whole. */
export const RESPONSE_CHARS = WHOLE_TEXT_BYTES + 1;

/** Large texts of runs that stay in memory, in all: those that a step has just made or read. */
export const HELD_TEXT_CHARS = 64 * MIB;

/** No text written by a person is larger; a larger file is not read. */
export const TEXT_FILE_BYTES = MIB;

/** A request of the HTTP API with a larger body is refused. */
export const HTTP_BODY_BYTES = MIB;

/** A page of events in the HTTP API. A single larger event is a page by itself. */
export const EVENT_PAGE_BYTES = 8 * MIB;

/** While more than this waits to be sent to a client of the socket, Muster reads nothing from it. */
export const SOCKET_PAUSE_BYTES = MIB;

/** A client of the socket that leaves more than this unread is disconnected. */
export const SOCKET_UNREAD_BYTES = 32 * MIB;

/** While more output than this waits for a slow disk, the program that prints it is held back. */
export const UNWRITTEN_BYTES = MIB;

/** A larger file with the last message of a worker is not read. */
export const LAST_MESSAGE_BYTES = 16 * MIB;

/** An agent cannot read a larger file through Muster. */
export const WORKSPACE_FILE_BYTES = 256 * MIB;

/** The default limit of a terminal: a command that floods must not fill the disk. */
export const OUTPUT_FILE_BYTES = 256 * MIB;

/** Up to this size, checking every page of the database at a start takes under 50 ms. */
export const CHECKED_DATABASE_BYTES = 64 * MIB;

/** The write-ahead log is cut back to this size after a checkpoint. */
export const WAL_BYTES = 64 * MIB;

/** A larger new file is not kept in snapshots: each change would write it into the repository again. */
export const SNAPSHOT_FILE_BYTES = 50 * MIB;

/** More ignored files than this are not copied into a worktree: a set-up command fetches or links them better. */
export const COPIED_FILES_BYTES = 1024 * MIB;

/** Of a longer transcript only the end is read: reading it would hold up everything else. */
export const TRANSCRIPT_BYTES = 32 * MIB;

/** Maximum earlier output drawn for a resumed program: far more than a screen holds. */
export const DRAWN_BYTES = MIB;

/** A flood is skipped once this many characters wait to be drawn: only the final screen matters. */
export const UNDRAWN_CHARS = 2 * MIB;

/** Longer lines are not signals of a program in a terminal. */
export const SIGNAL_LINE_BYTES = 8 * MIB;

/** All documents of one question together, as files. */
export const QUESTION_BYTES = 192 * MIB;

/** A log of a process that is larger is set aside, and a new one begins. */
export const LOG_FILE_BYTES = 5 * MIB;

/** The logs of all processes together; then the oldest files are deleted. */
export const LOG_FOLDER_BYTES = 30 * MIB;

/** A larger call of one of Muster's tools is refused. */
export const TOOL_CALL_BYTES = 4 * MIB;

/** The list of all processes of the machine, as `ps` prints it. */
export const PROCESS_TABLE_BYTES = 32 * MIB;

/** Of the changes of one file, the window draws no more at once; the rest opens on demand. */
export const LISTED_CHANGES_BYTES = MIB;

/** The changes of one file that was opened on demand. */
export const ONE_DIFF_BYTES = 16 * MIB;

/** A larger file is not read for the lines around its changes. */
export const UNFOLDED_FILE_BYTES = 8 * MIB;

/** A larger picture is not shown beside its earlier state. */
export const SHOWN_IMAGE_BYTES = 8 * MIB;

/** A larger export of a run is not imported: its events must fit into memory. */
export const IMPORTED_FILE_BYTES = 1024 * MIB;

/** A longer line in an export is no event and no text: a text has at most half of it, and its JSON seldom the other half. */
export const IMPORTED_LINE_BYTES = 128 * MIB;

/** With less free space the doctor warns: a worktree of a large project and its dependencies need about this much. */
export const LOW_DISK_BYTES = 1024 * MIB;
