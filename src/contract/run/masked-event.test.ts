import { expect, test } from 'vitest';
import { agentProfileSchema } from '../catalog/profile';
import type { StoredEvent } from './events';
import { maskedEvent, maskedState } from './masked-event';
import type { RunState } from './state';

const env = { ANTHROPIC_API_KEY: 'sk-ant-topsecret', MODE: 'fast' };
const profiles = {
  a: agentProfileSchema.parse({ ...{ kind: 'acp', id: 'a', name: 'A', command: 'a' }, env }),
};
const definition = {
  steps: [
    { id: 'one', config: { agent_config: { model: 'm', env } } },
    {
      id: 'team',
      config: { lead: { agent_config: { env } }, members: [{ name: 'ana', agent_config: { env } }] },
    },
    { id: 'run', config: { script: 'x', env, 'not env': 'ANTHROPIC' } },
  ],
};
const sessions = { 1: { id: 1, env } };

test('A started run leaves the core without the plain secrets of its profiles and steps', () => {
  const stored = { seq: 1, event: { type: 'run.started', profiles, definition } } as unknown as StoredEvent;
  const state = { profiles, definition, sessions } as unknown as RunState;
  const told = JSON.stringify([maskedEvent(stored), maskedState(state)]);
  expect(told).not.toContain('topsecret');
  expect(told).toContain('"secrets":["ANTHROPIC_API_KEY"]');
  // Everything else is told.
  expect(told.match(/"MODE":"fast"/g)).toHaveLength(2 * 5 + 1);
  expect(told).toContain('"not env":"ANTHROPIC"');
  expect(JSON.stringify([stored, state])).toContain('topsecret');
});

test('A starting session leaves the core without the plain secrets that its step gave it', () => {
  const started = (variables: object): StoredEvent =>
    ({ seq: 2, event: { type: 'session.starting', sessionId: 1, env: variables } }) as unknown as StoredEvent;
  expect(maskedEvent(started(env))).toEqual(started({ MODE: 'fast' }));
  const plain = started({ MODE: 'fast' });
  expect(maskedEvent(plain)).toBe(plain);
});

test('Any other event stays the very same', () => {
  const stored = { seq: 2, event: { type: 'run.binned', by: 'x' } } as StoredEvent;
  expect(maskedEvent(stored)).toBe(stored);
});
