import { expect, test } from 'vitest';
import { diffOf } from './scopes';

test('the scope of the changes is read from the address', () => {
  expect(['turn/12', 'workspace', 'session', 'x'].map((scope) => diffOf(scope, 4))).toEqual([
    { kind: 'turn', turnId: 12 },
    { kind: 'workspace', sessionId: 4 },
    { kind: 'session', sessionId: 4 },
    { kind: 'session', sessionId: 4 },
  ]);
});
