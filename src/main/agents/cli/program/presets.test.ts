import { expect, test } from 'vitest';
import { helperScript } from './helper';
import { cliPresets, presetOf, type StartWish } from './presets';

const wish: StartWish = {
  model: null,
  mode: null,
  permissions: 'ask',
  readOnly: false,
  trusted: false,
  ownCheckout: false,
  folders: null,
  cwd: '/work tree',
  projectPath: '/project',
  folder: "/it's here",
  token: 'token',
  resume: null,
  freshId: 'fresh',
};
const args = (id: keyof typeof cliPresets, more: Partial<StartWish> = {}) =>
  cliPresets[id].start({ ...wish, ...more }).args.join(' ');

test('a profile is recognized by its preset, else by its command', () => {
  const idOf = (command: string) => presetOf({ command }).id;
  expect(idOf('/usr/local/bin/claude')).toBe('claude');
  expect(idOf('C:\\tools\\codex.exe')).toBe('codex');
  expect(idOf('my-agent')).toBe('generic');
  expect(presetOf({ command: 'my-agent', preset: 'aider' }).id).toBe('aider');
});

test('permissions become the modes of each agent, and a mode of the profile wins', () => {
  expect(args('claude')).toContain('--permission-mode manual');
  expect(args('claude', { permissions: 'allow_edits' })).toContain('--permission-mode acceptEdits');
  expect(args('claude', { readOnly: true, permissions: 'allow_all' })).toContain('--permission-mode plan');
  expect(args('claude', { mode: 'auto' })).toContain('--permission-mode auto');
  expect(args('codex')).toContain('--ask-for-approval on-request --sandbox read-only');
  expect(args('codex', { permissions: 'allow_edits' })).toContain('--sandbox workspace-write');
  expect(args('codex', { permissions: 'deny' })).toContain('--ask-for-approval never --sandbox read-only');
  expect(args('gemini', { permissions: 'allow_edits' })).toContain('--approval-mode auto_edit');
  expect(args('qwen', { permissions: 'allow_edits' })).toContain('--approval-mode auto-edit');
});

test("an agent in the operator's own checkout is started so that it asks before it writes", () => {
  const own = { ownCheckout: true } as const;
  for (const mode of ['acceptEdits', 'bypassPermissions', 'auto'])
    expect(args('claude', { ...own, mode })).toContain('--permission-mode manual');
  expect(args('claude', { ...own, mode: 'plan' })).toContain('--permission-mode plan');
  for (const permissions of ['ask', 'allow_edits', 'allow_all'] as const)
    for (const mode of [null, 'workspace-write', 'danger-full-access'])
      expect(args('codex', { ...own, permissions, mode })).toContain(
        '--ask-for-approval on-request --sandbox read-only',
      );
  expect(args('gemini', { ...own, mode: 'yolo' })).toContain('--approval-mode default');
  expect(args('qwen', { ...own, mode: 'auto-edit' })).toContain('--approval-mode default');
});

test('an agent that only reads, or may do nothing, is started so in any mode', () => {
  const reads = { readOnly: true, permissions: 'allow_all' } as const;
  expect(args('claude', { ...reads, mode: 'acceptEdits' })).toContain('--permission-mode plan');
  expect(args('codex', { ...reads, mode: 'workspace-write' })).toContain(
    '--ask-for-approval never --sandbox read-only',
  );
  expect(args('gemini', { ...reads, mode: 'yolo' })).toContain('--approval-mode plan');
  expect(args('qwen', { ...reads, mode: 'yolo' })).toContain('--approval-mode plan');
  expect(args('claude', { permissions: 'deny', mode: 'acceptEdits' })).toContain('--permission-mode dontAsk');
  expect(args('codex', { permissions: 'deny', mode: 'workspace-write' })).toContain('--sandbox read-only');
});

test('an earlier conversation is taken up by its own id, and a new one has an id where the agent takes one', () => {
  expect(args('claude')).toContain('--session-id fresh');
  expect(args('claude', { resume: 'old' })).toMatch(/--resume old(?!.*--session-id)/);
  expect(args('codex', { resume: 'old' })).toMatch(/^resume old /);
  expect(cliPresets.claude.start(wish).session).toBe('fresh');
  expect(cliPresets.codex.start(wish).session).toBeNull();
});

test('the folder is marked as trusted only where the profile says so', () => {
  expect(args('codex')).not.toContain('trust');
  expect(args('codex', { trusted: true })).toContain(
    'projects={"/work tree"={trust_level="trusted"},"/project"={trust_level="trusted"}}',
  );
  expect(cliPresets.claude.start(wish).env).not.toHaveProperty('CLAUDE_CODE_SANDBOXED');
});

test('everything that is written for an agent lies in the folder of its session', () => {
  for (const preset of Object.values(cliPresets)) {
    for (const { name } of preset.start(wish).files) expect(name).toMatch(/^[\w.]+$/);
  }
  const settings = JSON.parse(cliPresets.claude.start(wish).args[1] ?? '');
  expect(settings.hooks.Stop[0].hooks[0].command).toBe("'/it'\\''s here/signal.sh'");
  expect(helperScript("/it's here", 'token')).toContain("box='/it'\\''s here/signals.jsonl'");
});

test("an agent that may write is told of the run's folder for files, and so is a sandbox of the repository", () => {
  const folders = { repository: ['/project/.git/objects'], artifacts: '/runs/it is/artifacts' };
  const settings = (more: Partial<StartWish>) =>
    JSON.parse(cliPresets.claude.start({ ...wish, ...more }).args[1] ?? '');
  expect(settings({ folders }).permissions).toEqual({
    additionalDirectories: ['/runs/it is/artifacts'],
    allow: ['Edit(//runs/it is/artifacts/**)'],
  });
  expect(settings({ folders: { ...folders, artifacts: 'C:\\runs\\1/artifacts' } }).permissions.allow).toEqual(
    ['Edit(//c/runs/1/artifacts/**)'],
  );
  expect(settings({})).not.toHaveProperty('permissions');
  expect(args('codex', { folders })).toContain(
    '-c sandbox_workspace_write.writable_roots=["/project/.git/objects","/runs/it is/artifacts"]',
  );
  expect(args('codex')).not.toContain('writable_roots');
});
