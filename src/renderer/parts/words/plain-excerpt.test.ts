import { expect, test } from 'vitest';
import { plainExcerpt } from './plain-excerpt';

test('an excerpt is read without marks of headings, tables, code and merged answers', () => {
  expect(
    plainExcerpt('…**is** booked. ## Input ═══ builder ═══ In `src/limit.ts` asks first. | --- | --- | up'),
  ).toBe('…is booked. Input builder In src/limit.ts asks first. up');
  expect(plainExcerpt('a_b - c | d and 3 > 2')).toBe('a_b - c d and 3 2');
});
