import { agentProfileSchema } from '@areas/agents/contract/profile';
import { expect, test } from 'vitest';
import { permissionWords } from './permission-words';

const words = (more: Record<string, unknown>) =>
  permissionWords(agentProfileSchema.parse({ kind: 'cli', id: 'c', name: 'C', command: 'codex', ...more }));

test.each([
  [{}, '(workspace-write)'],
  [{ permissions: 'ask' }, 'Choose what it may do'],
  [{ permissions: 'deny' }, 'read-only sandbox'],
  [{ permissions: 'allow_all' }, 'has no sandbox'],
  [{ mode: 'own' }, 'the sandbox own'],
])('a profile of Codex without a terminal with %j shows: %s', (more, wanted) => {
  expect(words({ preset: 'codex-exec', ...more })).toContain(wanted);
});

test('an agent that can ask needs no words', () => {
  expect(words({ preset: 'codex' })).toBeNull();
  expect(words({ preset: 'claude', mode: 'plan' })).toBeNull();
  expect(words({ preset: 'aider', read_only: true })).toBeNull();
  expect(words({ preset: 'claude', mode: 'acceptEdits', permissions: 'allow_edits' })).toBeNull();
});

test.each([
  [{ preset: 'aider' }, 'This program does not ask'],
  [{ command: 'my-agent' }, 'does not start in your own checkout'],
  [{ command: 'my-agent', read_only: true }, 'your promise'],
  [{ preset: 'codex', mode: 'workspace-write' }, 'the mode workspace-write lets it write without asking'],
  [{ preset: 'claude', mode: 'acceptEdits', read_only: true }, 'the mode acceptEdits is ignored'],
])('a profile with %j shows where it differs from its permissions: %s', (more, wanted) => {
  expect(words(more)).toContain(wanted);
});

const acp = (command: string, more: Record<string, unknown>) =>
  permissionWords(agentProfileSchema.parse({ kind: 'acp', id: 'a', name: 'A', command, ...more }));

test('the form says which commands each agent runs without asking under its policy', () => {
  for (const permissions of ['ask', 'allow_edits', 'deny']) {
    for (const command of ['claude-agent-acp', 'gemini', 'qwen'])
      expect(acp(command, { permissions })).toContain('commands that only read');
    expect(acp('opencode', { permissions })).toBeNull();
  }
  expect(acp('codex-acp', { permissions: 'ask' })).toContain('can change nothing');
  expect(acp('codex-acp', { permissions: 'allow_edits' })).toContain('can write in the working folder');
  expect(acp('codex-acp', { permissions: 'allow_edits', read_only: true })).toContain('can change nothing');
  expect(acp('qwen', { permissions: 'allow_all' })).toBeNull();
});

test('the form says that opencode does not run in a terminal, and what to use instead', () => {
  expect(words({ command: 'opencode' })).toContain('Instead, use the agent opencode');
});
