import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateRemoved, removedModes } from '@features/coding/core/removed';
import { yamlMigrator } from '@main/adapters/yaml/migrate';
import { type AnyStepModule, defineStep } from '@main/core/step/module';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { WorkflowMigrations } from './workflow-migration';

const coding: AnyStepModule = defineStep({
  type: 'step.coding',
  version: 1,
  title: 'Coding',
  description: '',
  config: z.looseObject({}),
  onInterrupt: null,
  ports: () => ({ inputs: [], outputs: [] }),
  refuse: removedModes,
  migrate: migrateRemoved,
  validate: () => [],
  agents: () => [],
  sessions: () => ({ persist: false, continues: false }),
  files: () => [],
  decide: () => {
    throw new Error('not run here');
  },
  observe: () => [],
});
const migrations = new WorkflowMigrations({
  migrator: yamlMigrator,
  registry: new Map([[coding.type, coding]]),
});

const OLD = `name: x
steps:
  - id: a
    type: step.coding
    config:
      completion_mode: iteration_limit
      agents:
        - role: builder
`;
const FILE = '.muster/workflows/w.yaml';
let root: string;
let folder: string;
let path: string;
const project = () => ({ id: 1, path: root, name: 'p', addedAt: 0, trouble: null });
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-migrate-'));
  folder = join(root, '.muster', 'workflows');
  mkdirSync(folder, { recursive: true });
  path = join(root, FILE);
  writeFileSync(path, OLD, { mode: 0o640 });
});

describe('migrating a file', () => {
  test('a migration only looks at the file until it is confirmed', async () => {
    const seen = await migrations.migrateIn(project(), { file: FILE, apply: false });
    expect(seen).toMatchObject({
      ok: true,
      value: { backup: null, diff: expect.stringContaining('+      completion_mode: agent_signals') },
    });
    expect([readdirSync(folder), text('w.yaml')]).toEqual([['w.yaml'], OLD]);
  });

  test('a migrated file is written whole, with its mode, and the old one is kept beside it', async () => {
    const done = await migrations.migrateIn(project(), { file: FILE, apply: true });
    expect(done).toMatchObject({ ok: true, value: { backup: `${FILE}.bak` } });
    expect(readdirSync(folder)).toEqual(['w.yaml', 'w.yaml.bak']);
    expect(text('w.yaml.bak')).toBe(OLD);
    expect(done.ok && text('w.yaml')).toBe(done.ok && done.value.text);
    expect([path, `${path}.bak`].map((name) => statSync(name).mode & 0o777)).toEqual([0o640, 0o640]);
  });

  test('a migration never overwrites a kept file', async () => {
    writeFileSync(`${path}.bak`, 'kept');
    writeFileSync(`${path}.bak-2`, 'kept too');
    const done = await migrations.migrate({ path, shown: 'w.yaml' }, true);
    expect(done).toMatchObject({ value: { backup: 'w.yaml.bak-3' } });
    expect([text('w.yaml.bak'), text('w.yaml.bak-2'), text('w.yaml.bak-3')]).toEqual([
      'kept',
      'kept too',
      OLD,
    ]);
  });

  test('a second migration leaves the file as it is, without another old file', async () => {
    await migrations.migrate({ path, shown: 'w.yaml' }, true);
    expect(await migrations.migrate({ path, shown: 'w.yaml' }, true)).toMatchObject({
      value: { backup: null, changes: [], diff: '' },
    });
    expect(readdirSync(folder)).toEqual(['w.yaml', 'w.yaml.bak']);
  });

  test('a migration that cannot be written says why, and leaves all as it was', async () => {
    // Its own name has the maximum length, so the old file cannot be kept.
    const name = `${'w'.repeat(250)}.yaml`;
    writeFileSync(join(folder, name), OLD);
    const done = await migrations.migrate({ path: join(folder, name), shown: 'long.yaml' }, true);
    expect(done).toMatchObject({ ok: false, error: { code: 'project.not_writable' } });
    expect([readdirSync(folder).length, text(name)]).toEqual([2, OLD]);
  });

  test('a migration of other files of a project is refused, also behind a link, and a missing file is named', async () => {
    const outside = join(mkdtempSync(join(tmpdir(), 'muster-outside-')), 'o.yaml');
    writeFileSync(outside, OLD);
    symlinkSync(outside, join(folder, 'link.yaml'));
    writeFileSync(join(root, 'free.yaml'), OLD);
    for (const file of [
      outside,
      'free.yaml',
      '.muster/workflows/../../free.yaml',
      '.muster/workflows/link.yaml',
    ]) {
      const done = await migrations.migrateIn(project(), { file, apply: true });
      expect(done).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
    }
    expect(readFileSync(outside, 'utf8')).toBe(OLD);
    const gone = await migrations.migrateIn(project(), { file: '.muster/workflows/no.yaml', apply: true });
    expect(gone).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('a file that is not UTF-8 is not migrated: it could not be kept as it is', async () => {
    writeFileSync(path, Buffer.from([0xff, 0x41]));
    expect(await migrations.migrate({ path, shown: 'w.yaml' }, true)).toMatchObject({
      error: { code: 'input.invalid' },
    });
  });
});

describe('undo', () => {
  const undo = (backup: string) => migrations.restore(project(), { file: FILE, backup });

  test('undoing a migration puts the old file back', async () => {
    await migrations.migrateIn(project(), { file: FILE, apply: true });
    expect(await undo(`${FILE}.bak`)).toEqual({ ok: true, value: {} });
    expect([readdirSync(folder), text('w.yaml')]).toEqual([['w.yaml'], OLD]);
  });

  test('undoing a migration is refused where the file was changed since', async () => {
    await migrations.migrateIn(project(), { file: FILE, apply: true });
    writeFileSync(path, `${text('w.yaml')}# mine\n`);
    expect(await undo(`${FILE}.bak`)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(text('w.yaml')).toContain('# mine');
  });

  test('undoing a migration takes no other file for an old version', async () => {
    writeFileSync(join(folder, 'v.yaml'), OLD);
    expect(await undo('.muster/workflows/v.yaml')).toMatchObject({ error: { code: 'input.invalid' } });
    expect(await undo(`${FILE}.bak`)).toMatchObject({ error: { code: 'not_found' } });
  });
});
