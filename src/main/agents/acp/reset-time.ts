import type { Json } from '@contract/ids';

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };

const SECONDS_KEYS = /^(retry[_-]?after|resets?_?in(_?seconds)?|retry_?after_?seconds)$/i;
const MILLIS_KEYS = /^(retry[_-]?after[_-]?ms|resets?_?in_?ms)$/i;
const TIME_KEYS = /^(resets?_?at|reset_?time|retry_?at|limit_?resets_?at)$/i;

const UNIT = 'd(?:ays?)?|h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?';
const AMOUNT = String.raw`\d+(?:\.\d+)?\s*(?:${UNIT})(?![a-z])[\s,]*(?:and\s+)?`;
const DURATION = new RegExp(String.raw`\b(?:in|after)\s+((?:${AMOUNT})+)`, 'i');

const ISO = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g;

/** When a provider's limit ends, as far as the agent's words and data tell; null where they do not. */
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
  // As a header it may also be a date.
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
  // A time that has passed is of something else: when the error was written, or the request sent.
  const told = [...stamps, ...dates].find((time) => time > now);
  if (told !== undefined) return told;
  return fromDuration(text, now) ?? fromClock(text, now);
}

/** `try again in 1 hour 5 minutes`, `retry after 20s`, `in 6m0.5s`. */
function fromDuration(text: string, now: number): number | null {
  const match = DURATION.exec(text);
  if (!match?.[1]) return null;
  let total = 0;
  for (const [, amount, unit] of match[1].matchAll(/(\d+(?:\.\d+)?)\s*([smhd])/gi)) {
    total += Number(amount) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0);
  }
  return total > 0 ? now + total : null;
}

/** `resets at 3pm`, `resets 15:30 (Europe/Berlin)`: the next time that a clock shows it. */
function fromClock(text: string, now: number): number | null {
  const match =
    /\b(?:resets?|again|until|at)\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*([ap]m)?(?:\s*\(([^)]+)\))?/i.exec(
      text,
    );
  if (!match || (match[2] === undefined && match[3] === undefined)) return null;
  const hour = (Number(match[1]) % (match[3] ? 12 : 24)) + (match[3]?.toLowerCase() === 'pm' ? 12 : 0);
  const wanted = hour * 60 + Number(match[2] ?? 0);
  const shown = minuteOfDay(now, match[4]);
  if (shown === null) return null;
  const wait = (wanted - shown + 24 * 60) % (24 * 60);
  return Math.floor(now / MINUTE) * MINUTE + (wait === 0 ? 24 * 60 : wait) * MINUTE;
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
