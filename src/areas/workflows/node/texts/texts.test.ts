import {
  chmodSync,
  linkSync,
  lstatSync,
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
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { yamlEditor } from '@main/adapters/yaml/edit';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { beforeEach, expect, test } from 'vitest';
import type { WorkflowEdit } from '../../contract/edit';
import { WorkflowFiles } from '../workflow-files';
import { WorkflowTexts } from './';

const FILE = '.muster/workflows/w.yaml';
const TEXT = `\uFEFFname: Release # by hand\r
steps:\r
  - id: plan\r
    type: step.agent_task\r
    config: { instruction: Plan it, acp_profile_id: fake }\r
  - id: build\r
    type: step.command\r
    config:\r
      script: make
`;

let project: string;
let texts: WorkflowTexts;
let told: number;
const path = (name = FILE) => join(project, name);
const target = { projectId: 1, file: FILE };

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'muster-texts-'));
  mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
  writeFileSync(path(), TEXT);
  told = 0;
  const parts = { reader: yamlReader, editor: yamlEditor, registry: stepRegistry };
  const profiles = () => ({ fake: fakeProfile });
  texts = new WorkflowTexts({
    ...parts,
    files: new WorkflowFiles({ ...parts, profiles, defaultProfile: () => 'fake' }),
    lastRun: () => null,
    project: (id) => (id === 1 ? { path: project } : null),
    changed: () => {
      told += 1;
    },
  });
});

async function source() {
  const read = await texts.source(target);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

async function save(base: string, text: string) {
  const done = await texts.save({ ...target, base, text });
  return done.ok ? done.value : done.error;
}

test('a file is read byte for byte, and saved text replaces it with its mode and its link', async () => {
  writeFileSync(path('real.yaml'), TEXT, { mode: 0o600 });
  symlinkSync(path('real.yaml'), path('.muster/workflows/link.yaml'));
  const linked = { ...target, file: '.muster/workflows/link.yaml' };
  const read = await texts.source(linked);
  expect(read).toMatchObject({ ok: true, value: { text: TEXT, writable: true } });
  const base = read.ok ? read.value.hash : '';
  const done = await texts.save({ ...linked, base, text: TEXT.replace('make', 'make all') });
  expect(done).toMatchObject({ ok: true, value: { kind: 'written', merged: false } });
  expect(readFileSync(path('real.yaml'), 'utf8')).toBe(TEXT.replace('make', 'make all'));
  expect(statSync(path('real.yaml')).mode & 0o777).toBe(0o600);
  expect(lstatSync(path('.muster/workflows/link.yaml')).isSymbolicLink()).toBe(true);
  expect(readdirSync(path('.muster/workflows')).sort()).toEqual(['link.yaml', 'w.yaml']);
  expect(told).toBe(1);
});

test('a mode that the umask would cut, and a second name of the file, stay', async () => {
  chmodSync(path(), 0o666);
  linkSync(path(), path('other.yaml'));
  const { hash } = await source();
  expect(await save(hash, 'name: x\n')).toMatchObject({ kind: 'written' });
  expect(readFileSync(path('other.yaml'), 'utf8')).toBe('name: x\n');
  expect(statSync(path()).mode & 0o777).toBe(0o666);
});

test('a change on disk elsewhere in the file is merged, and one of the same lines is a conflict that writes nothing', async () => {
  const { hash } = await source();
  const outside = TEXT.replace('Release', 'Ship it');
  writeFileSync(path(), outside);
  expect(await save(hash, TEXT.replace('make', 'make all'))).toMatchObject({ kind: 'written', merged: true });
  const both = outside.replace('make', 'make all');
  expect(readFileSync(path(), 'utf8')).toBe(both);
  const mine = TEXT.replace('Release', 'Deliver');
  expect(await save(hash, mine)).toMatchObject({ kind: 'conflict', theirs: { text: both }, mine });
  expect(readFileSync(path(), 'utf8')).toBe(both);
});

test('a change that was made on an unknown state is a conflict', async () => {
  expect(await save('0123', 'name: x\n')).toMatchObject({
    kind: 'conflict',
    theirs: { text: TEXT },
    mine: null,
  });
});

test('writes of one file at the same time follow each other', async () => {
  const { hash } = await source();
  const [one, other] = await Promise.all([
    save(hash, TEXT.replace('Release', 'Ship')),
    save(hash, TEXT.replace('make', 'make all')),
  ]);
  expect([one, other]).toMatchObject([{ kind: 'written' }, { kind: 'written', merged: true }]);
  expect(readFileSync(path(), 'utf8')).toBe(TEXT.replace('Release', 'Ship').replace('make', 'make all'));
});

test.skipIf(process.getuid?.() === 0)('a file that may not be written is one clear error', async () => {
  const { hash } = await source();
  chmodSync(path(), 0o444);
  expect((await source()).writable).toBe(false);
  expect(await save(hash, 'name: x\n')).toMatchObject({ code: 'project.not_writable' });
  expect(readFileSync(path(), 'utf8')).toBe(TEXT);
});

test('a file outside the folder of workflows is not touched', async () => {
  writeFileSync(path('secret.yaml'), 'x');
  symlinkSync(tmpdir(), path('.muster/workflows/out'));
  for (const file of ['secret.yaml', '.muster/workflows/../../secret.yaml', '/etc/hosts'])
    expect(await texts.save({ ...target, file, base: 'x', text: 'y' })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
});

async function problemsOf(text: string) {
  const checked = await texts.check({ ...target, text });
  if (!checked.ok) throw new Error(checked.error.message);
  return checked.value;
}

test('unsaved text is checked as the file is, with line, column and the edits that fix it', async () => {
  const broken = `${TEXT}      shell: zsh\ncables:\n  - from: plan.data_out\n    to: deploy.data_in\n`;
  const { problems, runnable, ports } = await problemsOf(broken);
  expect(runnable).toBe(false);
  expect(problems.map(({ code, where, edits }) => [code, where?.line, where?.column, edits])).toEqual([
    ['validation.unknown_key', 10, 7, [{ kind: 'value.unset', step: ['build'], path: ['config', 'shell'] }]],
    [
      'validation.dangling_cable',
      13,
      5,
      [{ kind: 'cable.remove', body: [], from: 'plan.data_out', to: 'deploy.data_in' }],
    ],
  ]);
  // A step with an unknown key keeps its ports, so that its cables can still be drawn and changed.
  expect(Object.keys(ports)).toEqual(['plan', 'build']);
});

test('a text that is no workflow, no YAML or empty is checked too', async () => {
  expect((await problemsOf('')).problems).toHaveLength(1);
  expect(await problemsOf('- a\n')).toMatchObject({ definition: null, value: ['a'] });
  expect(await problemsOf('a: [\n')).toMatchObject({ value: null, problems: [{ code: 'validation.yaml' }] });
});

async function edit(base: string, edits: WorkflowEdit[], more = {}) {
  const done = await texts.edit({ ...target, base, edits, ...more });
  return done.ok ? done.value : done.error;
}

const command = (script: string): WorkflowEdit => ({
  kind: 'value.set',
  step: ['build'],
  path: ['config', 'script'],
  value: script,
});

test('edits change the lines of their places and nothing else', async () => {
  const { hash } = await source();
  expect(
    await edit(hash, [command('make all'), { kind: 'step.move', step: ['plan'], position: { x: 8, y: 1 } }]),
  ).toMatchObject({ kind: 'written', merged: false });
  expect(readFileSync(path(), 'utf8')).toBe(
    TEXT.replace('make', 'make all').replace(
      'agent_task\r\n',
      'agent_task\r\n    position: { x: 8, y: 1 }\r\n',
    ),
  );
});

test('edits apply to the current file where their places are unchanged, and are else a conflict', async () => {
  const { hash } = await source();
  const outside = TEXT.replace('Release', 'Ship it').replace('  - id: build', '  # moved\r\n  - id: build');
  writeFileSync(path(), outside);
  expect(await edit(hash, [command('make all')])).toMatchObject({ kind: 'written', merged: true });
  expect(readFileSync(path(), 'utf8')).toBe(outside.replace('make', 'make all'));
  expect(await edit(hash, [command('make none')])).toMatchObject({
    kind: 'conflict',
    mine: TEXT.replace('make', 'make none'),
    theirs: { text: outside.replace('make', 'make all') },
  });
});

test('a refused edit and a dry run write nothing', async () => {
  const { hash } = await source();
  expect(await edit(hash, [command('make all'), { kind: 'step.remove', step: ['ship'] }])).toMatchObject({
    code: 'edit.no_place',
  });
  expect(await edit(hash, [command('make all')], { dry: true })).toMatchObject({
    text: TEXT.replace('make', 'make all'),
  });
  expect(readFileSync(path(), 'utf8')).toBe(TEXT);
  expect(told).toBe(0);
});

test('a rename changes the references in texts, scripts, conditions and bodies, and a removal names them', async () => {
  const text = `name: x
steps:
  - id: plan
    type: step.agent_task
    config:
      instruction: Plan
  - id: build
    type: step.command
    when: $plan.status == 'succeeded' # keep
    config:
      script: |
        echo "$plan.output" \\$plan.output
  - id: again
    type: step.loop
    config:
      prompt: Look at $plan.output and $planner.output
      max_iterations: 2
      until: DONE
cables:
  - { from: plan.data_out, to: build.data_in }
`;
  writeFileSync(path(), text);
  const { hash } = await source();
  const fresh = text
    .replace('id: plan', 'id: draft')
    .replace('$plan.status', '$draft.status')
    .replace('"$plan.output"', '"$draft.output"')
    .replace('at $plan.output', 'at $draft.output')
    .replace('from: plan', 'from: draft');
  expect(await edit(hash, [{ kind: 'step.rename', step: ['plan'], id: 'draft' }])).toMatchObject({
    text: fresh,
  });
  const removed = await edit(hash, [{ kind: 'step.remove', step: ['draft'] }], {
    base: (await source()).hash,
    dry: true,
  });
  expect('dangling' in removed && removed.dangling).toEqual([
    { removed: 'draft', path: 'steps[1].when', step: 'build' },
    { removed: 'draft', path: 'steps[1].config.script', step: 'build' },
    { removed: 'draft', path: 'steps[2].config.prompt', step: 'again' },
  ]);
});
