import { agentProfileSchema } from '@areas/agents/contract/profile';
import { describe, expect, test } from 'vitest';
import type { LaunchPolicy } from '../../modes';
import { agentPresets } from '../../presets';
import { startOf } from './launch-mode';

const started = (id: string, more: Partial<LaunchPolicy> = {}) => {
  const preset = agentPresets.find((one) => one.id === id);
  const known = preset?.profile(preset.programs[0] ?? '');
  const own = { kind: 'acp', id: 'own', name: 'Own', command: 'my-agent' };
  const profile = known ?? agentProfileSchema.parse(own);
  const start = startOf(profile, {
    mode: (profile.mode ?? null) as string | null,
    permissions: profile.permissions,
    readOnly: false,
    ownCheckout: false,
    ...more,
  });
  return start.ok ? start.value : { ...start.error, env: null };
};

describe("in the operator's own checkout", () => {
  const own = { ownCheckout: true, permissions: 'allow_all' } as const;

  test.each([
    ['codex', null, 'read-only', false],
    ['codex', 'workspace-write', 'read-only', true],
    ['codex', 'agent-full-access', 'read-only', true],
    ['claude', null, 'default', false],
    ['claude', 'acceptEdits', 'default', true],
    ['claude', 'bypassPermissions', 'default', true],
    ['claude', 'plan', 'plan', false],
    ['gemini', 'yolo', 'default', true],
    ['qwen', 'auto-edit', 'default', true],
  ])(
    "the agent %s in the mode %s starts in %s in the operator's own checkout",
    (...[id, mode, wanted, said]) => {
      const notice = said ? expect.stringContaining('Muster asks you before each write') : null;
      expect(started(id, { ...own, mode })).toMatchObject({ mode: wanted, notice });
    },
  );

  test('opencode is told to ask by its environment', () => {
    const env = { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask"}' };
    expect(started('opencode', own)).toMatchObject({ mode: null, env });
  });

  test("an unknown agent is refused in the operator's own checkout in a mode in which it would not ask", () => {
    expect(started('own', { ...own, mode: 'auto-approve' })).toMatchObject({
      code: 'agent.refused',
      mend: expect.stringContaining('Remove the mode'),
    });
    expect(started('own', { ...own, mode: 'careful' })).toMatchObject({ mode: 'careful' });
    expect(started('own', { mode: 'auto-approve' })).toMatchObject({ mode: 'auto-approve' });
  });
});

describe('in a worktree', () => {
  test('an agent whose profile asks starts so that it asks', () => {
    expect(started('codex')).toMatchObject({ mode: 'read-only' });
    expect(started('claude')).toMatchObject({ mode: 'default' });
    expect(started('opencode').env).toEqual({
      OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask"}',
    });
  });

  test('a mode that is named wins over what the profile allows', () => {
    expect(started('codex', { mode: 'workspace-write' })).toMatchObject({
      mode: 'workspace-write',
      notice: null,
    });
    expect(started('codex', { permissions: 'allow_edits' })).toMatchObject({ mode: 'workspace-write' });
    expect(started('claude', { permissions: 'allow_edits' })).toMatchObject({ mode: 'default' });
    expect(started('opencode', { permissions: 'allow_all' }).env).toEqual({});
  });
});

test.each(['ask', 'allow_edits', 'deny'] as const)(
  'every known agent starts in a mode that its profile with %s can be held to',
  (permissions) => {
    const modeOf = (id: string) => started(id, { permissions });
    for (const id of ['claude', 'gemini', 'qwen']) expect(modeOf(id)).toMatchObject({ mode: 'default' });
    const sandbox = permissions === 'allow_edits' ? 'workspace-write' : 'read-only';
    expect(modeOf('codex')).toMatchObject({ mode: sandbox });
    const command = permissions === 'deny' ? 'deny' : 'ask';
    expect(JSON.parse(modeOf('opencode').env?.OPENCODE_PERMISSION ?? '')).toMatchObject({ bash: command });
  },
);

describe('an agent that is read-only', () => {
  const reads = { readOnly: true, permissions: 'allow_all' } as const;

  test.each([
    ['codex', 'workspace-write', 'read-only'],
    ['claude', 'acceptEdits', 'default'],
    ['gemini', 'yolo', 'default'],
  ])('a read-only %s in the mode %s starts in %s, and that is said', (id, mode, wanted) => {
    expect(started(id, { ...reads, mode })).toMatchObject({
      mode: wanted,
      notice: expect.stringContaining('is read-only'),
    });
  });

  test('opencode may edit nothing, and asks before it runs something', () => {
    expect(started('opencode', reads).env).toEqual({
      OPENCODE_PERMISSION: '{"edit":"deny","bash":"ask","webfetch":"ask"}',
    });
  });
});
