import { z } from 'zod';
import { LATEST_DATE_MS, LONGEST_MINUTES, LONGEST_SECONDS } from './limits';

/**
 * Bounds for values that people and agents enter: forms, YAML, tools, procedures, the HTTP API and the
 * command line. Schemas of stored events do not use them: stored data must stay readable when a bound
 * changes.
 */
const MINUTES = 'a number of minutes, more than 0 and at most 525600 (a year)';
const SECONDS = 'a number of seconds, more than 0 and at most 31536000 (a year)';

export const minutesSchema = z.number(MINUTES).positive(MINUTES).max(LONGEST_MINUTES, MINUTES);
export const secondsSchema = z.number(SECONDS).positive(SECONDS).max(LONGEST_SECONDS, SECONDS);

/**
 * A time as stored: whole milliseconds within the range of a date. Rounded up, so that a timer never fires
 * early.
 */
export const storedTime = (ms: number): number => Math.min(Math.max(0, Math.ceil(ms)), LATEST_DATE_MS);

/**
 * The widest bounds, for what is stored and imported too: more bytes, tokens or milliseconds than there will
 * be, each a valid date, and small enough for exact sums.
 */
const MOST = 1_000_000_000_000_000;

/** A whole number: a count, a size, a code. `positive()` and the like narrow it. */
export const whole = () => z.number().int().min(-MOST).max(MOST);

/** A number with a fraction: minutes, money. */
export const amount = () => z.number().min(-MOST).max(MOST);

/** Whether a value can be printed as a time. Rows of a database may hold anything. */
export const isTime = (at: number): boolean => at >= 0 && at <= LATEST_DATE_MS;
