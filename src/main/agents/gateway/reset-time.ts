import { ownValue } from '@contract/own';
import { SOONEST_RESET_MS } from '../../limits/core';
export type Headers = Readonly<Record<string, string>>;

/** When the provider's limit ends, according to its headers; null if they do not say. */
export function limitResetsAt(headers: Headers, now: number): number | null {
  const resetAt = retryAfter(headers, now) ?? latestReset(headers, now);
  return resetAt === null ? null : Math.max(resetAt, now + SOONEST_RESET_MS);
}

function retryAfter(headers: Headers, now: number): number | null {
  const ms = Number(headers['retry-after-ms'] || Number.NaN);
  if (Number.isFinite(ms)) return now + ms;
  return readTime(headers['retry-after'], now);
}

const RESET = /^(?:anthropic-|x-)?rate-?limit-(?:reset(?:-(.+))?|(.+)-reset)$/;

/** The latest of the exhausted limits; if none is marked as exhausted, of all. */
function latestReset(headers: Headers, now: number): number | null {
  const resets = Object.entries(headers).flatMap(([header, value]) => {
    const match = RESET.exec(header);
    const at = match ? readTime(value, now) : null;
    return at === null ? [] : [{ at, exhausted: remaining(headers, header) === 0 }];
  });
  const exhausted = resets.filter((reset) => reset.exhausted);
  const counting = (exhausted.length > 0 ? exhausted : resets).map((reset) => reset.at);
  return counting.length === 0 ? null : Math.max(...counting);
}

function remaining(headers: Headers, resetHeader: string): number | null {
  const value = ownValue(headers, resetHeader.replace('reset', 'remaining'));
  return value === undefined || value === '' ? null : Number(value);
}

const DURATION =
  /^(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;

/** Seconds from now, seconds or milliseconds since 1970, `6m0.5s`, or a date in any common format. */
function readTime(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (text === '') return null;
  const number = Number(text);
  if (Number.isFinite(number)) {
    if (number > 1e11) return number;
    return number > 1e8 ? number * 1000 : now + number * 1000;
  }
  const duration = DURATION.exec(text);
  if (duration) {
    const [hours, minutes, seconds, millis] = duration.slice(1).map((part) => Number(part ?? 0));
    return now + ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000 + (millis ?? 0);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date;
}
