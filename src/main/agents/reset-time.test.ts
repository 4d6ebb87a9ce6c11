import { expect, test } from 'vitest';
import { parseReset } from './reset-time';

const now = Date.UTC(2026, 10, 22, 12, 30, 15);
const at = (hour: number, minute: number, day = 22) => Date.UTC(2026, 10, day, hour, minute);

test.each([
  ['Try again in 20s.', now + 20_000],
  ['Please retry after 1 hour 5 minutes', now + 65 * 60_000],
  ['please try again in 6m0.5s', now + 360_500],
  ['retry in 2 days, 3 hours and 1 min', now + 51 * 3_600_000 + 60_000],
  ['usage limit reached|1893456000', 1_893_456_000_000],
  ['It resets at 2026-11-23T01:02:03Z', Date.UTC(2026, 10, 23, 1, 2, 3)],
  ['limit reached, resets 3pm (UTC)', at(15, 0)],
  ['limit reached, resets at 12am (UTC)', at(0, 0, 23)],
  ['resets 12:30 (Europe/Berlin)', at(11, 30, 23)],
  ['resets 13:31 (Europe/Berlin)', at(12, 31)],
  ['resets 9:15 (Nowhere/Land)', null],
  [
    "You've hit your usage limit, or try again at Nov 23rd, 2026 3:05 AM.",
    new Date(2026, 10, 23, 3, 5).getTime(),
  ],
  ['weekly limit reached · resets Nov 24, 3am (Europe/Berlin)', at(2, 0, 24)],
  ['resets Nov 24 at 10:30pm (America/New_York)', at(3, 30, 25)],
  ['resets Jan 2, 9am (UTC)', Date.UTC(2027, 0, 2, 9)],
  ['resets Nov 24, 3am (Nowhere/Land)', null],
  ['try again at 12:30 PM (UTC)', at(12, 31)],
  ['try again at 12:29 PM (UTC)', at(12, 31)],
  ['resets Nov 22, 12:29pm (UTC)', at(12, 31)],
  ['Nov 20 10:00:00 host codex: rate limit', null],
  ['limit of Nov 24', null],
  ['2026-11-20T10:00:00Z ERROR rate limit', null],
  ['2026-11-22T12:30:14Z ERROR rate limit, try again in 20s', now + 20_000],
  ['rate limit, resets 2026-13-45T99:99:99Z', null],
  ['usage limit reached|1700000000', null],
  ['Rate limit reached for 5 requests', null],
  ['', null],
])('the reset time is read from the text "%s"', (text, time) => {
  expect(parseReset(text, undefined, now)).toBe(time);
});

test.each([
  [{ retry_after: 30 }, now + 30_000],
  [{ retryAfter: '30' }, now + 30_000],
  [{ error: { resets_in_seconds: 7 } }, now + 7000],
  [{ error: [{ resets_at: 1_893_456_000 }] }, 1_893_456_000_000],
  [{ resetsAt: '2030-01-01T00:00:00Z' }, Date.UTC(2030, 0, 1)],
  [{ retry_after_ms: 250 }, now + 250],
  [{ headers: { 'retry-after': '30' } }, now + 30_000],
  [{ headers: { 'Retry-After': 'Sun, 22 Nov 2026 12:32:15 GMT' } }, now + 120_000],
  [{ 'retry-after': 'soon' }, null],
  [{ retry_after: null, other: 5 }, null],
  ['text', null],
])('the reset time is read from the data %j', (data, time) => {
  expect(parseReset('', data, now)).toBe(time);
});
