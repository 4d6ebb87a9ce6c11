import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Keychain, Secrets } from './secrets';

let folder: string;
let locked: string | null;
const keychain: Keychain = {
  trouble: () => locked,
  encrypt: (text) => Buffer.from(Buffer.from(text).map((byte) => byte ^ 0x5a)),
  decrypt: (bytes) => {
    if (bytes.length === 0) throw new Error('not mine');
    return Buffer.from(bytes.map((byte) => byte ^ 0x5a)).toString();
  },
};
const path = () => join(folder, 'secrets.json');
const open = () => new Secrets(path(), keychain, () => undefined);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-secrets-'));
  locked = null;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a value is on disk only encrypted, and comes back', async () => {
  const secrets = open();
  await secrets.set('OPENAI_API_KEY', 'sk-very-secret');
  await secrets.set('OTHER', 'x');
  await secrets.remove('OTHER');
  const text = readFileSync(path(), 'utf8');
  expect(text).not.toContain('sk-very-secret');
  if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(open().list()).toEqual({ available: true, names: ['OPENAI_API_KEY'], why: null });
  expect(open().reveal()).toEqual({ values: { OPENAI_API_KEY: 'sk-very-secret' }, unreadable: [] });
  expect(await secrets.remove('OTHER')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('a secret without a keychain is not stored, and the error says why', async () => {
  await open().set('KEY', 'value');
  locked = 'there is no keyring here';
  expect(await open().set('NEW', 'value')).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(open().list()).toEqual({ available: false, names: ['KEY'], why: 'there is no keyring here' });
  expect(open().reveal()).toEqual({ values: {}, unreadable: ['KEY'] });
});

test('a value of another keychain is named and left out', async () => {
  const secrets = open();
  await secrets.set('GOOD', 'x');
  await secrets.set('EMPTY', '');
  expect(open().reveal()).toEqual({ values: { GOOD: 'x' }, unreadable: ['EMPTY'] });
});

test('a file that cannot be read is set aside, and not written over', async () => {
  // A folder in its place: unreadable for any user.
  mkdirSync(join(path(), 'inner'), { recursive: true });
  const asides: string[] = [];
  const secrets = new Secrets(path(), keychain, (aside) => void asides.push(aside));
  expect(await secrets.set('KEY', 'value')).toMatchObject({ ok: true });
  expect(asides).toHaveLength(1);
  expect(readdirSync(asides[0] ?? '')).toEqual(['inner']);
  expect(open().list().names).toEqual(['KEY']);
});

test('a secret that could not be written is used until the end, and the error says so', async () => {
  const secrets = open();
  mkdirSync(join(path(), 'in its way'), { recursive: true });
  expect(await secrets.set('KEY', 'value')).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringContaining('until Muster closes') },
  });
  expect(secrets.reveal().values).toEqual({ KEY: 'value' });
});

test("Muster's own key is made once, is in no list, and is made again where it cannot be read", async () => {
  const secrets = open();
  await secrets.ensure('muster.answer-key');
  const { values } = secrets.reveal();
  expect(values['muster.answer-key']).toMatch(/^[0-9a-f]{64}$/);
  await secrets.ensure('muster.answer-key');
  expect(open().reveal().values).toEqual(values);
  expect(open().list().names).toEqual([]);
  locked = 'there is no keyring here';
  expect(await open().ensure('muster.answer-key')).toMatchObject({ ok: false });
});
