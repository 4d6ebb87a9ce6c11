import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { expect, test } from 'vitest';
import { WorkflowFiles } from './workflow-files';

const files = new WorkflowFiles({
  reader: yamlReader,
  registry: stepRegistry,
  profiles: () => ({}),
  defaultProfile: () => null,
});

const calling = (file: string) => `name: w
steps:
  - id: call
    type: step.workflow
    config:
      file: ${file}
`;
const leaf = 'name: leaf\nsteps:\n  - {id: run, type: step.command, config: {script: "true"}}\n';

async function load(texts: Readonly<Record<string, string>>) {
  const project = mkdtempSync(join(tmpdir(), 'muster-called-'));
  mkdirSync(join(project, 'flows'));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(project, 'flows', name), text);
  return files.load(join(project, 'flows', 'main.yaml'), 'main.yaml', project);
}

const told = ({ problems }: Awaited<ReturnType<typeof load>>) =>
  problems.map(({ code, where }) => [code, where?.file, where?.line]);

test('A called file and those that it calls are read and frozen with the plan', async () => {
  const loaded = await load({
    'main.yaml': calling('flows/mid.yaml'),
    'mid.yaml': calling('flows/leaf.yaml'),
    'leaf.yaml': leaf,
  });
  expect(loaded.problems).toEqual([]);
  expect(Object.keys(loaded.plan?.called ?? {})).toEqual(['flows/mid.yaml', 'flows/leaf.yaml']);
});

test('A file that calls itself over another one is refused with one error at the line of the call', async () => {
  const loaded = await load({
    'main.yaml': calling('flows/a.yaml'),
    'a.yaml': calling('flows/b.yaml'),
    'b.yaml': calling('flows/a.yaml'),
  });
  expect(told(loaded)).toEqual([['validation.cycle', 'main.yaml', 6]]);
  expect(loaded.plan).toBeNull();
});

test('A called file that vanished, or lies outside of the project, is refused at the line of the call', async () => {
  for (const file of ['flows/gone.yaml', '../outside.yaml'])
    expect(told(await load({ 'main.yaml': calling(file) })).at(-1)).toEqual([
      'validation.file_missing',
      'main.yaml',
      6,
    ]);
});

test('A fault in a called file is reported with its own file and line', async () => {
  const broken = leaf.replace('script:', 'skript:');
  const loaded = await load({ 'main.yaml': calling('flows/leaf.yaml'), 'leaf.yaml': `extra: 1\n${broken}` });
  expect(told(loaded)[0]).toEqual(['validation.unknown_key', 'flows/leaf.yaml', 1]);
  const inner = await load({ 'main.yaml': calling('flows/leaf.yaml'), 'leaf.yaml': broken });
  expect(inner.problems[0]?.message).toContain('in flows/leaf.yaml: step "run"');
});
