import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { rememberingReader } from '@main/adapters/yaml/remembering-reader';
import type { ParsedDocument } from '@main/core/ports/documents';
import { expect, test } from 'vitest';
import { WorkflowFiles } from './workflow-files';

const FILE = '.muster/workflows/w.yaml';
const LEAF = 'name: leaf\nsteps:\n  - { id: run, type: step.command, config: { script: "true" } }\n';
const step = (id: string, type: string, config: string) =>
  `  - { id: ${id}, type: ${type}, config: ${config} }\n`;

const worker = agentProfileSchema.parse({ id: 'worker', name: 'Worker', kind: 'scripted', script: 'x' });

/** A project with one workflow, read by one caching reader. */
function project(...steps: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-plans-'));
  const profiles: Record<string, AgentProfile> = {};
  const files = new WorkflowFiles({
    reader: rememberingReader(yamlReader),
    registry: stepRegistry,
    profiles: () => ({ ...profiles }),
    defaultProfile: () => null,
  });
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  put(FILE, `name: w\nworkspace: folder\nsteps:\n${steps.join('')}`);
  const load = () => files.load(join(folder, FILE), FILE, folder);
  const errors = async () =>
    (await load()).problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  const texts = async (document: ParsedDocument) => (await files.textPlaces(document, folder))?.places;
  return { folder, profiles, put, load, errors, texts };
}

test('The plan and the ports of an unchanged file are not made again, and those of a changed one are.', async () => {
  const { load, put } = project(step('a', 'step.command', '{ script: "true" }'));
  const first = await load();
  const second = await load();
  expect(first.plan).not.toBeNull();
  expect(second.plan).toBe(first.plan);
  expect(second.ports).toBe(first.ports);
  put(FILE, 'name: other\nsteps:\n  - { id: b, type: step.command, config: { script: "true" } }\n');
  expect((await load()).plan?.definition.name).toBe('other');
});

test('A called file that goes, comes back and changes is noticed though the calling text is the same.', async () => {
  const { folder, put, load, errors } = project(step('call', 'step.workflow', '{ file: flows/leaf.yaml }'));
  expect(await errors()).toEqual(['validation.file_missing']);
  put('flows/leaf.yaml', LEAF);
  expect(await errors()).toEqual([]);
  const { plan } = await load();
  expect((await load()).plan).toBe(plan);
  put('flows/leaf.yaml', LEAF.replace('name: leaf', 'name: changed'));
  expect((await load()).plan?.called['flows/leaf.yaml']?.name).toBe('changed');
  rmSync(join(folder, 'flows/leaf.yaml'));
  expect(await errors()).toEqual(['validation.file_missing']);
});

test('An instruction file that comes, changes and goes is noticed though the text that names it is the same.', async () => {
  const config = '{ acp_profile_id: worker, instruction_file: prompts/plan.md }';
  const { folder, profiles, put, load, errors } = project(step('plan', 'step.agent_task', config));
  profiles.worker = worker;
  expect(await errors()).toContain('validation.file_missing');
  put('prompts/plan.md', 'Plan.');
  expect(await errors()).toEqual([]);
  const instruction = async () => (await load()).plan?.definition.steps[0]?.config.instruction;
  expect(await instruction()).toBe('Plan.');
  put('prompts/plan.md', 'Plan again.');
  expect(await instruction()).toBe('Plan again.');
  rmSync(join(folder, 'prompts/plan.md'));
  expect(await errors()).toContain('validation.file_missing');
});

test('A profile that is added is noticed though the text that names it is the same.', async () => {
  const config = '{ acp_profile_id: worker, instruction: Plan. }';
  const { profiles, errors } = project(step('plan', 'step.agent_task', config));
  expect(await errors()).toEqual(['validation.profile_unknown']);
  profiles.worker = worker;
  expect(await errors()).toEqual([]);
});

test('The texts of an unchanged document are found once, and again when a file that it calls changes.', async () => {
  const { put, texts } = project();
  const body = step('call', 'step.workflow', '{ file: flows/leaf.yaml }');
  const document = yamlReader.parse(`name: w\nsteps:\n${body}`, FILE);
  put('flows/leaf.yaml', LEAF);
  const first = await texts(document);
  expect(first?.length).toBeGreaterThan(0);
  expect(await texts(document)).toBe(first);
  put('flows/leaf.yaml', LEAF.replace('name: leaf', 'name: changed'));
  expect(await texts(document)).not.toBe(first);
});
