import { agentProfileSchema } from '@areas/agents/contract/profile';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { unchecked } from '../testing/unchecked';
import { eventKinds, type RunEvent, type StoredEvent } from './events';
import { maskedEvent, maskedState } from './masked-event';
import { runStarted, stateAfter, storedEvents, workflow } from './testing/events';

const env = { ANTHROPIC_API_KEY: 'sk-ant-topsecret', MODE: 'fast' };
const profiles = {
  a: agentProfileSchema.parse({ kind: 'acp', id: 'a', name: 'A', command: 'a', env }),
};
const definition = workflow([
  { id: 'one', config: { agent_config: { model: 'm', env } } },
  {
    id: 'team',
    config: { lead: { agent_config: { env } }, members: [{ name: 'ana', agent_config: { env } }] },
  },
  { id: 'run', config: { script: 'x', env, 'not env': 'ANTHROPIC' } },
]);
const starting = {
  type: 'session.starting',
  sessionId: 1,
  activationId: 1,
  profileId: 'a',
  model: null,
  mode: null,
  env,
} as const;
const events: RunEvent[] = [
  runStarted({ profiles, definition }),
  { type: 'activation.started', activationId: 1, stepId: 'run', attempt: 1, inputs: [] },
  { type: 'activation.expanded', activationId: 1, texts: {}, env, warnings: [] },
  starting,
];

test('A started run leaves the core without the plain secrets of its profiles and steps', () => {
  const [stored] = storedEvents(events);
  if (stored === undefined) throw new Error('no event');
  const state = stateAfter(events);
  const told = JSON.stringify([maskedEvent(stored), maskedState(state)]);
  expect(told).not.toContain('topsecret');
  expect(told).toContain('"secrets":["ANTHROPIC_API_KEY"]');
  // Everything else is passed on.
  expect(told.match(/"MODE":"fast"/g)).toHaveLength(2 * 5 + 2);
  expect(told).toContain('"not env":"ANTHROPIC"');
  expect(JSON.stringify([stored, state])).toContain('topsecret');
});

test('A starting session leaves the core without the plain secrets that its step gave it', () => {
  const started = (variables: Record<string, string>): StoredEvent => ({
    id: 2,
    runId: 1,
    seq: 2,
    at: 1,
    event: { ...starting, env: variables },
  });
  expect(maskedEvent(started(env))).toEqual(started({ MODE: 'fast' }));
  const plain = started({ MODE: 'fast' });
  expect(maskedEvent(plain)).toBe(plain);
});

test('Any other event stays the very same', () => {
  const stored = { seq: 2, event: { type: 'run.binned', by: 'x' } } as StoredEvent;
  expect(maskedEvent(stored)).toBe(stored);
});

/** Paths of a schema's fields; `seen` stops at recursive schemas such as JSON. */
function fieldsOf(schema: z.core.$ZodType, path = '', seen: readonly unknown[] = []): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => [
        `${path}${name}`,
        ...fieldsOf(inner, `${path}${name}.`, seen),
      ]);
    case 'array':
      return fieldsOf(def.element, path, seen);
    case 'record':
      return fieldsOf(def.valueType, path, seen);
    case 'optional':
    case 'nullable':
    case 'default':
      return fieldsOf(def.innerType, path, seen);
    case 'union':
      return def.options.flatMap((option) => fieldsOf(option, path, seen));
    case 'lazy':
      return seen.includes(schema) ? [] : fieldsOf(def.getter(), path, [...seen, schema]);
    default:
      return [];
  }
}

test('Every event with environment variables leaves the core without those that look like secrets', () => {
  const paths = eventKinds.flatMap(({ type, schema }) =>
    fieldsOf(schema)
      .filter((field) => /(^|\.)env$/.test(field))
      .map((field) => ({ type, field })),
  );
  // `run.started` is masked by its profiles and steps; in every other event only the field `env` itself.
  const others = paths.filter(({ type, field }) => type !== 'run.started' || !field.startsWith('profiles.'));
  expect(others.filter(({ field }) => field !== 'env')).toEqual([]);
  expect(others.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['session.starting', 'command.started']),
  );
  for (const { type } of others) {
    const stored = unchecked<StoredEvent>({ seq: 3, event: { type, env } });
    expect(maskedEvent(stored), type).toEqual({ seq: 3, event: { type, env: { MODE: 'fast' } } });
  }
});
