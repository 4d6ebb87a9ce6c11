// Times and limits of questions.

/** Between two attempts to write a text that the disk did not take. */
export const WRITE_RETRY_MS = 1_000;

/** An answer does not wait longer than this for its verification. */
export const VERIFICATION_MS = 5 * 60_000;
