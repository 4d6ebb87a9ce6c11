import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Cancel } from '../../core/ports/cancel';
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
    cancel: new Cancel(),
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
        { name: 'docs/latin.txt', why: 'it is not UTF-8 text' },
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

test('a large file is kept as it is in pieces, wherever a piece ends', async () => {
  const text = `é😀\n${'ab€😀'.repeat(200_000)}`;
  write('large.txt', text);
  write('wide.txt', Buffer.from(`\uFEFF${text}`, 'utf16le'));
  const frozen = await freeze('docs');
  const hash = texts.hash(text);
  const kept = { sha256: hash, path: `texts/${hash}.txt`, chars: 800_003 };
  expect(frozen).toMatchObject({ ok: true, value: { documents: [kept, kept] } });
  expect(readdirSync(join(project, 'artifacts', 'texts'))).toEqual([`${hash}.txt`]);
  const pieces: string[] = [];
  for await (const piece of texts.pieces(join(project, 'artifacts'), kept.path))
    pieces.push(piece.ok ? piece.value : 'failed');
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(256 * 1024);
});

test('a file that is no text at its end is left out, and nothing of it is kept', async () => {
  write('a.txt', 'words');
  write('cut.txt', Buffer.concat([Buffer.from('x'.repeat(600_000)), Buffer.from([0xe2, 0x82])]));
  write('zero.txt', `${'x'.repeat(600_000)}\0`);
  expect(await freeze('docs')).toMatchObject({
    value: {
      documents: [{ name: 'docs/a.txt' }],
      leftOut: [
        { name: 'docs/cut.txt', why: 'it is not UTF-8 text' },
        { name: 'docs/zero.txt', why: 'it is binary' },
      ],
    },
  });
  expect(readdirSync(join(project, 'artifacts', 'texts'))).toHaveLength(1);
});

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

test('a folder whose files git ignores is refused with that reason, and an empty one with its own', async () => {
  write('a.txt', 'words');
  const survey = async (ignored: string, path: string) => {
    const git = async (_: string, ...args: readonly string[]) => (args.includes('--ignored') ? ignored : '');
    const found = await new FileTexts(git).survey({ projectPath: project, anywhere: true, paths: [path] });
    return found.ok ? found.value.length : found.error.message;
  };
  expect(await survey('a.txt\0', 'docs')).toContain('Git ignores all files of docs');
  expect(await survey('a.txt\0', 'docs/*.txt')).toContain('Git ignores all files of docs/*.txt');
  expect(await survey('', 'docs')).toBe('There is no document in the folder docs.');
  expect(await survey('', 'docs/*.txt')).toBe('There is no document at docs/*.txt.');
  expect(await survey('a.txt\0', 'docs/a.txt')).toBe(1);
});

test('a preview knows the files that a question leaves out by their beginning', async () => {
  write('a.txt', 'ü'.repeat(8_001));
  write('b.bin', new Uint8Array([0x89, 0, 1, 2]));
  write('c.txt', ' ');
  write('d.txt', new Uint8Array([0xff, 0xfe, 0x61, 0]));
  const found = await texts.survey({ projectPath: project, anywhere: true, paths: ['docs'] });
  expect(found.ok && found.value.map(({ name, isText }) => [name, isText])).toEqual([
    ['docs/a.txt', true],
    ['docs/b.bin', false],
    ['docs/c.txt', false],
    ['docs/d.txt', true],
  ]);
});
