// Times and limits of questions.

/** Delay between attempts to write a text that the disk did not accept. */
export const WRITE_RETRY_MS = 1_000;

/** Maximum time that an answer waits for its verification. */
export const VERIFICATION_MS = 5 * 60_000;
