import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileTexts } from '.';

const texts = new FileTexts(async () => null);
let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'muster-documents-'));
  mkdirSync(join(project, 'docs'));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const freeze = (...paths: string[]) =>
  texts.freeze({
    projectPath: project,
    artifactsDir: join(project, 'artifacts'),
    anywhere: true,
    paths,
    inline: [],
  });
const write = (name: string, content: string | Uint8Array): void =>
  writeFileSync(join(project, 'docs', name), content);

test('a file of 200 MB is refused with its size and the limit, before any of it is read', async () => {
  const file = openSync(join(project, 'docs', 'large.txt'), 'w');
  ftruncateSync(file, 200 * 1024 * 1024);
  closeSync(file);
  const refused = await freeze('docs');
  expect(refused).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect(refused.ok ? '' : refused.error.message).toMatch(/200 MB.*192 MB/);
});

test('empty, binary and undecodable files are named and left out', async () => {
  write('a.txt', 'words');
  write('empty.txt', '');
  write('blank.txt', ' \n\t');
  write('image.bin', new Uint8Array([0x89, 0, 1, 2]));
  write('latin.txt', new Uint8Array([0x66, 0xfc, 0x72]));
  expect(await freeze('docs')).toMatchObject({
    ok: true,
    value: {
      documents: [{ name: 'docs/a.txt', chars: 5 }],
      leftOut: [
        { name: 'docs/blank.txt', why: 'it is empty' },
        { name: 'docs/empty.txt', why: 'it is empty' },
        { name: 'docs/image.bin', why: 'it is binary' },
        { name: 'docs/latin.txt', why: 'it is no UTF-8 text' },
      ],
    },
  });
});

test('nothing but empty files is one error that says so', async () => {
  write('empty.txt', '');
  const refused = await freeze('docs');
  expect(refused.ok ? '' : refused.error.message).toContain('docs/empty.txt');
});

test.each(['docs', 'nowhere.txt', 'docs/**/*.md'])(
  'no document at %s is one error with what to name',
  async (path) => {
    const refused = await freeze(path);
    expect(refused.ok ? '' : [refused.error.message, refused.error.mend].join(' ')).toMatch(
      /no document|nothing/i,
    );
  },
);

test('a text that is already kept is not written again', async () => {
  const artifacts = join(project, 'artifacts');
  const [first, again] = [await texts.put(artifacts, 'é😀'), await texts.put(artifacts, 'é😀')];
  expect(first).toEqual(again);
  expect(first).toMatchObject({ ok: true, value: { chars: 2 } });
  expect(await texts.read(artifacts, first.ok ? first.value.path : '')).toEqual({ ok: true, value: 'é😀' });
});

test('A glob takes the files that it names, and no glob makes the search slow', async () => {
  for (const name of ['a.md', 'b.md', 'c.txt', `${'a'.repeat(200)}.bin`]) write(name, 'words');
  const names = async (glob: string) => {
    const found = await freeze(glob);
    return found.ok ? found.value.documents.map(({ name }) => name) : found.error.code;
  };
  expect(await names('docs/[ab].md')).toEqual(['docs/a.md', 'docs/b.md']);
  expect(await names('**/{b.md,c.*}')).toEqual(['docs/b.md', 'docs/c.txt']);
  expect(await names('docs/?.t*t')).toEqual(['docs/c.txt']);
  expect(await names(`docs/${'*a'.repeat(40)}*x`)).toBe('not_found');
  expect(await names('docs/[b-a].md')).toBe('not_found');
});
