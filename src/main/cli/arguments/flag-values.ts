import { minutesSchema } from '@contract/bounds';
import { findingsOf } from '@contract/findings';
import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@contract/time-units';
import type { z } from 'zod';

/** The range of a numeric flag, as in the core. */
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

/** A flag's number; undefined if absent. */
export function numberFlag(flag: string, text: string | undefined, range: Range): Result<number | undefined> {
  if (text === undefined) return ok(undefined);
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (range.isIn(value)) return ok(value);
  return fail('input.invalid', `--${flag} takes ${range.words}, not "${text}"`);
}

/** The flags that were given: an absent one changes nothing. */
export const given = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The object described by the flags, or its first problem, by field. */
export function draftFrom<T>(
  schema: z.ZodType<T>,
  values: Readonly<Record<string, unknown>>,
  { what, mend }: { readonly what: string; readonly mend: string },
): Result<T> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return ok(parsed.data);
  const [finding] = findingsOf(parsed.error);
  const field = finding === undefined || finding.path === '' ? '' : `${finding.path}: `;
  return fail('input.invalid', `${field}${finding?.message ?? `not ${what}`}`, { mend });
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A future time such as `45m`, `12h`, `30d` or `today`; null for `never`, undefined if invalid. */
export function timeFlag(text: string, now: number): number | null | undefined {
  if (text === 'never') return null;
  if (text === 'today') return new Date(now).setHours(24, 0, 0, 0);
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const ms = ownValue(UNITS, unit ?? '');
  return ms === undefined ? undefined : now + Number(count) * ms;
}
