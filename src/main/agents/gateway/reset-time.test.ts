import { expect, test } from 'vitest';
import { limitResetsAt } from './reset-time';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const after = (seconds: number) => NOW + seconds * 1000;

test.each<[string, Record<string, string>, number | null]>([
  ['nothing told', {}, null],
  ['seconds', { 'retry-after': '30' }, after(30)],
  ['milliseconds', { 'retry-after-ms': '2500', 'retry-after': '9' }, after(2.5)],
  ['a date', { 'retry-after': 'Sun, 22 Nov 2026 10:02:00 GMT' }, after(120)],
  ['no pause at all is still a pause', { 'retry-after': '0' }, after(1)],
  ['a time in the past', { 'x-ratelimit-reset': String(NOW / 1000 - 60) }, after(1)],
  ['nonsense', { 'retry-after': 'soon' }, null],
  ['durations', { 'x-ratelimit-reset-requests': '1m30s', 'x-ratelimit-reset-tokens': '20ms' }, after(90)],
  ['hours', { 'x-ratelimit-reset-tokens': '1h2m0.5s' }, after(3720.5)],
  ['seconds since 1970', { 'x-ratelimit-reset': String(NOW / 1000 + 60) }, after(60)],
  ['milliseconds since 1970', { 'x-ratelimit-reset': String(NOW + 60_000) }, after(60)],
  ['seconds from now', { 'ratelimit-reset': '12' }, after(12)],
  [
    'the exhausted limit counts',
    {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-22T10:00:20Z',
      'anthropic-ratelimit-tokens-remaining': '500',
      'anthropic-ratelimit-tokens-reset': '2026-11-22T10:05:00Z',
    },
    after(20),
  ],
  [
    'the exhausted limit counts, in the other order of words',
    {
      'x-ratelimit-remaining-requests': '4',
      'x-ratelimit-reset-requests': '6m',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '8s',
    },
    after(8),
  ],
])('the reset time holds that %s', (_name, headers, expected) => {
  expect(limitResetsAt(headers, NOW)).toBe(expected);
});
