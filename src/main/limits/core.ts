import { DAY_MS } from '@contract/time-units';

// Times of the core. Its sizes are in core-sizes.ts.

/** How long a git whose thread died may take to end by itself. */
export const ORPHANED_GIT_MS = 2_000;

/** How often Muster checks whether such a git has ended. */
export const ORPHANED_GIT_CHECK_MS = 20;

/** How long the git thread is kept after its last use. */
export const GIT_THREAD_IDLE_MS = 60_000;

/** How often Muster checks whether a killed core's git has ended. */
export const EARLIER_GIT_CHECK_MS = 200;

/** A change waits this long for a git of an earlier core in the same checkout, which usually ends by itself. */
export const EARLIER_GIT_WAIT_MS = 60_000;

/**
 * Longer than the slowest checkout through a filter. A hanging git, for example on a silent server, blocks
 * everything that needs its folder.
 */
export const LONGEST_GIT_MS = 60 * 60_000;

/** For a program that signs a commit, and perhaps asks the operator to unlock a key. */
export const SIGNING_MS = 60_000;

/** Git holds the lock of a ref for milliseconds; an older one was left behind. */
export const REF_LOCK_MS = 10_000;

/** A worktree is not created if the git that an earlier core started in it does not end within this time. */
export const WORKTREE_GIT_MS = 60_000;

/** `setTimeout` fires at once for a longer delay. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long a process group may take to end by itself before it is killed. */
export const GROUP_GRACE_MS = 2000;

/** The same grace for processes that left their group. */
export const STRAY_GRACE_MS = 500;

/** How long the system may take to remove a killed group. */
export const GROUP_REMOVED_MS = 2000;

/** How long the output of an exited program may still be held open by its child processes. */
export const OUTPUT_DRAIN_MS = 300;

/** The same for a script, whose last output may come from a pipe that it did not wait for. */
export const SCRIPT_DRAIN_MS = 1000;

/** After its group was killed, only processes that escaped every search can hold the output open. */
export const KILLED_DRAIN_MS = 2000;

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
export const CPU_TICK_MS = 10;

/** A login shell whose profile hangs is given up after this. */
export const LOGIN_SHELL_MS = 5000;

/** How long a login shell may take to end after it was given up. */
export const LOGIN_SHELL_END_MS = 2000;

/** Time for the last output of a login shell. */
export const LOGIN_SHELL_OUTPUT_MS = 20;

/** A channel that ended is opened again after this time, so that a broken one does not spin. */
export const CHANNEL_REOPEN_MS = 250;

/** How long a new terminal waits for a terminal host that is being restarted. */
export const NEW_TERMINAL_MS = 15_000;

/** The guard of a dead terminal host ends the programs of its terminals within this time. */
export const TERMINAL_LOST_MS = 5000;

/** How long a kept program that nothing claims may take to end. */
export const UNCLAIMED_GRACE_MS = 2000;

/** How long a command may take to end by itself before it is killed. */
export const COMMAND_GRACE_MS = 3000;

/** How long a start waits for the terminal host to report what it kept. */
export const HOST_GREETS_MS = 2000;

/** A dead terminal host is running again within this time. */
export const HOST_RESTARTS_MS = 5000;

/** How often the file of a program's messages is read where the system reports no change. */
export const INBOX_POLL_MS = 400;

/** How long a shell may take to end by itself before it is killed. */
export const SHELL_GRACE_MS = 1500;

/** How long a command in a shell may take to end after Ctrl-C. */
export const SHELL_INTERRUPT_MS = 700;

/** Output of a shell reaches the core within this time. */
export const SHELL_OUTPUT_MS = 150;

/** How often Muster checks whether the processes of a terminal's session have ended. */
export const SESSION_END_CHECK_MS = 50;

/** A shell that shows no prompt within this time is not used. */
export const SHELL_PROMPT_MS = 15_000;

/** Electron may take this long to start a sandbox host on a busy machine. */
export const SANDBOX_START_MS = 60_000;

/** A sandbox host that was asked to end is killed after this. */
export const SANDBOX_STOP_MS = 5_000;

/**
 * How long an interrupted block may take to end before its process, and with it the block's variables, is ended.
 * On a busy machine an interrupt takes seconds to reach Python.
 */
export const BLOCK_GRACE_MS = 5_000;

/** How long SQLite waits for another program's lock. It blocks the core's thread, so it is short. */
export const BUSY_TIMEOUT_MS = 1500;

/** How often every page of a database is checked when it is opened. */
export const FULL_CHECK_MS = 7 * 24 * 3600_000;

/** Two readings of the same system start differ by the resolution of the machine's uptime. */
export const BOOT_SLACK_MS = 60_000;

/** The search index follows new events this late, so that it disturbs no commit. */
export const INDEX_AFTER_MS = 250;

/** How long a search may take to index what is not indexed yet; what remains is told with its hits. */
export const SEARCH_CATCH_UP_MS = 2_000;

/** Between two steps of the search index, so that other work comes first. */
export const INDEX_PAUSE_MS = 5;

/** After this time without a write the write-ahead log is moved into the database. */
export const WAL_QUIET_MS = 1000;

/** How often a store that fails is tried again. */
export const STORE_PROBE_MS = 2000;

/** Lengths of outputs change with each line, so they are written at most this late. */
export const LENGTHS_WRITTEN_MS = 1000;

/**
 * Longer waits are split into several delays: timers stop while the machine sleeps, and nothing tells a core
 * without a window that it woke up.
 */
export const LONGEST_DELAY_MS = 60_000;

/** A webhook that does not answer within this time has failed. */
export const WEBHOOK_MS = 30_000;

/** A check that is this late found the machine asleep or this process stopped. */
export const MISSED_CHECK_MS = 5000;

/** An agent's output is collected this long: the window receives it about thirty times a second. */
export const ITEMS_GATHERED_MS = 33;

/**
 * An overloaded provider is asked again after this time; if that does not help, the engine asks the operator.
 */
export const OVERLOADED_MS = 20_000;

/** A provider's limit that ends later than this is an answer, not a pause. */
export const LONGEST_PROVIDER_PAUSE_MS = 60_000;

/** Delays between the attempts of one completion, for temporary faults. */
export const COMPLETION_PAUSES_MS = [1_000, 4_000, 15_000] as const;

/** Delays between the attempts of one turn. */
export const GATEWAY_PAUSES_MS = [1000, 4000] as const;

/** The earliest retry: a limit that ends now would otherwise cause resends without a pause. */
export const SOONEST_RESET_MS = 1000;

/** How often a gateway that names no interval sends a sign of life. */
export const GATEWAY_TICK_MS = 30_000;

/** Short answers are in the transcript after this time; later checks wait longer. */
export const TRANSCRIPT_CHECK_MS = 300;

/** A scripted agent that hangs is kept alive by a timer of any length. */
export const HANG_MS = 60_000;

/** How long the last event of a stream may take to go out. */
export const STREAM_FAREWELL_MS = 1_000;

/** When the API closes, answers in progress may take this long. */
export const HTTP_STOP_MS = 2_000;

/** How long a client may take to send its token, and to read the last message. */
export const CLIENT_GREETS_MS = 5_000;

/** A client that does not read its last message is cut off after this. */
export const CLIENT_FAREWELL_MS = 2_000;

/** A warm sandbox takes 150 MB, so it is ended when no question was asked for a while. */
export const SPARE_SANDBOX_MS = 10 * 60_000;

/** How long a delivery waits for the keychain, or for an HTTP API that is being opened. */
export const KEYCHAIN_MS = 5_000;

/** A shell waits this long for its session to be resumed: as long as an idle session keeps its process. */
export const SHELL_WAIT_MS = 15 * 60_000;

/** How often waiting shells are checked. */
export const SHELL_WAIT_CHECK_MS = 5_000;

/** Time for the last messages to leave the process. */
export const LAST_MESSAGE_MS = 50;

/** Time for the reason of a failed start to leave the process. */
export const LAST_ERROR_MS = 20;

/** By then the window has drawn its first view; starting the rest earlier would take a processor from it. */
export const FULL_CORE_MS = 200;

/**
 * Minimum time between two messages with pushes to main. A frame lasts twice as long, but each message costs
 * main a turn of its loop.
 */
export const MAIN_PUSH_MS = 8;

/** Shorter than for main: the page draws once a frame, however often it receives something. */
export const WINDOW_PUSH_MS = 1;

/** How long an idle session keeps its process. */
export const IDLE_SESSION_MS = 15 * 60_000;

/** How long a shutdown waits for runs that are being cancelled. */
export const CANCELS_WAIT_MS = 8_000;

/** How often a shutdown checks whether they have ended. */
export const CANCELS_CHECK_MS = 50;

/** The delay after the first failed delivery; it doubles with each failure. */
export const DELIVERY_RETRY_MS = 2_000;

/** A target that works again is reached within this time. */
export const LONGEST_DELIVERY_RETRY_MS = 15 * 60_000;

/** At a start, runs are resumed for this long before the thread is free for other work. */
export const RESUME_SLICE_MS = 4;

/** The longest delay between two attempts to write a result that the store refused. */
export const LONGEST_STORE_RETRY_MS = 5_000;

/** A time further in the past than this is not the end of a limit. */
export const PAST_RESET_MS = 60_000;

/** Longer than any month for which a provider counts. */
export const LATEST_RESET_MS = 62 * 24 * 60 * 60_000;

/** Waits this short are repeated only a few times in a row. */
export const SHORT_RESET_MS = 60_000;

/** An agent that still waits this long after an answer was typed into its terminal is asked about again. */
export const TYPED_ANSWER_MS = 5_000;

/** A screen that asks something else than its open question is shown once it stands still for this time. */
export const SCREEN_STILL_MS = 2_000;

/** The operator is asked about a silent agent after this, unless its profile says otherwise. */
export const SILENT_AGENT_MS = 10 * 60_000;
export const silentAfterMs = (minutes: number | null): number =>
  minutes === null ? SILENT_AGENT_MS : minutes * 60_000;

/** An agent that reports only that it cannot reach its model is brought to the operator after this. */
export const MODEL_DOWN_MS = 60_000;

/** A step retry's doubled delay never exceeds this, unless the step's own delay does. */
export const LONGEST_STEP_RETRY_MS = 3_600_000;

/** An agent that sent nothing for this long is reported as quiet. It is not ended. */
export const QUIET_AGENT_MS = 3 * 60_000;

/** A read that takes longer than a disk needs to spin up has failed. */
export const SLOW_DISK_MS = 10_000;

/** An address that does not answer within this time is reported as unreachable. */
export const ENDPOINT_MS = 5000;

/** The first start of an agent may download parts of it. */
export const TEST_OPEN_MS = 60_000;

/** Slow models take a minute for their first answer. */
export const TEST_ANSWER_MS = 120_000;

/** The result of a test waits this long for a session that opened too late to be closed. */
export const TEST_CLOSE_MS = 1000;

/** A program that does not print its version within this time has none. */
export const VERSION_MS = 5000;

/** A question can be answered from its target this long after its delivery was queued. */
export const ANSWERABLE_MS = 7 * 86_400_000;

/** How often a git that an earlier Muster started is checked until it has ended. */
export const CHECKOUT_GIT_CHECK_MS = 1_000;

/** Checking each file of a list of workflows needs only one search of PATH. */
export const DETECTED_FRESH_MS = 3_000;

/** How often Muster looks for idle sessions. */
export const IDLE_CHECK_MS = 60_000;

/** After this time without contact to a target the operator is told. */
export const TARGET_AWAY_MS = 10 * 60_000;

/** The delay after a fault of the store, so that the outbox does not spin. */
export const OUTBOX_FAULT_MS = 2_000;

/** Updates within this time are processed together. */
export const UPDATES_GATHERED_MS = 25;

/** How long a stopping core waits for deliveries that are due. */
export const LAST_DELIVERIES_MS = 1_500;

/** Editors write a file in several steps: its change is reported after this time without another. */
export const FILES_SETTLE_MS = 120;

/** Events of a followed run are sent at once; list changes wait this long for related ones. */
export const LIST_SOON_MS = 20;

/** Lists of a busy run are sent at most this often. */
export const LIST_PAUSE_MS = 250;

/** How often the disk space of outputs is measured. */
export const OUTPUT_SPACE_MS = 5 * 60_000;

/** The first measurement waits until the start is over. */
export const FIRST_OUTPUT_SPACE_MS = 20_000;

/** Timeouts of a worktree's setup and teardown commands. A setup may install packages. */
export const WORKTREE_SCRIPT_SECONDS = { setup: 30 * 60, teardown: 5 * 60 } as const;

/** How often an idle event stream sends a sign of life. */
export const STREAM_HEARTBEAT_MS = 15_000;

/** A stream reader that leaves data unread for this long is disconnected. */
export const STREAM_READER_MS = 30_000;

/** The period shown in Home before the operator has looked for the first time. */
export const HOME_SINCE_MS = DAY_MS;

/** Time zones differ by quarters of an hour, so the day of an answer is that of its quarter. */
export const QUARTER_HOUR_S = 900;

/** The window sends a decision at its own time; the core does so this much later if the window is gone. */
export const DECISION_GRACE_MS = 1_000;
/** After a restart of the core: the window reconnects first, and may undo the decision. */
export const DECISION_START_GRACE_MS = 5_000;
/** How long a deleted workflow file can be restored: 90 days. */
export const DELETED_WORKFLOW_MS = 90 * DAY_MS;

/** One step of a backup blocks its thread at most about this long. */
export const BACKUP_STEP_MS = 5;

/** How often the core looks whether an automatic backup is due. */
export const BACKUP_CHECK_MS = 10 * 60_000;

/** How long initialising or starting an embedded PostgreSQL may take, on a slow disk too. */
export const POSTGRES_START_MS = 60_000;

/** How often Muster checks whether an embedded PostgreSQL accepts connections. */
export const POSTGRES_CHECK_MS = 50;

/** How long an embedded PostgreSQL may take to write its data and end before it is killed. */
export const POSTGRES_STOP_MS = 20_000;

/** A connection to PostgreSQL that is not open by then is tried again. */
export const POSTGRES_CONNECT_MS = 5_000;

/** A statement without an answer by then is on a cut connection: the statements of the shared log are short. */
export const POSTGRES_ANSWER_MS = 20_000;

/** First and longest pause between two tries while PostgreSQL is away. */
export const POSTGRES_RETRY_MS = { first: 50, longest: 1_000 } as const;

/** A server that was silent for this long loses its runs to the others. Longer than several renewals, each of 2 s. */
export const LEASE_MS = 10_000;
