import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { MINUTE_MS } from '@contract/time-units';

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};

const SECONDS_KEYS = /^(retry[_-]?after|resets?_?in(_?seconds)?|retry_?after_?seconds)$/i;
const MILLIS_KEYS = /^(retry[_-]?after[_-]?ms|resets?_?in_?ms)$/i;
const TIME_KEYS = /^(resets?_?at|reset_?time|retry_?at|limit_?resets_?at)$/i;

const UNIT = 'd(?:ays?)?|h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?';
const AMOUNT = String.raw`\d+(?:\.\d+)?\s*(?:${UNIT})(?![a-z])[\s,]*(?:and\s+)?`;
const DURATION = new RegExp(String.raw`\b(?:in|after)\s+((?:${AMOUNT})+)`, 'i');

const ISO = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g;

/** When a provider's limit ends, according to the agent's words and data; null if they do not say. */
export function parseReset(text: string, data: Json | undefined, now: number): number | null {
  return fromData(data, now) ?? fromText(text, now);
}

function fromData(data: Json | undefined, now: number): number | null {
  if (typeof data !== 'object' || data === null) return null;
  for (const [key, value] of Object.entries(data)) {
    const found = fromField(key, value as Json, now) ?? fromData(value as Json, now);
    if (found !== null) return found;
  }
  return null;
}

function fromField(key: string, value: Json, now: number): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value !== ''
        ? Number(value)
        : Number.NaN;
  if (SECONDS_KEYS.test(key) && Number.isFinite(number)) return now + number * 1000;
  if (MILLIS_KEYS.test(key) && Number.isFinite(number)) return now + number;
  // Like a header, it may also be a date.
  if (!TIME_KEYS.test(key) && !SECONDS_KEYS.test(key)) return null;
  if (Number.isFinite(number)) return epoch(number);
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(parsed) ? parsed : null;
}

/** Seconds or milliseconds since 1970. */
const epoch = (number: number): number => (number < 1e11 ? number * 1000 : number);

function fromText(text: string, now: number): number | null {
  const stamps = [...text.matchAll(/\|(\d{10,13})\b/g)].map(([, stamp]) => epoch(Number(stamp)));
  const dates = [...text.matchAll(ISO)].map(([date]) => Date.parse(date));
  // A past time refers to something else: when the error was written, or the request sent.
  const reported = [...stamps, ...dates].find((time) => time > now);
  if (reported !== undefined) return reported;
  return fromDate(text, now) ?? fromDuration(text, now) ?? fromClock(text, now);
}

/** Times are given in minutes: one that has just passed means today, not tomorrow. */
const JUST_PAST = 2 * MINUTE_MS;
/** A date without a year that is further in the future is in the past, for example in a log line. */
const HALF_YEAR = 183 * 24 * 60 * MINUTE_MS;
const nextMinute = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DATE = new RegExp(
  String.raw`\b(${MONTHS.join('|')})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?` +
    String.raw`(\d{1,2})(?::(\d\d))?\s*([ap]m)?(?:\s*\(([^)]+)\))?`,
  'i',
);

/**
 * `try again at Nov 23rd, 2026 3:05 AM`, `resets Nov 24, 3am (Europe/Berlin)`: without a year, the next such
 * day.
 */
function fromDate(text: string, now: number): number | null {
  const [, month = '', day, year, hour, minute, half, zone] = DATE.exec(text) ?? [];
  if (minute === undefined && half === undefined) return null;
  const at = (inYear: number) => {
    const date = { year: inYear, month: MONTHS.indexOf(month.toLowerCase()), day: Number(day) };
    return timeIn(zone, { ...date, minutes: hourOf(hour, half) * 60 + Number(minute ?? 0) });
  };
  const thisYear = new Date(now).getFullYear();
  const years = year === undefined ? [thisYear, thisYear + 1] : [Number(year)];
  const fits = (time: number | null) => time !== null && time > now - JUST_PAST && time < now + HALF_YEAR;
  const resetDate = years.map(at).find(fits) ?? null;
  return resetDate === null || resetDate > now ? resetDate : nextMinute(now);
}

const hourOf = (hour: string | undefined, half: string | undefined): number =>
  (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'pm' ? 12 : 0);

interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Since midnight. */
  readonly minutes: number;
}

/** When clocks in a zone show this time; default: the machine's own zone. */
function timeIn(zone: string | undefined, { year, month, day, minutes }: WallTime): number | null {
  if (zone === undefined) return new Date(year, month, day, 0, minutes).getTime();
  const asUtc = Date.UTC(year, month, day, 0, minutes);
  const shown = shownIn(zone, asUtc);
  if (shown === null) return null;
  const first = 2 * asUtc - shown;
  // A clock change may be in between.
  return first + asUtc - (shownIn(zone, first) ?? asUtc);
}

/** What clocks in a zone show at a time, as if it were UTC. */
function shownIn(zone: string, time: number): number | null {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    });
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute);
  } catch {
    return null;
  }
}

/** `try again in 1 hour 5 minutes`, `retry after 20s`, `in 6m0.5s`. */
function fromDuration(text: string, now: number): number | null {
  const match = DURATION.exec(text);
  if (!match?.[1]) return null;
  let total = 0;
  for (const [, amount, unit] of match[1].matchAll(/(\d+(?:\.\d+)?)\s*([smhd])/gi)) {
    total += Number(amount) * (ownValue(UNITS, unit?.toLowerCase() ?? '') ?? 0);
  }
  return total > 0 ? now + total : null;
}

/** `resets at 3pm`, `resets 15:30 (Europe/Berlin)`: the next such time. */
function fromClock(text: string, now: number): number | null {
  const match =
    /\b(?:resets?|again|until|at)\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*([ap]m)?(?:\s*\(([^)]+)\))?/i.exec(
      text,
    );
  if (!match || (match[2] === undefined && match[3] === undefined)) return null;
  const wanted = hourOf(match[1], match[3]) * 60 + Number(match[2] ?? 0);
  const shown = minuteOfDay(now, match[4]);
  if (shown === null) return null;
  const past = (shown - wanted + 24 * 60) % (24 * 60);
  if (past * MINUTE_MS <= JUST_PAST) return nextMinute(now);
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + (24 * 60 - past) * MINUTE_MS;
}

function minuteOfDay(now: number, zone: string | undefined): number | null {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(zone ? { timeZone: zone } : {}),
    });
    const [hour, minute] = format.format(now).split(':').map(Number);
    return (hour ?? 0) * 60 + (minute ?? 0);
  } catch {
    return null;
  }
}
