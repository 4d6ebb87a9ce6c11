import { expect, test } from 'vitest';
import { sessionStanding } from './standing';

const capabilities = { resume: true, cancel: true, permissions: true, images: false, embeddedFiles: false };
const gone = { status: 'lost', providerSessionId: 'abc', capabilities } as const;

test('a session whose program is gone is resumable where its next turn finds its conversation again', () => {
  expect(sessionStanding(gone)).toBe('resumable');
  expect(sessionStanding({ ...gone, capabilities: null })).toBe('resumable');
  expect(sessionStanding({ ...gone, capabilities: { ...capabilities, resume: false } })).toBe('lost');
  expect(sessionStanding({ ...gone, providerSessionId: null })).toBe('lost');
  expect(sessionStanding({ ...gone, status: 'parked' })).toBe('parked');
});
