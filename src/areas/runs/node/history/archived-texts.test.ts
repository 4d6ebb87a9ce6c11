import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_TEXT_BYTES } from '@contract/limits';
import { replay } from '@contract/run/reduce';
import { double } from '@contract/testing/double';
import { type LargeText, largeTextsIn } from '@contract/whole-text';
import { TextFiles } from '@main/adapters/run-texts/whole-texts';
import { Place } from '@main/adapters/sqlite/testing/place';
import { Harness } from '@main/core/engine/testing/harness';
import type { Store } from '@main/core/ports/store/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArchiveParts, exportRun } from './run-archive';
import { RunImports } from './run-imports';

const TEXT = 'word '.repeat(EVENT_TEXT_BYTES);

let here: Harness;
let there: Place;
let source: Store;
let folder: string;
let file: string;
let parts: ArchiveParts;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-archived-texts-'));
  file = join(folder, 'run.jsonl');
  here = new Harness();
  here.commands.answer = () => ({ output: `${TEXT}\n` });
  await here.run({ steps: [{ id: 'a', type: 'step.command', config: { script: 'print' } }] });
  source = double<Store>({ log: here.log, run: () => ({ id: 1, uid: 'U', name: 'test' }) });
  there = new Place();
  parts = {
    store: there.open(),
    textFiles: new TextFiles(),
    now: () => 5,
    artifactsRoot: folder,
    worktreesDir: folder,
  };
  expect(
    await exportRun({ ...parts, store: source, textFiles: here.textFiles }, { runId: 1, path: file }),
  ).toMatchObject({ ok: true });
});
afterEach(() => {
  there.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The output of the imported run, and the folder of its artifacts. */
function imported(): { readonly large: LargeText | undefined; readonly artifactsDir: string } {
  const state = replay(parts.store.log.read(1));
  const [large] = largeTextsIn(state?.activations[1]?.outputs).values();
  return { large, artifactsDir: state?.artifactsDir ?? '' };
}

test('an export takes the whole of a large output along', async () => {
  expect(await new RunImports(parts).begin({ path: file })).toMatchObject({ ok: true });
  const { large, artifactsDir } = imported();
  expect(parts.textFiles.of(artifactsDir).read({ sha256: large?.sha256 ?? '' }) === TEXT).toBe(true);
});

test('an export without a text says so, and is imported all the same', async () => {
  here.textFiles.files.clear();
  file = join(folder, 'other.jsonl');
  await exportRun({ ...parts, store: source, textFiles: here.textFiles }, { runId: 1, path: file });
  expect(readFileSync(file, 'utf8')).toContain('"missing"');
  expect(await new RunImports(parts).begin({ path: file })).toMatchObject({ ok: true });
  const { large, artifactsDir } = imported();
  expect(() => parts.textFiles.of(artifactsDir).read({ sha256: large?.sha256 ?? '' })).toThrow(
    /cannot be read/,
  );
});

test('an export with a text that is not the one that its hash names is refused', async () => {
  writeFileSync(file, readFileSync(file, 'utf8').replace('"content":"word', '"content":"wort'));
  expect(await new RunImports(parts).begin({ path: file })).toMatchObject({
    error: { code: 'import.invalid' },
  });
  expect(parts.store.run(1)).toBeNull();
});
