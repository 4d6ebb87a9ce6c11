import { expect, test } from 'vitest';
import { masked, plainSecrets } from './plain-secrets';
import { agentProfileSchema } from './profile';

const profile = (env: Record<string, string>) =>
  agentProfileSchema.parse({ kind: 'acp', id: 'a', name: 'A', command: 'a', env, secrets: ['KEPT'] });

test.each([
  ['ANTHROPIC_API_KEY', 'anything-long'],
  ['GITHUB_TOKEN', '12345678'],
  ['DB_PASSWORD', 'correct horse'],
  ['aws_secret_access_key', 'abcdefgh'],
  ['PLAIN', 'sk-ant-123456'],
])('The value of %s is taken for a secret', (name, value) => {
  expect(plainSecrets(profile({ [name]: value }))).toEqual([name]);
});

test.each([
  ['ANTHROPIC_BASE_URL', 'http://127.0.0.1:8080'],
  ['MOCK_KEY', 'x'],
  ['MAX_TOKENS', '200000000'],
  ['KEYBOARD_LAYOUT', 'de-latin1'],
  ['API_KEY', ''],
])('The value of %s is no secret', (name, value) => {
  expect(plainSecrets(profile({ [name]: value }))).toEqual([]);
});

test('A masked profile names its secrets and has none of their values', () => {
  const shown = masked(profile({ MY_TOKEN: 'topsecretvalue', MODE: 'fast' }));
  expect(JSON.stringify(shown)).not.toContain('topsecretvalue');
  expect([shown.env, shown.secrets]).toEqual([{ MODE: 'fast' }, ['KEPT', 'MY_TOKEN']]);
});
