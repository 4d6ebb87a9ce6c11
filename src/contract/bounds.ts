import { z } from 'zod';

/**
 * Bounds of what people and agents enter: forms, YAML, tools, procedures, the HTTP API and the command line. Schemas of
 * stored events do not use them, because what was stored must stay readable when a bound changes.
 */
const YEAR_IN_MINUTES = 525_600;
/** The longest duration that a workflow may name. */
const YEAR_IN_SECONDS = YEAR_IN_MINUTES * 60;

const MINUTES = 'a number of minutes, more than 0 and at most 525600 (a year)';
const SECONDS = 'a number of seconds, more than 0 and at most 31536000 (a year)';

export const minutesSchema = z.number(MINUTES).positive(MINUTES).max(YEAR_IN_MINUTES, MINUTES);
export const secondsSchema = z.number(SECONDS).positive(SECONDS).max(YEAR_IN_SECONDS, SECONDS);

/** The latest time that a date can show. */
const LATEST_MS = 8_640_000_000_000_000;

/**
 * A time as it is stored: whole milliseconds that a date can show. Rounded up, so that a timer never fires before its
 * time is over.
 */
export const storedTime = (ms: number): number => Math.min(Math.max(0, Math.ceil(ms)), LATEST_MS);
