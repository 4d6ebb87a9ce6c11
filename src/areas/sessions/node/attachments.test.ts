import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Attachments } from './attachments';

function place() {
  const path = mkdtempSync(join(tmpdir(), 'muster-attach-'));
  const outside = mkdtempSync(join(tmpdir(), 'muster-outside-'));
  writeFileSync(join(outside, 'spec.md'), 'one');
  const attachments = new Attachments({ project: (id) => (id === 1 ? { path } : null) });
  return { path, outside, copyIn: (from: string) => attachments.copyIn({ projectId: 1, path: from }) };
}

test('a file from elsewhere is copied into the project under a name that is free', async () => {
  const { path, outside, copyIn } = place();
  expect(await copyIn(join(outside, 'spec.md'))).toEqual({
    ok: true,
    value: { file: '.muster/attachments/spec.md' },
  });
  writeFileSync(join(outside, 'spec.md'), 'two');
  expect(await copyIn(join(outside, 'spec.md'))).toEqual({
    ok: true,
    value: { file: '.muster/attachments/spec-2.md' },
  });
  const read = (name: string) => readFileSync(join(path, '.muster', 'attachments', name), 'utf8');
  expect([read('spec.md'), read('spec-2.md')]).toEqual(['one', 'two']);
});

test('a folder is not copied, nor is anything through a link that leads out of the project', async () => {
  const { path, outside, copyIn } = place();
  expect(await copyIn(outside)).toMatchObject({ error: { code: 'input.invalid' } });
  mkdirSync(join(path, '.muster'));
  symlinkSync(outside, join(path, '.muster', 'attachments'));
  expect(await copyIn(join(outside, 'spec.md'))).toMatchObject({ error: { code: 'input.invalid' } });
});
