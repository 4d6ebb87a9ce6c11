import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { PromptLibrary } from './prompt-library';
import { PromptOverrides } from './prompt-overrides';

const builtinDir = resolve('resources/prompts');
const overrides = new PromptOverrides(new PromptLibrary({ builtinDir }));
const FILE = '.muster/prompts/team/lead.md';
let path: string;
const text = (file = FILE) => readFileSync(join(path, file), 'utf8');
const code = (result: { ok: boolean; error?: { code: string } }) => result.error?.code ?? result.ok;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'muster-override-'));
});

test("an override begins as Muster's text, and an existing file is never overwritten", async () => {
  const made = await overrides.make(path, 'team/lead');
  expect(made).toEqual({ ok: true, value: { file: FILE, absolutePath: join(path, FILE) } });
  expect(text()).toBe(readFileSync(join(builtinDir, 'team/lead.md'), 'utf8'));
  writeFileSync(join(path, FILE), 'mine');
  expect(code(await overrides.make(path, 'team/lead'))).toBe('conflict');
  expect(text()).toBe('mine');
});

test('removing an override keeps its text under a name of its own, each time, and it can be put back', async () => {
  for (const mine of ['first', 'second']) {
    await overrides.make(path, 'team/lead');
    writeFileSync(join(path, FILE), mine);
    expect((await overrides.remove(path, 'team/lead')).ok).toBe(true);
  }
  expect([text(`${FILE}.bak`), text(`${FILE}.bak-2`), existsSync(join(path, FILE))]).toEqual([
    'first',
    'second',
    false,
  ]);
  const back = () => overrides.restore(path, { id: 'team/lead', backup: `${FILE}.bak` });
  expect(code(await back())).toBe(true);
  expect(text()).toBe('first');
  expect(code(await back())).toBe('not_found');
  expect(code(await overrides.restore(path, { id: 'team/lead', backup: `${FILE}.bak-2` }))).toBe('conflict');
  expect([text(), text(`${FILE}.bak-2`)]).toEqual(['first', 'second']);
});

test('files that are no overrides are out of reach', async () => {
  writeFileSync(join(path, 'x'), 'x');
  for (const backup of ['x', `${FILE}.bak/../../../../x`, `${FILE}.bak-x`])
    expect(code(await overrides.restore(path, { id: 'team/lead', backup }))).toBe('input.invalid');
  expect(code(await overrides.make(path, 'team/../x'))).toBe('not_found');
  expect(code(await overrides.remove(path, 'team/lead'))).toBe('not_found');
  expect(code(await overrides.make(join(path, 'gone'), 'team/lead'))).toBe('not_found');
});

test('a folder that is a link out of the project is not written to, and a link is not moved', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'muster-outside-'));
  symlinkSync(outside, join(path, '.muster'));
  expect(code(await overrides.make(path, 'team/lead'))).toBe('input.invalid');
  expect(readdirSync(outside)).toEqual([]);
  path = mkdtempSync(join(tmpdir(), 'muster-override-'));
  mkdirSync(join(path, '.muster/prompts/team'), { recursive: true });
  writeFileSync(join(path, 'own.md'), 'own');
  symlinkSync(join(path, 'own.md'), join(path, FILE));
  expect(code(await overrides.remove(path, 'team/lead'))).toBe('input.invalid');
  expect(text()).toBe('own');
});

test('a folder that cannot be made is reported', async () => {
  writeFileSync(join(path, '.muster'), 'a file');
  expect(code(await overrides.make(path, 'team/lead'))).toMatch(/conflict|project.not_writable/);
});

test('a text is saved where its file is unchanged since it was read and nothing is wrong with it', async () => {
  await overrides.make(path, 'team/lead');
  const library = new PromptLibrary({ builtinDir });
  const read = async () => {
    const detail = await library.get(path, 'team/lead');
    if (!detail.ok) throw new Error(detail.error.message);
    return detail.value;
  };
  const { hash, text: first } = await read();
  const mine = `${first}\nOurs, too.\n`;
  const save = (more: object = {}) => overrides.save(path, { id: 'team/lead', text: mine, hash, ...more });
  expect(code(await save({ text: `${first} {unknown}` }))).toBe('validation.prompt_placeholder');
  expect(text()).toBe(first);
  expect(code(await save())).toBe(true);
  expect(text()).toBe(mine);
  // Its hash has changed since.
  expect(code(await save({ text: first }))).toBe('conflict');
  expect(text()).toBe(mine);
  expect(code(await save({ id: 'team/../x' }))).toBe('not_found');
  expect(readdirSync(join(path, '.muster/prompts/team'))).toEqual(['lead.md']);
});

test('a text of Muster’s own is not written, nor is what a link leads to', async () => {
  const change = { id: 'team/lead', text: 'x', hash: '' };
  expect(code(await overrides.save(path, change))).toBe('not_found');
  mkdirSync(join(path, '.muster/prompts/team'), { recursive: true });
  writeFileSync(join(path, 'elsewhere'), 'kept');
  symlinkSync(join(path, 'elsewhere'), join(path, FILE));
  expect(code(await overrides.save(path, change))).toBe('input.invalid');
  expect(text('elsewhere')).toBe('kept');
});
