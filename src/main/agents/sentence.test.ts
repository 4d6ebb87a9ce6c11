import { expect, it } from 'vitest';
import { LOGGED_OUT } from './sentence';

const REFRESH = 'Your access token could not be refreshed because';

it.each([
  'Authentication required',
  'Failed to authenticate. API Error: 401 Invalid authentication credentials',
  'OAuth token revoked · Please run /login',
  'OAuth token has expired. Please obtain a new token or refresh your existing token.',
  `${REFRESH} your refresh token has expired. Please log out and sign in again.`,
  `${REFRESH} your refresh token was revoked. Please log out and sign in again.`,
  `${REFRESH} you have since logged out or signed in to another account. Please sign in again.`,
  'unexpected status 401 Unauthorized: Missing bearer authentication in header',
  'auth error: login expired',
])('a missing login: %s', (words) => {
  expect(words).toMatch(LOGGED_OUT);
});

it.each([
  'stream disconnected before completion',
  'the build failed: token expected',
  'cannot write: the sandbox is read-only',
  'connection reset',
])('another failure: %s', (words) => {
  expect(words).not.toMatch(LOGGED_OUT);
});
