import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_TEXT_BYTES } from '@contract/limits';
import type { LargeText, WholeText } from '@contract/whole-text';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TextFiles } from './whole-texts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-texts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LONG = 'é😀\n'.repeat(EVENT_TEXT_BYTES / 6);

function large(text: WholeText): LargeText {
  if (typeof text === 'string') throw new Error('it is not large');
  return text;
}

test('any text of any size is read as it was kept, by this process and by the next', async () => {
  const unit = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
  const sizes = fc.integer({ min: 0, max: 3 * EVENT_TEXT_BYTES });
  await fc.assert(
    fc.asyncProperty(unit, sizes, fc.boolean(), async (part, bytes, later) => {
      const text = part.repeat(Math.ceil(bytes / Buffer.byteLength(part)));
      const texts = new TextFiles(1000).of(folder);
      const kept = later ? await texts.keepLater(text) : { ok: true as const, value: texts.keep(text) };
      if (!kept.ok) throw new Error(kept.error.message);
      const isInline = Buffer.byteLength(text) <= EVENT_TEXT_BYTES;
      expect(typeof kept.value === 'string').toBe(isInline);
      if (isInline) {
        expect(kept.value).toBe(text);
        return;
      }
      expect(large(kept.value).bytes).toBe(Buffer.byteLength(text));
      expect(texts.read(large(kept.value)) === text).toBe(true);
      expect(new TextFiles().of(folder).read(large(kept.value)) === text).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test('the same text is one file, which nothing can write to by mistake', async () => {
  const texts = new TextFiles().of(folder);
  const kept = large(texts.keep(LONG));
  expect(texts.keep(LONG)).toBe(kept);
  expect(await texts.keepLater(LONG)).toEqual({ ok: true, value: kept });
  expect(readdirSync(join(folder, 'texts'))).toEqual([`${kept.sha256}.txt`]);
  expect(statSync(texts.path(kept)).mode & 0o777).toBe(0o400);
  expect(readFileSync(texts.path(kept), 'utf8')).toBe(LONG);
});

test('a text that was changed or deleted is an error, never another text', () => {
  const kept = large(new TextFiles().of(folder).keep(LONG));
  const texts = new TextFiles().of(folder);
  chmodSync(texts.path(kept), 0o600);
  writeFileSync(texts.path(kept), `${LONG}x`);
  expect(() => texts.read(kept)).toThrow(/changed after it was stored/);
  rmSync(texts.path(kept));
  expect(() => texts.read(kept)).toThrow(/cannot be read/);
});

test('a run gets the texts of another one as files of its own', async () => {
  const files = new TextFiles();
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  const kept = large(files.of(one).keep(LONG));
  expect(await files.share([kept], one, other)).toEqual({ ok: true, value: undefined });
  rmSync(one, { recursive: true });
  expect(new TextFiles().of(other).read(kept)).toBe(LONG);
  expect(await files.share([kept], one, join(folder, 'third'))).toMatchObject({ ok: false });
});

test('a folder that cannot be written is an error with what to do', async () => {
  if (process.getuid?.() === 0) writeFileSync(join(folder, 'texts'), '');
  else chmodSync(folder, 0o500);
  const texts = new TextFiles().of(folder);
  expect(() => texts.keep(LONG)).toThrow(/cannot be written/);
  expect(await texts.keepLater(LONG)).toMatchObject({ ok: false, error: { mend: expect.any(String) } });
  chmodSync(folder, 0o700);
  expect(existsSync(join(folder, 'texts', 'x'))).toBe(false);
});

test('a file of the run becomes a large text with its beginning and end, which stays as it was', async () => {
  const text = `begin ${'ä'.repeat(400_000)} end`;
  const file = join(folder, 'k1.diff');
  writeFileSync(file, text);
  const texts = new TextFiles().of(folder);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const kept = await texts.keepFile(file, sha256);
  expect(kept).toMatchObject({ ok: true, value: { sha256, bytes: Buffer.byteLength(text) } });
  if (!kept.ok) return;
  expect(kept.value.preview.first).toMatch(/^begin ä/);
  expect(kept.value.preview.last).toMatch(/ä end$/);
  writeFileSync(file, 'another');
  expect(texts.read(kept.value)).toBe(text);
});
