import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredEvent } from '@contract/run/events';
import { double } from '@contract/testing/double';
import { Harness, task } from '@main/core/engine/testing/harness';
import type { Store } from '@main/core/ports/store/store';
import { beforeEach, expect, test } from 'vitest';
import { type ArchiveParts, exportRun } from './run-archive';
import { RunImports } from './run-imports';

let artifactsRoot: string;
let file: string;
let stored: (readonly StoredEvent[])[];
let parts: ArchiveParts;

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-imports-'));
  artifactsRoot = join(folder, 'runs');
  mkdirSync(artifactsRoot);
  file = join(folder, 'run.jsonl');
  stored = [];
  const harness = new Harness();
  await harness.run({ steps: [task('a')] });
  const { log, textFiles } = harness;
  const store = double<Store>({
    log,
    run: () => ({ id: 1, uid: 'U', name: 'test' }),
    runByUid: () => null,
    projects: () => [{ id: 1, path: '/project', name: 'project', addedAt: 0 }],
    importRun: (events: readonly StoredEvent[]) => {
      stored.push(events);
      return { ok: true, value: 7 };
    },
  });
  parts = { store, textFiles, now: () => 5, artifactsRoot, worktreesDir: join(folder, 'worktrees') };
  await exportRun(parts, { runId: 1, path: file });
});

test('an import is cancelled by its key: nothing of it is there, and it can be made again', async () => {
  const imports = new RunImports(parts);
  const importing = imports.begin({ path: file, key: 'K' });
  expect(imports.cancel('K')).toMatchObject({ ok: true });
  expect(await importing).toMatchObject({ error: { code: 'cancelled' } });
  expect(stored).toEqual([]);
  expect(await imports.begin({ path: file, key: 'K' })).toEqual({ ok: true, value: { runId: 7 } });
  imports.cancel('K');
  expect(stored).toHaveLength(1);
});

test('what an import of a killed core left behind is removed at the next start', async () => {
  mkdirSync(join(artifactsRoot, '.imports', '1a'), { recursive: true });
  writeFileSync(join(artifactsRoot, '.imports', '1a', 'text'), 'x');
  mkdirSync(join(artifactsRoot, 'U1'));
  await new RunImports(parts).clean();
  expect(readdirSync(artifactsRoot)).toEqual(['U1']);
});
