import { expect, test } from 'vitest';
import { noticeText } from './notice-text';

test('text of an agent is no markup of the desktop', () => {
  const nasty = 'Failed: <a href="https://example.org">open & see</a>';
  expect(noticeText(nasty, 'linux')).toBe(
    'Failed: &lt;a href="https://example.org"&gt;open &amp; see&lt;/a&gt;',
  );
  expect(noticeText(nasty, 'darwin')).toBe(nasty);
});

test('a long text is cut before it is marked up', () => {
  expect(noticeText('<'.repeat(1000), 'linux')).toBe('&lt;'.repeat(240));
});
