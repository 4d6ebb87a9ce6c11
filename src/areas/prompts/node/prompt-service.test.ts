import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { PromptLibrary } from './prompt-library';
import { PromptOverrides } from './prompt-overrides';
import { PromptService } from './prompt-service';

const ID = 'team/lead';
const FILE = '.muster/prompts/team/lead.md';
let path: string;
let changed: number[];
let service: PromptService;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'muster-prompt-service-'));
  changed = [];
  const library = new PromptLibrary({ builtinDir: resolve('resources/prompts') });
  const project = (id: number) => (id === 3 ? { id, path, name: 'p', addedAt: 0, trouble: null } : null);
  const overrides = new PromptOverrides(library);
  service = new PromptService({ store: { project }, library, overrides, changed: (id) => changed.push(id) });
});

test('prompts are the same by project, by folder or by neither, from where they count', async () => {
  await service.override({ projectId: 3, id: ID });
  const sources = async (place: { projectId?: number; path?: string }) => {
    const listed = await service.list(place);
    return listed.ok ? listed.value.find(({ id }) => id === ID)?.source : listed.error.code;
  };
  expect(await sources({ projectId: 3 })).toBe('override');
  expect(await sources({ path })).toBe('override');
  expect(await sources({})).toBe('builtin');
  expect(await sources({ projectId: 4 })).toBe('not_found');
  expect(await sources({ path: join(path, 'gone') })).toBe('not_found');
  expect(await service.get({ path, id: ID })).toMatchObject({ ok: true, value: { file: FILE } });
  expect(await service.check({ projectId: 3 })).toMatchObject({
    value: { projectPath: path, valid: true, strays: [] },
  });
});

test('a written prompt is reported, and a refused one is not', async () => {
  await service.override({ projectId: 3, id: ID });
  expect(await service.override({ projectId: 3, id: ID })).toMatchObject({ error: { code: 'conflict' } });
  expect(changed).toEqual([3]);
  const removed = await service.removeOverride({ projectId: 3, id: ID });
  expect(removed).toEqual({ ok: true, value: { backup: `${FILE}.bak` } });
  expect(existsSync(join(path, FILE))).toBe(false);
  expect(await service.restoreOverride({ projectId: 3, id: ID, backup: `${FILE}.bak` })).toMatchObject({
    ok: true,
  });
  expect(changed).toEqual([3, 3, 3]);
  expect(await service.override({ projectId: 4, id: ID })).toMatchObject({ error: { code: 'not_found' } });
  expect(changed).toEqual([3, 3, 3]);
});

test('a text is checked while it is written, and shown with samples in its placeholders', async () => {
  const library = new PromptLibrary({ builtinDir: resolve('resources/prompts') });
  const service = new PromptService({
    library,
    overrides: new PromptOverrides(library),
    changed: () => undefined,
    store: { project: () => null },
  });
  const judge = (text: string) => service.judge({ id: 'rlm/iteration_continue', text });
  expect(judge('Go on: {question} {{and}}')).toEqual({
    ok: true,
    value: { problems: [], preview: 'Go on: «question» {and}' },
  });
  expect(judge('Go on.')).toMatchObject({ ok: true, value: { preview: null, problems: [{}] } });
  expect(service.judge({ id: 'rlm/none', text: '' })).toMatchObject({ ok: false });
});
