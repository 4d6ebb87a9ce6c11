import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@contract/time-units';

/** One request to a forge, redirects included. */
export const FORGE_REQUEST_MS = 30 * SECOND_MS;
/** An open pull request is read this often; most answers are "not modified". */
export const PULL_POLL_MS = 30 * SECOND_MS;
/** The longest pause between reads of a forge that does not answer. */
export const PULL_POLL_LONGEST_MS = 30 * MINUTE_MS;
/** The text of an issue in a prompt; more is cut, with the address of the rest. */
export const ISSUE_PROMPT_CHARS = 60_000;
/** One comment in a prompt. */
export const COMMENT_PROMPT_CHARS = 4_000;
/** The end of a failed check's log that is shown and sent to the agent. */
export const CHECK_LOG_CHARS = 8_192;
/** A loop ends if the agent or the checks of one round take longer. */
export const FIX_ROUND_MS = 6 * HOUR_MS;
/** The command line looks at a loop this often. */
export const FIX_LOOK_MS = 3 * SECOND_MS;
/** `gh auth token` answers from a file or the keychain. */
export const FORGE_LOGIN_MS = 10 * SECOND_MS;
/** A login of `gh` is read again after this time, and as soon as its token is refused. */
export const FORGE_LOGIN_KEPT_MS = 10 * MINUTE_MS;
