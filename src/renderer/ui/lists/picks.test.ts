import { expect, test } from 'vitest';
import { extended, NO_PICKS, toggled } from './picks';

const rows = ['a', 'b', 'heading', 'c', 'd'].map((key) => ({ key, height: 1, heading: key === 'heading' }));
const keys = (picks: { readonly keys: ReadonlySet<string> }) => [...picks.keys].join('');

test('a row is picked and dropped again, and is where a range starts', () => {
  const one = toggled(NO_PICKS, 'c');
  expect(one).toEqual({ keys: new Set('c'), anchor: 'c' });
  expect(keys(extended(one, rows, { current: 'a', to: 'a' }))).toBe('abc');
  expect(keys(toggled(one, 'c'))).toBe('');
});

test('a range grows and shrinks from its start, and has no headings', () => {
  const first = extended(NO_PICKS, rows, { current: 'b', to: 'c' });
  expect([keys(first), first.anchor]).toEqual(['bc', 'b']);
  const longer = extended(first, rows, { current: 'c', to: 'd' });
  expect(keys(longer)).toBe('bcd');
  expect(keys(extended(longer, rows, { current: 'd', to: 'a' }))).toBe('ab');
});

test('a range whose start has left the list begins where it ends', () => {
  const gone = { keys: new Set('x'), anchor: 'x' };
  expect(extended(gone, rows, { current: null, to: 'b' })).toEqual({ keys: new Set('b'), anchor: 'b' });
});
