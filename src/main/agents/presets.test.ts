import { canAsk } from '@areas/agents/contract/permission-capabilities';
import { expect, test } from 'vitest';
import { agentPresets, builtinProfiles } from './presets';

test('the built-in profile is the scripted one', () => {
  expect(builtinProfiles).toMatchObject([{ kind: 'scripted', id: 'scripted', script: 'default' }]);
});

test('the ids of presets are unique, and each preset makes a whole profile under its own id', () => {
  const ids = [...builtinProfiles, ...agentPresets].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const preset of agentPresets) {
    const profile = preset.profile(preset.programs[0] ?? '');
    // Agents that can ask do ask.
    const permissions = canAsk(profile) ? 'ask' : 'allow_edits';
    expect(profile).toMatchObject({ id: preset.id, name: preset.name, permissions, secrets: [] });
    expect(preset.programs.length).toBeGreaterThan(0);
    expect(preset.install).not.toBe('');
  }
});

test('a preset starts the program that was found, with what makes it speak the protocol', () => {
  const start = (id: string, program: string) => {
    const profile = agentPresets.find((preset) => preset.id === id)?.profile(program);
    return profile?.kind === 'acp' ? [profile.command, ...profile.args].join(' ') : null;
  };
  expect(start('opencode', 'opencode')).toBe('opencode acp');
  expect(start('claude', 'claude-code-acp')).toBe('claude-code-acp');
  expect(start('gemini', 'gemini')).toBe('gemini --experimental-acp');
  expect(start('qwen', 'qwen')).toBe('qwen --acp');
});

test('OpenClaw is connected at its own gateway', () => {
  const profile = agentPresets.find(({ id }) => id === 'openclaw')?.profile('openclaw');
  expect(profile).toMatchObject({
    kind: 'gateway',
    api: 'openclaw',
    base_url: 'ws://127.0.0.1:18789',
    api_key_secret: 'OPENCLAW_GATEWAY_TOKEN',
  });
});

// codex-acp hangs when asked for help.
test('no preset asks for more than a version', () => {
  expect(new Set(agentPresets.flatMap((preset) => preset.versionArgs))).toEqual(new Set(['--version']));
});
