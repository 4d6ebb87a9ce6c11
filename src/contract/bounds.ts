import { z } from 'zod';
import { LATEST_DATE_MS, LONGEST_MINUTES, LONGEST_SECONDS } from './limits';

/**
 * Bounds of what people and agents enter: forms, YAML, tools, procedures, the HTTP API and the command line. Schemas of
 * stored events do not use them, because what was stored must stay readable when a bound changes.
 */
const MINUTES = 'a number of minutes, more than 0 and at most 525600 (a year)';
const SECONDS = 'a number of seconds, more than 0 and at most 31536000 (a year)';

export const minutesSchema = z.number(MINUTES).positive(MINUTES).max(LONGEST_MINUTES, MINUTES);
export const secondsSchema = z.number(SECONDS).positive(SECONDS).max(LONGEST_SECONDS, SECONDS);

/**
 * A time as it is stored: whole milliseconds that a date can show. Rounded up, so that a timer never fires before its
 * time is over.
 */
export const storedTime = (ms: number): number => Math.min(Math.max(0, Math.ceil(ms)), LATEST_DATE_MS);
