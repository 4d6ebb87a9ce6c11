import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { yamlReader } from '@main/adapters/yaml/document';
import { yamlEditor } from '@main/adapters/yaml/edit';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SettingsChange } from '../contract/project-settings';
import { worktreeSetup } from '../contract/project-settings';
import { ProjectSettingsFile } from './project-settings-file';

let project: string;
let file: string;
const told = vi.fn();
let settings: ProjectSettingsFile;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'muster-settings-'));
  file = join(project, '.muster', 'project.yaml');
  told.mockClear();
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: new Map(),
    profiles: () => ({}),
    defaultProfile: () => null,
  });
  settings = new ProjectSettingsFile({
    editor: yamlEditor,
    project: (id) => (id === 1 ? { path: project } : null),
    shown: async (path) => {
      const { settings: found = null, problems } = await files.settingsOf(path);
      const { copy, ...worktree } = worktreeSetup(found ?? undefined, undefined);
      return { settings: found, worktree: { ...worktree, copy: [...copy] }, problems: [...problems] };
    },
    changed: told,
  });
});

const text = () => readFileSync(file, 'utf8');
const write = (content: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
const change = async (wanted: SettingsChange) => {
  const done = await settings.change(1, wanted);
  if (!done.ok) throw new Error(`${done.error.code}: ${done.error.message}`);
  return done.value;
};

test('settings that are changed hold, and comments and other lines of the file stay', async () => {
  write('# Ours.\nworktree:\n  # The keys.\n  copy: [.env]\nsign: never # for now\n');
  await change({ copy: ['.env', 'keys/*.pem'], setup: 'npm ci' });
  const shown = await change({ hooks: 'never', sign: 'as-configured' });
  expect(shown).toMatchObject({
    worktree: { copy: ['.env', 'keys/*.pem'], setup: 'npm ci', teardown: null, submodules: true },
    settings: { sign: 'as-configured', hooks: 'never' },
    problems: [],
  });
  expect(text()).toMatch(/^# Ours\.\nworktree:\n {2}# The keys\.\n/);
  expect(text()).toContain('# for now');
  expect(told.mock.calls).toEqual([[1], [1]]);
});

test('a project without the file gets one with every key explained', async () => {
  await change({ submodules: false });
  expect(text()).toContain('submodules: false');
  expect(text()).toContain('# setup: npm ci');
});

test.each(['', '# Only a comment\n', 'worktree: {}\n', 'worktree:\n  setup: x\n'])(
  'any setting can be made and taken back in the file %j',
  async (content) => {
    write(content);
    const all: SettingsChange[] = [
      { copy: ['a'] },
      { setup: 'make' },
      { teardown: 'down' },
      { submodules: false },
      { sign: 'never' },
      { hooks: 'never' },
    ];
    for (const one of all) await change(one);
    expect(await change({})).toMatchObject({
      worktree: { copy: ['a'], setup: 'make', teardown: 'down', submodules: false },
      settings: { sign: 'never', hooks: 'never' },
    });
    await change({ copy: [], setup: null, teardown: null });
    const back = await change({ submodules: true, sign: 'as-configured', hooks: 'as-configured' });
    expect(back.worktree).toEqual({ copy: [], setup: null, teardown: null, submodules: true });
    expect(back.problems).toEqual([]);
  },
);

test('a file that is not valid, or is a link out of the project, is not changed', async () => {
  write('wrktree: {}\n');
  expect(await settings.change(1, { sign: 'never' })).toMatchObject({
    ok: false,
    error: { where: { line: 1 } },
  });
  expect(text()).toBe('wrktree: {}\n');
  const other = join(mkdtempSync(join(tmpdir(), 'muster-other-')), 'project.yaml');
  writeFileSync(other, 'sign: never\n');
  mkdirSync(join(project, 'second', '.muster'), { recursive: true });
  project = join(project, 'second');
  symlinkSync(other, join(project, '.muster', 'project.yaml'));
  expect(await settings.change(1, { sign: 'as-configured' })).toMatchObject({ ok: false });
  expect(readFileSync(other, 'utf8')).toBe('sign: never\n');
  expect(told).not.toHaveBeenCalled();
});
