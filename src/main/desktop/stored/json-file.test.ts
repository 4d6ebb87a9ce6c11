import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { JsonFile } from './json-file';
import { Layout } from './layout';
import { Secrets } from './secrets';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-json-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a key of a newer version stays in the file, and one that was removed does not come back', async () => {
  const path = join(folder, 'state.json');
  writeFileSync(path, JSON.stringify({ size: 1, shape: { round: true } }));
  const open = () =>
    new JsonFile({
      path,
      schema: z.object({ size: z.number() }),
      fallback: { size: 0 },
      damaged: () => undefined,
    });
  const file = open();
  await file.set({ size: 2 });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ size: 2, shape: { round: true } });
  expect(readdirSync(folder)).toEqual(['state.json']);
  await new Layout(path, () => undefined).set('shape', null);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ size: 2 });
});

test('secrets are read from a file that a newer version wrote a key into', () => {
  const path = join(folder, 'secrets.json');
  const values = { TOKEN: Buffer.from('shown').toString('base64') };
  writeFileSync(path, JSON.stringify({ version: 1, values, notes: {} }));
  const asides: string[] = [];
  const keychain = { trouble: () => null, encrypt: (text: string) => Buffer.from(text), decrypt: String };
  const secrets = new Secrets(path, keychain, (aside) => asides.push(aside));
  expect([secrets.reveal().values, asides]).toEqual([{ TOKEN: 'shown' }, []]);
});
