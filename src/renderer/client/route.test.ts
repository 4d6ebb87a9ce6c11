import { describe, expect, test } from 'vitest';
import { addressOf, formatRoute, hashOf, hashOfAddress, parseRoute, type Route, withQuery } from './route';

describe('a route', () => {
  test('a route is the same after it was written and read', () => {
    const routes: Route[] = [
      { path: ['run', '01JABC', 'turn', '3'], query: {} },
      { path: ['workflow', '1', '.muster/workflows/a b.yaml'], query: { show: 'text' } },
      { path: [], query: { q: 'a & b = c?' } },
    ];
    for (const route of routes) expect(parseRoute(formatRoute(route))).toEqual(route);
  });

  test('a route takes hashes with and without a slash, and broken escapes as they are', () => {
    expect(parseRoute('#inbox').path).toEqual(['inbox']);
    expect(parseRoute('#/run/%E0%A4%A').path).toEqual(['run', '%E0%A4%A']);
    expect(parseRoute('').path).toEqual([]);
  });

  test('a route leaves empty values out', () => {
    expect(formatRoute({ path: ['runs'], query: { q: '', status: 'failed' } })).toBe('#/runs?status=failed');
  });

  test('a route keeps the search where another row is chosen', () => {
    expect(withQuery('#/session/1/2', { q: 'a b' })).toBe('#/session/1/2?q=a+b');
    expect(withQuery('#/session/1/2', { q: '' })).toBe('#/session/1/2');
  });

  test('a route becomes an address and back', () => {
    expect(addressOf('run', '01J', 'turn', 3)).toBe('muster://run/01J/turn/3');
    expect(hashOfAddress(' muster://run/01J/turn/3 ')).toBe(hashOf('run', '01J', 'turn', 3));
    expect(hashOfAddress('https://example.com')).toBeNull();
  });
});
