// Times and limits of the window.

/** The layout worker holds 20 MB, so it ends after this time without work. */
export const LAYOUT_WORKER_IDLE_MS = 20_000;

/** The second key of a sequence must follow within this time. */
export const KEY_SEQUENCE_MS = 1200;

/** While the core restarts, taking a decision back is tried again after this time. */
export const UNDO_RETRY_MS = 200;
/** A core that takes longer than this to come back does not come back by itself. */
export const UNDO_TRIED_FOR_MS = 60_000;

/** A sent decision hides its item this long while the core has not confirmed it. */
export const DECISION_HIDDEN_MS = 3000;

/** Changes that follow each other within this time are read together. */
export const READ_TOGETHER_MS = 300;

/** The pause after a failed read of the feed, so that the window does not spin. */
export const READ_RETRY_MS = 2_000;

/**
 * A window that draws nothing has no frames, and a covered one may have none for long: work for the next frame
 * starts at the latest after this time.
 */
export const FRAMELESS_MS = 100;

/** A run of many steps is drawn at most this often, so that drawing it leaves frames for the operator. */
export const CANVAS_PACE_MS = 100;

/** Several updates are counted together. */
export const COUNT_AFTER_MS = 200;

/** The address follows the scrubber once it rests: browsers slow down pages that change it many times a second. */
export const ADDRESS_SETTLES_MS = 200;

/** A store stays subscribed this long after its last reader left, so that changing views costs no new call. */
export const STORE_LINGER_MS = 4000;

/** After the last letter, someone may still be typing for this long. */
export const STILL_TYPING_MS = 1000;

/** How long a toast stays: enough for one sentence. */
export const TOAST_MS = 4000;

/** Errors and offers have more to read and to decide. */
export const ERROR_TOAST_MS = 12_000;

/** The first picture waits this long for a starting core: an empty one before it would only delay it. */
export const FIRST_PAINT_WAIT_MS = 120;

/** A new card takes no decision for this long: a second press was meant for the card before it. */
export const CARD_REST_MS = 400;

/** The rule is tried when the operator pauses, not at each key. */
export const RULE_TRIAL_MS = 200;

/** Longer pauses of the history are played as this one. */
export const LONGEST_PLAYED_PAUSE_MS = 2000;

/** What depends on a text is computed after this time without a key. */
export const TYPING_SETTLED_MS = 250;

/** A text is written to the file after this pause in typing. */
export const TEXT_SAVED_AFTER_MS = 500;

/** In a flood the program is paused and resumed many times a second; the label stays until that ends. */
export const HELD_LABEL_MS = 1000;

/** A terminal host that died is up again after about this time; the pause doubles with each attempt. */
export const TERMINAL_RETRY_MS = 300;

/** The longest pause between two attempts to reach the terminal host. */
export const LONGEST_TERMINAL_RETRY_MS = 5000;

/** After a wheel or a key, scrolling counts as the reader's for this long. */
export const READER_SCROLLS_MS = 500;

/** How long the button says that the code was copied. */
export const COPIED_LABEL_MS = 1500;

/** While a pane is resized, the program hears of the new size only after this pause. */
export const TERMINAL_RESIZE_MS = 80;

/** How often the inbox updates how long its items have waited. */
export const WAITED_MS = 10_000;

/** How long a decided item is offered for a second look. */
export const JUST_DECIDED_MS = 180_000;

/** How long a decided row stays in the list, so that its outcome can be seen. */
export const DECIDED_ROW_MS = 30_000;

/** Changes are read after this time without a tool call: several edits at once are read once. */
export const CHANGES_QUIET_MS = 600;

/** Spend shows this time where nothing else is asked for: a month. */
export const SPEND_DAYS = 30;

/** A chart of a longer time leaves out the days without a value. */
export const CHART_DAYS = 800;
