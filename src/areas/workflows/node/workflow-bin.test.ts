import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkflowBin } from './workflow-bin';

const FILE = join('.muster', 'workflows', 'w.yaml');

function bin() {
  const path = mkdtempSync(join(tmpdir(), 'muster-bin-'));
  mkdirSync(join(path, '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(path, FILE), '\uFEFFname: x\r\n', { mode: 0o640 });
  const project = (id: number) => (id === 1 ? { path } : null);
  return {
    path,
    made: new WorkflowBin({
      folder: join(path, 'kept'),
      now: Date.now,
      project,
      changed: () => {},
      projects: () => [{ id: 1, path }],
    }),
  };
}

async function removed(made: WorkflowBin): Promise<string> {
  const done = await made.remove({ projectId: 1, file: FILE });
  if (!done.ok) throw new Error(done.error.message);
  return done.value.kept;
}

test('a deleted file comes back byte for byte with its mode, once', async () => {
  const { path, made } = bin();
  const kept = await removed(made);
  expect(existsSync(join(path, FILE))).toBe(false);
  expect(await made.restore({ projectId: 1, file: FILE, kept })).toEqual({ ok: true, value: {} });
  expect(readFileSync(join(path, FILE), 'utf8')).toBe('\uFEFFname: x\r\n');
  expect(statSync(join(path, FILE)).mode & 0o777).toBe(0o640);
  expect(await made.restore({ projectId: 1, file: FILE, kept })).toMatchObject({ ok: false });
});

test('a file that came in its place is not written over, and the kept one stays', async () => {
  const { path, made } = bin();
  const kept = await removed(made);
  writeFileSync(join(path, FILE), 'other');
  const refused = { ok: false, error: { code: 'conflict' } };
  expect(await made.restore({ projectId: 1, file: FILE, kept })).toMatchObject(refused);
  expect(await made.restore({ projectId: 1, file: FILE, kept })).toMatchObject(refused);
  expect(readFileSync(join(path, FILE), 'utf8')).toBe('other');
});

test('of a link only the link is deleted, and nothing outside of the folder of workflows is', async () => {
  const { path, made } = bin();
  symlinkSync(join(path, FILE), join(path, '.muster', 'workflows', 'link.yaml'));
  expect(await made.remove({ projectId: 1, file: join('.muster', 'workflows', 'link.yaml') })).toMatchObject({
    ok: true,
  });
  expect(existsSync(join(path, FILE))).toBe(true);
  writeFileSync(join(path, 'secret.yaml'), 'x');
  expect(await made.remove({ projectId: 1, file: 'secret.yaml' })).toMatchObject({
    error: { code: 'input.invalid' },
  });
  const elsewhere = await made.restore({ projectId: 1, file: '../x.yaml', kept: 'a' });
  expect(elsewhere).toMatchObject({ error: { code: 'input.invalid' } });
});

test('a deleted file is kept for 90 days, and only files of the bin are cleared away', async () => {
  const { path, made } = bin();
  const aged = (name: string, days: number) => {
    const at = Date.now() / 1000 - days * 86_400;
    utimesSync(join(path, 'kept', name), at, at);
  };
  const kept = await removed(made);
  writeFileSync(join(path, 'kept', 'notes.txt'), 'x');
  aged(`${kept}.yaml`, 89);
  aged('notes.txt', 400);
  await made.clean();
  expect(existsSync(join(path, 'kept', `${kept}.yaml`))).toBe(true);
  aged(`${kept}.yaml`, 91);
  writeFileSync(join(path, FILE), 'name: y\n');
  const next = await removed(made);
  expect(existsSync(join(path, 'kept', `${kept}.yaml`))).toBe(false);
  expect(existsSync(join(path, 'kept', `${next}.yaml`))).toBe(true);
  expect(existsSync(join(path, 'kept', 'notes.txt'))).toBe(true);
});

test('deleted workflows are listed with their files until they are brought back, and not from damaged notes', async () => {
  const { path, made } = bin();
  const kept = await removed(made);
  writeFileSync(join(path, FILE), 'name: y\n');
  const next = await removed(made);
  writeFileSync(join(path, 'kept', `${next}.json`), '{');
  const [only, ...others] = await made.deleted();
  expect([only, others]).toEqual([
    { projectId: 1, file: FILE, kept, deletedAt: expect.any(Number), keptUntil: expect.any(Number) },
    [],
  ]);
  expect((only?.keptUntil ?? 0) - (only?.deletedAt ?? 0)).toBe(90 * 86_400_000);
  await made.restore({ projectId: 1, file: FILE, kept });
  expect(await made.deleted()).toEqual([]);
  expect(existsSync(join(path, 'kept', `${kept}.json`))).toBe(false);
});
