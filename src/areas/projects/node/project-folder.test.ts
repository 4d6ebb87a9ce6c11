import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogParts, CatalogService } from '@areas/agents/node/catalog-service';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { double } from '@contract/testing/double';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { projectFolder } from './project-folder';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

test('the project of a file is the nearest folder with .muster, else the repository, else its own', () => {
  for (const path of ['repo/.git', 'repo/sub/.muster/workflows', 'repo/plain', 'alone'])
    mkdirSync(join(root, path), { recursive: true });
  expect(projectFolder(join(root, 'repo/sub/.muster/workflows/w.yaml'))).toBe(join(root, 'repo/sub'));
  expect(projectFolder(join(root, 'repo/plain/w.yaml'))).toBe(join(root, 'repo'));
  expect(projectFolder(join(root, 'alone/w.yaml'))).toBe(join(root, 'alone'));
});

test('the search for a project stops at the ceiling that git has for repositories', () => {
  for (const path of ['.git', 'ceiling/inner/.muster', 'ceiling/plain'])
    mkdirSync(join(root, path), { recursive: true });
  vi.stubEnv('GIT_CEILING_DIRECTORIES', join(root, 'ceiling'));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(projectFolder(join(root, 'ceiling/inner/deep/w.yaml'))).toBe(join(root, 'ceiling/inner'));
  expect(projectFolder(join(root, 'ceiling/plain/w.yaml'))).toBe(join(root, 'ceiling/plain'));
  expect(projectFolder(join(root, 'w.yaml'))).toBe(root);
});

test('a workflow file is checked in the project in which it would be run', async () => {
  for (const path of ['repo/.muster', 'repo/flows']) mkdirSync(join(root, path), { recursive: true });
  const agents = 'profiles:\n  - {kind: scripted, id: own, name: Own, script: none}\n';
  writeFileSync(join(root, 'repo/.muster/agents.yaml'), agents);
  writeFileSync(join(root, 'repo/brief.md'), 'Read this.');
  const config = '{instruction: Go., acp_profile_id: own, attachments: [brief.md]}';
  const file = join(root, 'repo/flows/w.yaml');
  writeFileSync(file, `name: W\nsteps:\n  - id: a\n    type: step.agent_task\n    config: ${config}\n`);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({}),
    defaultProfile: () => null,
  });
  const catalog = new CatalogService(double<CatalogParts>({ files }));
  expect(await catalog.validate(file)).toMatchObject({ value: { runnable: true, problems: [] } });
});

test('the profiles of a project folder are listed before Muster knows the project', async () => {
  mkdirSync(join(root, '.muster'));
  const agents = 'profiles:\n  - {kind: scripted, id: own, name: Own, script: none}\n';
  writeFileSync(join(root, '.muster/agents.yaml'), agents);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({}),
    defaultProfile: () => null,
  });
  const store = { profiles: () => [], projects: () => [] };
  const parts = { files, store, builtinProfiles: [], detected: async () => [] };
  const catalog = new CatalogService(double<CatalogParts>(parts));
  expect(await catalog.profiles(undefined)).toEqual([]);
  const [row, ...more] = await catalog.profiles(undefined, root);
  expect([row?.profile.id, row?.source, row?.projectId, more]).toEqual(['own', 'project', null, []]);
});
