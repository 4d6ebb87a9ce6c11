import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingsService } from '@areas/settings/node/settings-service';
import { ANSWER_KEY } from '@contract/system/host';
import { double } from '@contract/testing/double';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AnswerPlace } from './answers';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'muster-answers-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const KEY = 'c'.repeat(64);

function place({ keychain, enabled = true }: { keychain?: 'works' | 'locked'; enabled?: boolean }) {
  const secrets = new Map<string, string>();
  const made: AnswerPlace = new AnswerPlace({
    dataDir,
    secrets,
    settings: double<SettingsService>({ get: () => ({ httpApi: { enabled, port: 0 } }) }),
    wantKey:
      keychain === undefined
        ? null
        : () =>
            setImmediate(() => {
              if (keychain === 'works') secrets.set(ANSWER_KEY, KEY);
              made.changed();
            }),
  });
  return made;
}

test('a key without a keychain is made once, in a file that only this user can read', async () => {
  const key = await place({}).signing();
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  const file = join(dataDir, 'answer-key');
  expect(readFileSync(file, 'utf8').trim()).toBe(key);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const next = place({});
  expect(await next.signing()).toBe(key);
  expect(next.known()).toEqual([key]);
});

test('a keychain is asked for the key, and no file is made', async () => {
  const made = place({ keychain: 'works' });
  expect(made.known()).toEqual([]);
  expect(await Promise.all([made.signing(), made.signing()])).toEqual([KEY, KEY]);
  expect(made.known()).toEqual([KEY]);
  expect(() => statSync(join(dataDir, 'answer-key'))).toThrow('ENOENT');
});

test('a key whose keychain cannot be used is in the file, without a long wait', async () => {
  const made = place({ keychain: 'locked' });
  expect(await made.signing()).toBe(readFileSync(join(dataDir, 'answer-key'), 'utf8').trim());
});

test('an address that is just being opened is waited for, and one that is off is not', async () => {
  expect(await place({ enabled: false }).address()).toBeNull();
  const made = place({});
  const asked = made.address();
  made.setAddress('http://127.0.0.1:7000');
  expect(await asked).toBe('http://127.0.0.1:7000');
});
