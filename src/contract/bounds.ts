import { z } from 'zod';
import { LATEST_DATE_MS, LONGEST_MINUTES, LONGEST_SECONDS, WHOLE_TEXT_BYTES } from './limits';
import { bytesOf, sizeWords } from './size-words';

/**
 * Bounds for values that people and agents enter: forms, YAML, tools, procedures, the HTTP API and the
 * command line. Schemas of stored events do not use them: stored data must stay readable when a bound
 * changes.
 */
const MINUTES = 'a number of minutes, more than 0 and at most 525600 (a year)';
const SECONDS = 'a number of seconds, more than 0 and at most 31536000 (a year)';

export const minutesSchema = z.number(MINUTES).positive(MINUTES).max(LONGEST_MINUTES, MINUTES);
export const secondsSchema = z.number(SECONDS).positive(SECONDS).max(LONGEST_SECONDS, SECONDS);

const PART = /^(?:(first|last) )?(\d{1,10}) ?(B|kB|KiB|MB|MiB)$/;
const LEAST_PART = 1024;
const LIMIT = `a size such as 64 KiB, first 64 KiB or last 1 MiB, from ${sizeWords(LEAST_PART)} to ${sizeWords(WHOLE_TEXT_BYTES)}`;

/** The part of a larger output that a step takes, as its author writes it. */
export interface OutputPart {
  readonly part: 'first' | 'last';
  readonly bytes: number;
}

export function outputPart(text: string): OutputPart | null {
  const [, part = 'first', count = '', unit = ''] = PART.exec(text.trim()) ?? [];
  const bytes = bytesOf(Number(count), unit);
  if (bytes < LEAST_PART || bytes > WHOLE_TEXT_BYTES) return null;
  return { part: part === 'last' ? 'last' : 'first', bytes };
}

export const outputLimitSchema = z.string(LIMIT).refine((text) => outputPart(text) !== null, LIMIT);

/**
 * A time as stored: whole milliseconds within the range of a date. Rounded up, so that a timer never fires
 * early.
 */
export const storedTime = (ms: number): number => Math.min(Math.max(0, Math.ceil(ms)), LATEST_DATE_MS);

/**
 * The widest bounds, for what is stored and imported too: more bytes, tokens or milliseconds than there will
 * be, each a valid date, and small enough for exact sums.
 */
export const LARGEST_NUMBER = 1_000_000_000_000_000;

/** A whole number: a count, a size, a code. `positive()` and the like narrow it. */
export const whole = () => z.number().int().min(-LARGEST_NUMBER).max(LARGEST_NUMBER);

/** A number with a fraction: minutes, money. */
export const amount = () => z.number().min(-LARGEST_NUMBER).max(LARGEST_NUMBER);

/** A text that says something. */
export const requiredText = (message = 'write a text: it is blank') => z.string().regex(/\S/, message);

/** Whether a value can be printed as a time. Rows of a database may hold anything. */
export const isTime = (at: number): boolean => at >= 0 && at <= LATEST_DATE_MS;
