import { expect, it } from 'vitest';
import { canAsk, sandboxOf } from './leave';
import { agentProfileSchema } from './profile';

const cli = (more: Record<string, unknown> = {}) =>
  agentProfileSchema.parse({ kind: 'cli', id: 'c', name: 'C', command: 'codex', ...more });

it.each([
  [{ preset: 'codex-exec' }, false, 'allow_edits'],
  [{ preset: 'codex-exec', permissions: 'ask' }, false, 'ask'],
  [{ preset: 'codex-exec', permissions: 'deny' }, false, 'deny'],
  [{ preset: 'codex' }, true, 'ask'],
  [{}, true, 'ask'],
])('%j: it can ask %s, its permissions are %s', (more, asks, permissions) => {
  expect([canAsk(cli(more)), cli(more).permissions]).toEqual([asks, permissions]);
});

it('a profile of another agent in a terminal still takes every preset, and no other word', () => {
  expect(() => cli({ preset: 'codecs' })).toThrow('no agent in a terminal is known as this');
  expect(cli({ preset: 'aider', sentinel: 'x' })).toMatchObject({ preset: 'aider', sentinel: 'x' });
});

it.each([
  [{ permissions: 'allow_edits' }, null, 'workspace-write'],
  [{ permissions: 'allow_edits' }, 'read-only', 'read-only'],
  [{ permissions: 'allow_all' }, null, 'danger-full-access'],
  [{ permissions: 'allow_all' }, 'workspace-write', 'workspace-write'],
  [{ permissions: 'allow_all', read_only: true }, null, 'read-only'],
  [{ permissions: 'deny' }, 'workspace-write', 'read-only'],
  [{ permissions: 'ask', read_only: true }, null, 'read-only'],
  [{ permissions: 'ask' }, 'workspace-write', null],
] as const)('%j in the mode %s: the sandbox %s', (profile, mode, wanted) => {
  expect(sandboxOf({ read_only: false, ...profile }, mode)).toBe(wanted);
});
