import { expect, test } from 'vitest';
import { usedViews, withUsed } from './used-views';

test('a view is noted once as opened, and what was noted before stays', () => {
  expect(withUsed(undefined, 'runs')).toEqual(['runs']);
  expect(withUsed(['inbox'], 'runs')).toEqual(['inbox', 'runs']);
  expect(withUsed(['inbox', 'runs'], 'runs')).toBeNull();
});

test('an unreadable note of opened views is none', () => {
  expect([...usedViews('runs'), ...usedViews({ runs: true }), ...usedViews(null)]).toEqual([]);
  expect(withUsed([1, 'inbox'], 'runs')).toEqual(['inbox', 'runs']);
});
