import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { yamlEditor } from '@main/adapters/yaml/edit';
import { expect, test } from 'vitest';
import { workflowDefinitionSchema } from '../contract/definition';
import { WorkflowCreation } from './workflow-creation';

const steps = [{ id: 'a', type: 'step.approval', config: { message: 'Go on?' } }];
const definition = workflowDefinitionSchema.parse({ name: 'Old name', steps });

function creation() {
  const path = mkdtempSync(join(tmpdir(), 'muster-new-'));
  const changed: number[] = [];
  const made = new WorkflowCreation({
    project: (id) => (id === 1 ? { path } : null),
    editor: yamlEditor,
    patterns: { textOf: async ({ id, name, agent }) => ok(`${id} ${name} ${agent}`) },
    state: (runId) => (runId === 7 ? ({ definition } as RunState) : null),
    write: ({ name, steps: all }) =>
      `${name} ${all.map(({ id, config: { acp_profile_id: agent } }) => (agent ? `${id}:${agent}` : id)).join()}`,
    changed: (id) => void changed.push(id),
  });
  return { path, changed, create: made.create.bind(made) };
}
const read = (path: string, name: string) => readFileSync(join(path, '.muster', 'workflows', name), 'utf8');

test('a blank workflow is made in a folder that had none, and one of a run has its steps under the new name', async () => {
  const { path, changed, create } = creation();
  expect(await create({ projectId: 1, name: 'Ünder Way!', from: { kind: 'blank' } })).toMatchObject({
    ok: true,
  });
  expect(read(path, 'under-way.yaml')).toBe('Ünder Way! work,check');
  const made = await create({ projectId: 1, name: 'New name', from: { kind: 'run', runId: 7 } });
  expect(made).toMatchObject({ value: { file: join('.muster', 'workflows', 'new-name.yaml') } });
  expect(read(path, 'new-name.yaml')).toBe('New name a');
  expect(changed).toEqual([1, 1]);
});

test('a blank workflow has the agent that it is made for, and runs as it is', async () => {
  const { path, create } = creation();
  await create({ projectId: 1, name: 'Ours', from: { kind: 'blank', agent: 'builder' } });
  expect(read(path, 'ours.yaml')).toBe('Ours work:builder,check');
});

test('no file is overwritten, and the error says why nothing can be made', async () => {
  const { path, changed, create } = creation();
  mkdirSync(join(path, '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(path, '.muster', 'workflows', 'mine.yaml'), 'mine');
  const blank = { kind: 'blank' } as const;
  expect(await create({ projectId: 1, name: 'Mine', from: blank })).toMatchObject({
    error: { code: 'conflict' },
  });
  expect(read(path, 'mine.yaml')).toBe('mine');
  expect(await create({ projectId: 2, name: 'x', from: blank })).toMatchObject({
    error: { code: 'not_found' },
  });
  expect(await create({ projectId: 1, name: 'x', from: { kind: 'run', runId: 8 } })).toMatchObject({
    error: { code: 'not_found' },
  });
  expect(changed).toEqual([]);
});

test('a folder that is a link out of the project is refused', async () => {
  const { path, create } = creation();
  symlinkSync(mkdtempSync(join(tmpdir(), 'muster-elsewhere-')), join(path, '.muster'));
  expect(await create({ projectId: 1, name: 'x', from: { kind: 'blank' } })).toMatchObject({
    error: { code: 'input.invalid' },
  });
});

test('a copy of a workflow has every byte but the name, and one that is no YAML is copied as it is', async () => {
  const { path, create } = creation();
  mkdirSync(join(path, '.muster', 'workflows'), { recursive: true });
  const text = '# ours\r\nname: Old name # keep\r\nsteps: [ ]\r\n';
  const source = (name: string, content: string) => {
    writeFileSync(join(path, '.muster', 'workflows', name), content);
    return { kind: 'file' as const, projectId: 1, file: join('.muster', 'workflows', name) };
  };
  await create({ projectId: 1, name: 'Copy', from: source('a.yaml', text) });
  expect(read(path, 'copy.yaml')).toBe(text.replace('Old name', 'Copy'));
  await create({ projectId: 1, name: 'Broken', from: source('b.yaml', 'a: [') });
  expect(read(path, 'broken.yaml')).toBe('a: [');
  const outside = await create({
    projectId: 1,
    name: 'X',
    from: { kind: 'file', projectId: 1, file: '/etc/hosts' },
  });
  expect(outside).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
});

test('a workflow from a pattern has the text of the pattern, with its name and agent', async () => {
  const { path, create } = creation();
  await create({ projectId: 1, name: 'Mine', from: { kind: 'pattern', pattern: 'each-file', agent: 'a' } });
  expect(read(path, 'mine.yaml')).toBe('each-file Mine a');
});
