import { describe, expect, test } from 'vitest';
import { agentProfileSchema } from '../contract/profile';
import { fieldsOf, type Kind } from './fields';
import { emptyValues, parseValues, readEdits, toValues, writeEdits } from './form';

const profiles = [
  {
    kind: 'acp',
    id: 'a',
    name: 'A',
    command: 'agent',
    args: ['--acp', 'a b'],
    env: { X: '1=2' },
    secrets: ['KEY'],
  },
  {
    kind: 'acp',
    id: 'b',
    name: 'B',
    command: 'agent',
    mcp_servers: [{ name: 's', command: 'c', args: ['x'], env: {} }],
    silence_minutes: 5,
    read_only: true,
  },
  {
    kind: 'gateway',
    id: 'g',
    name: 'G',
    api: 'anthropic',
    base_url: 'http://127.0.0.1:1/v1',
    max_output_tokens: 10,
    prices: { input: 3, output: 15 },
  },
  {
    kind: 'gateway',
    id: 'o',
    name: 'O',
    api: 'openclaw',
    base_url: 'ws://127.0.0.1:18789',
    agent_id: 'main',
    session_key: 'night',
    api_key_secret: 'TOKEN',
  },
  { kind: 'scripted', id: 's', name: 'S', script: 'sample', model: 'm', permissions: 'deny' },
  { kind: 'cli', id: 'c', name: 'C', command: 'x', sentinel: 'DONE' },
].map((profile) => agentProfileSchema.parse(profile));

describe('the form of a profile', () => {
  test.each(profiles)('the form of a profile gives back profile $id as it was', (profile) => {
    expect(parseValues(profile.kind, toValues(profile))).toEqual({ ok: true, profile });
  });

  test.each(Object.keys(fieldsOf) as Kind[])(
    'the form has a field for everything that a profile of kind %s can say',
    (kind) => {
      // The schema of a gateway is a union by API.
      const shapes = agentProfileSchema
        .unwrap()
        .options.flatMap((option): { kind: { value: string } }[] =>
          'options' in option ? option.options.map((one) => one.unwrap().shape) : [option.shape],
        )
        .filter((shape) => shape.kind.value === kind);
      const known = new Set(shapes.flatMap((shape) => Object.keys(shape)));
      known.delete('kind');
      expect(fieldsOf[kind].map((field) => field.name).sort()).toEqual([...known].sort());
    },
  );

  test('the form says at its field what a gateway of this kind does not know', () => {
    const values = {
      ...emptyValues('gateway'),
      id: 'o',
      name: 'O',
      base_url: 'http://a.b',
      session_key: 'x',
    };
    expect(parseValues('gateway', values)).toMatchObject({
      ok: false,
      errors: { session_key: expect.any(String) },
    });
    const claw = parseValues('gateway', { ...values, api: 'openclaw' });
    expect(claw).toMatchObject({ ok: false, errors: { base_url: expect.stringContaining('ws://') } });
  });

  test('the form says at each field what is wrong with it', () => {
    const values = {
      ...emptyValues('gateway'),
      id: 'Has Spaces',
      base_url: 'nowhere',
      max_sessions: 'many',
      env: 'NOT A PAIR',
    };
    const parsed = parseValues('gateway', values);
    if (parsed.ok) throw new Error('it is not right');
    expect(parsed.errors).toMatchObject({
      id: expect.stringContaining('small letters'),
      name: 'Enter a value.',
      base_url: expect.any(String),
      max_sessions: '“many” is not a number.',
      env: '“NOT A PAIR” is not in the form NAME=value.',
    });
  });
});

describe('unsaved changes', () => {
  const saved = { name: 'A', model: '', read_only: false };

  test('unsaved changes come back over the saved profile, which may have changed elsewhere', () => {
    const kept = writeEdits(saved, { ...saved, model: 'large', read_only: true });
    expect({ ...saved, name: 'B', ...readEdits(kept) }).toEqual({
      name: 'B',
      model: 'large',
      read_only: true,
    });
  });

  test('unsaved changes are nothing where all stands as it was, or where they cannot be read', () => {
    expect(writeEdits(saved, { ...saved })).toBe('');
    for (const kept of ['', '{ broken', '[1]', '{"name": 1}']) expect(readEdits(kept)).toEqual({});
  });
});
