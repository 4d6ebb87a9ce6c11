import { expect, test } from 'vitest';
import {
  asksBeforeWrites,
  canAsk,
  fitsOwnCheckout,
  heldToReading,
  sandboxOf,
  speakerOf,
  terminalPresetOf,
} from './permission-capabilities';
import { agentProfileSchema } from './profile';

const cli = (more: Record<string, unknown> = {}) =>
  agentProfileSchema.parse({ kind: 'cli', id: 'c', name: 'C', command: 'codex', ...more });

test.each([
  [{ preset: 'codex-exec' }, false, 'allow_edits'],
  [{ preset: 'codex-exec', permissions: 'ask' }, false, 'ask'],
  [{ preset: 'codex-exec', permissions: 'deny' }, false, 'deny'],
  [{ preset: 'codex' }, true, 'ask'],
  [{}, true, 'ask'],
])('a terminal profile with %j can ask is %s, and its permissions are %s', (more, asks, permissions) => {
  expect([canAsk(cli(more)), cli(more).permissions]).toEqual([asks, permissions]);
});

test('a profile of another agent in a terminal still takes every preset, and no other word', () => {
  expect(() => cli({ preset: 'codecs' })).toThrow('no agent in a terminal is known as this');
  expect(cli({ preset: 'aider', sentinel: 'x' })).toMatchObject({ preset: 'aider', sentinel: 'x' });
});

test.each([
  [{ permissions: 'allow_edits' }, null, 'workspace-write'],
  [{ permissions: 'allow_edits' }, 'read-only', 'read-only'],
  [{ permissions: 'allow_all' }, null, 'danger-full-access'],
  [{ permissions: 'allow_all' }, 'workspace-write', 'workspace-write'],
  [{ permissions: 'allow_all', read_only: true }, null, 'read-only'],
  [{ permissions: 'deny' }, 'workspace-write', 'read-only'],
  [{ permissions: 'ask', read_only: true }, null, 'read-only'],
  [{ permissions: 'ask' }, 'workspace-write', null],
] as const)('a profile with %j in the mode %s gets the sandbox %s', (profile, mode, wanted) => {
  expect(sandboxOf({ read_only: false, ...profile }, mode)).toBe(wanted);
});

test.each([
  ['/usr/local/bin/claude', 'claude'],
  ['C:\\tools\\codex.exe', 'codex'],
  ['my-agent', 'generic'],
])('the program %s is recognized as the preset %s', (command, preset) => {
  expect(terminalPresetOf({ command })).toBe(preset);
});

test.each([
  ['/opt/bin/codex-acp', [], 'codex'],
  ['codex-acp.cmd', [], 'codex'],
  ['npx', ['-y', '@agentclientprotocol/codex-acp@2.6.0'], 'codex'],
  ['opencode', ['acp'], 'opencode'],
  ['my-agent', ['--model', 'gemini'], null],
] as const)('the command %s %j is recognized as %s', (command, args, speaker) => {
  expect(
    speakerOf(agentProfileSchema.parse({ kind: 'acp', id: 'a', name: 'A', command, args: [...args] })),
  ).toBe(speaker);
});

test.each([
  [{ preset: 'claude' }, true, false],
  [{ preset: 'codex' }, true, true],
  [{ preset: 'opencode' }, true, true],
  [{ preset: 'gemini' }, true, false],
  [{ preset: 'aider' }, false, true],
  [{ preset: 'generic' }, false, false],
  [{ preset: 'codex-exec' }, false, true],
])(
  'a terminal profile with %j asks before it writes is %s, and is held to reading is %s',
  (more, asks, held) => {
    expect(asksBeforeWrites(cli(more))).toBe(asks);
    expect(heldToReading(cli({ ...more, read_only: true }))).toBe(held);
    expect(heldToReading(cli(more))).toBe(false);
    expect(fitsOwnCheckout(cli({ ...more, permissions: 'allow_all' }))).toBe(asks);
    expect(fitsOwnCheckout(cli({ ...more, read_only: true }))).toBe(asks || held);
  },
);
