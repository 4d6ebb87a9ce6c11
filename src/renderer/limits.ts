// Times and limits of the window.

/** The layout worker holds 20 MB, so it ends after this time without work. */
export const LAYOUT_WORKER_IDLE_MS = 20_000;

/** The second key of a sequence must follow within this time. */
export const KEY_SEQUENCE_MS = 1200;

/** While the core restarts, an undo is retried after this time. */
export const UNDO_RETRY_MS = 200;
/** A core that takes longer than this does not come back by itself. */
export const UNDO_TRIED_FOR_MS = 60_000;

/** A sent decision hides its item for this long while the core has not confirmed it. */
export const DECISION_HIDDEN_MS = 3000;

/** Changes within this time are read together. */
export const READ_TOGETHER_MS = 300;

/** The pause after a failed read of the feed, so that the window does not loop at full speed. */
export const READ_RETRY_MS = 2_000;

/**
 * A window that draws nothing has no frames, and a covered one may have none for a long time: work for the
 * next frame starts after this time at the latest.
 */
export const FRAMELESS_MS = 100;

/** A run of many steps is drawn at most this often, so that input stays responsive. */
export const CANVAS_PACE_MS = 100;

/** Updates within this time are counted together. */
export const COUNT_AFTER_MS = 200;

/**
 * The address follows the scrubber when it stops: browsers throttle pages that change it many times a second.
 */
export const ADDRESS_SETTLES_MS = 200;

/**
 * A store stays subscribed this long after its last reader left, so that switching views causes no new call.
 */
export const STORE_LINGER_MS = 4000;

/** For this long after the last letter, someone may still be typing. */
export const STILL_TYPING_MS = 1000;

/** How long a toast stays: enough for one sentence. */
export const TOAST_MS = 4000;

/** Errors and offers have more to read and to decide. */
export const ERROR_TOAST_MS = 12_000;

/** The first picture waits this long for a starting core: an empty one before it would only delay it. */
export const FIRST_PAINT_WAIT_MS = 120;

/** A new card accepts no decision for this long: a second press was meant for the previous card. */
export const CARD_REST_MS = 400;

/** The rule is tried when the operator pauses, not at each key. */
export const RULE_TRIAL_MS = 200;

/** Longer pauses in the history are played as this long. */
export const LONGEST_PLAYED_PAUSE_MS = 2000;

/** Values derived from a text are computed after this time without a key. */
export const TYPING_SETTLED_MS = 250;

/** A text is written to the file after this pause in typing. */
export const TEXT_SAVED_AFTER_MS = 500;

/**
 * In a flood of output the program is paused and resumed many times a second; the label stays until that
 * ends.
 */
export const HELD_LABEL_MS = 1000;

/** A terminal host that died is restarted after about this time; the pause doubles with each attempt. */
export const TERMINAL_RETRY_MS = 300;

/** The longest pause between two attempts to reach the terminal host. */
export const LONGEST_TERMINAL_RETRY_MS = 5000;

/** For this long after a wheel event or key, scrolling counts as the reader's. */
export const READER_SCROLLS_MS = 500;

/** How long the button says that the code was copied. */
export const COPIED_LABEL_MS = 1500;

/** While a pane is resized, the program is told its new size only after this pause. */
export const TERMINAL_RESIZE_MS = 80;

/** How often the inbox updates the waiting times of its items. */
export const WAITED_MS = 10_000;

/** How long a decided item is offered for a second look. */
export const JUST_DECIDED_MS = 180_000;

/** How long a decided row stays in the list, so that its outcome can be seen. */
export const DECIDED_ROW_MS = 30_000;

/** Changes are read after this time without a tool call, so that several edits are read together. */
export const CHANGES_QUIET_MS = 600;

/** Spend shows this period by default: a month. */
export const SPEND_DAYS = 30;

/** A chart of a longer period omits the days without a value. */
export const CHART_DAYS = 800;

/** A draft is on the disk at the latest this long after a key was pressed: Chromium itself waits for up to a minute. */
export const DRAFT_FLUSH_MS = 500;

/** While agents are shown or chosen, this machine is looked at again after this time: one may be installed meanwhile. */
export const DOCTOR_LOOK_MS = 10_000;

/** A window that gets the focus often looks at the machine at most this often. */
export const DOCTOR_LEAST_MS = 2_000;

/** A diff that is not in the list is read when it was in sight for this long: what is passed while scrolling is not. */
export const OPENED_IN_SIGHT_MS = 150;

/** Lines of a change get their colours when they have been in sight for this long: scrolling stays smooth. */
export const LINES_SEEN_MS = 100;
