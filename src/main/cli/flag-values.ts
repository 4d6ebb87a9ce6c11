import { minutesSchema } from '@contract/bounds';
import { appError } from '@contract/errors';
import { findingsOf } from '@contract/findings';
import { own } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@contract/time-units';
import type { z } from 'zod';

/** Which numbers a flag takes, as the core does. */
interface Range {
  readonly words: string;
  isIn(value: number): boolean;
}

export const wholeNumber = (least = 1, most?: number): Range => ({
  words: `a whole number ${most === undefined ? `from ${least}` : `from ${least} to ${most}`}`,
  isIn: (value) => Number.isSafeInteger(value) && value >= least && (most === undefined || value <= most),
});
export const minuteCount: Range = {
  words: 'a number above 0 and at most 525600, a year',
  isIn: (value) => minutesSchema.safeParse(value).success,
};
export const amount: Range = {
  words: 'a number above 0',
  isIn: (value) => Number.isFinite(value) && value > 0,
};

/** The number that a flag gives; undefined where it is left out. */
export function numberFlag(flag: string, text: string | undefined, range: Range): Result<number | undefined> {
  if (text === undefined) return ok(undefined);
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (range.isIn(value)) return ok(value);
  return err(appError('input.invalid', `--${flag} takes ${range.words}, not "${text}"`));
}

/** The entries of flags that were given: one that was left out changes nothing. */
export const given = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** What the flags describe, or the first thing that is wrong with it, by its field. */
export function draftFrom<T>(
  schema: z.ZodType<T>,
  values: Readonly<Record<string, unknown>>,
  { what, mend }: { readonly what: string; readonly mend: string },
): Result<T> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return ok(parsed.data);
  const [finding] = findingsOf(parsed.error);
  const field = finding === undefined || finding.path === '' ? '' : `${finding.path}: `;
  return err(appError('input.invalid', `${field}${finding?.message ?? `not ${what}`}`, { mend }));
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A time from now on, such as `45m`, `12h`, `30d` or `today`; null for `never`, undefined where it is none of these. */
export function timeFlag(text: string, now: number): number | null | undefined {
  if (text === 'never') return null;
  if (text === 'today') return new Date(now).setHours(24, 0, 0, 0);
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const ms = own(UNITS, unit ?? '');
  return ms === undefined ? undefined : now + Number(count) * ms;
}
