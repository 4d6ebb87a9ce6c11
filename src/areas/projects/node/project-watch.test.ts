import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { replaceText } from '@areas/workflows/node/texts/replace';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProjectWatch } from './project-watch';

let path: string;
let watch: ProjectWatch;
const changed = vi.fn();
const file = () => join(path, '.muster', 'workflows', 'w.yaml');

beforeEach(() => {
  changed.mockClear();
  path = mkdtempSync(join(tmpdir(), 'muster-watch-'));
  mkdirSync(join(path, '.muster', 'workflows'), { recursive: true });
  writeFileSync(file(), 'name: w\n');
  watch = new ProjectWatch(changed);
  watch.follow([{ id: 1, path } as ProjectRow]);
});

afterEach(() => {
  watch.close();
  rmSync(path, { recursive: true, force: true });
});

const replace = (now: string, text: string) => replaceText(file(), { shown: 'w.yaml', now, text });
const isTold = () => vi.waitFor(() => expect(changed).toHaveBeenCalledWith(1));

test('A change from elsewhere is reported, also with the text from before.', async () => {
  writeFileSync(`${file()}.new`, 'name: w\n');
  renameSync(`${file()}.new`, file());
  await isTold();
});

test('A write of this process is not reported a second time.', async () => {
  const second = join(path, 'second');
  mkdirSync(join(second, '.muster', 'workflows'), { recursive: true });
  watch.follow([
    { id: 1, path },
    { id: 2, path: second },
  ] as ProjectRow[]);
  await replace('name: w\n', 'name: mine\n');
  // Told as late after its change as the first project would be, whose change came before.
  writeFileSync(join(second, '.muster', 'workflows', 'w.yaml'), 'name: w\n');
  await vi.waitFor(() => expect(changed).toHaveBeenCalledWith(2));
  expect(changed).not.toHaveBeenCalledWith(1);
});

test('A change from elsewhere right after a write of this process is reported.', async () => {
  await replace('name: w\n', 'name: mine\n');
  writeFileSync(file(), 'name: theirs\n');
  await isTold();
});
