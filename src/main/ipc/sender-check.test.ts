import { describe, expect, test } from 'vitest';
import { isTrusted, type Sender } from './sender-check';

const page = 'app://muster/index.html';
const ours: Sender = { url: 'app://muster/index.html#/run/1', mainFrame: true, ownWindow: true };

describe('a message is taken', () => {
  test('a message is taken from the main frame of our window with our page', () => {
    expect(isTrusted(ours, page)).toBe(true);
    expect(isTrusted({ ...ours, url: 'http://localhost:5173/x' }, 'http://localhost:5173')).toBe(true);
  });

  test.each<[string, Partial<Sender>]>([
    ['a frame in it', { mainFrame: false }],
    ['another window', { ownWindow: false }],
    ['a frame that is gone', { url: null }],
    ['another host', { url: 'app://other/index.html' }],
    ['another scheme', { url: 'https://muster/index.html' }],
    ['a file', { url: 'file:///index.html' }],
    ['a host with our name before it', { url: 'app://muster@evil/' }],
    ['a longer host', { url: 'app://muster.evil/' }],
    ['an empty page', { url: 'about:blank' }],
    ['no address', { url: '' }],
  ])('a message is not taken from %s', (_name, change) => {
    expect(isTrusted({ ...ours, ...change }, page)).toBe(false);
  });
});
