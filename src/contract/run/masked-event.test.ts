import { expect, test } from 'vitest';
import { agentProfileSchema } from '../catalog/profile';
import type { StoredEvent } from './events';
import { maskedEvent, maskedState } from './masked-event';
import type { RunState } from './state';

const profiles = {
  a: agentProfileSchema.parse({
    ...{ kind: 'acp', id: 'a', name: 'A', command: 'a' },
    env: { ANTHROPIC_API_KEY: 'sk-ant-topsecret', MODE: 'fast' },
  }),
};

test('A started run leaves the core without the plain secrets of its profiles', () => {
  const stored = { seq: 1, event: { type: 'run.started', profiles } } as unknown as StoredEvent;
  const told = JSON.stringify([maskedEvent(stored), maskedState({ profiles } as unknown as RunState)]);
  expect(told).not.toContain('topsecret');
  expect(told).toContain('"secrets":["ANTHROPIC_API_KEY"]');
  expect(JSON.stringify(stored)).toContain('topsecret');
});

test('Any other event stays the very same', () => {
  const stored = { seq: 2, event: { type: 'run.binned', by: 'x' } } as StoredEvent;
  expect(maskedEvent(stored)).toBe(stored);
});
