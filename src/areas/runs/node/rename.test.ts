import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOf } from '@main/core/engine/effects/workspace-effects';
import { expect, test } from 'vitest';
import { runService } from './testing/run-service';

test('an ended run is renamed, keeps its folders, and gets its derived name back', async () => {
  const { harness, start, runs } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  await start({ instruction: 'Mend the lock.' });
  await harness.idle();
  expect([harness.state().name, runOf(harness.state()).name]).toEqual(['Mend the lock.', 'W']);
  const rename = (name: string | null) => runs.rename({ runId: 1, name, by: 'test' });
  expect(await rename('The leak')).toEqual({ ok: true, value: { name: 'The leak' } });
  const events = harness.log.rows.length;
  expect(await rename('The leak')).toEqual({ ok: true, value: { name: 'The leak' } });
  expect(harness.log.rows).toHaveLength(events);
  expect([harness.state().name, runOf(harness.state()).name]).toEqual(['The leak', 'W']);
  expect(await rename(null)).toEqual({ ok: true, value: { name: 'Mend the lock.' } });
  expect(await runs.rename({ runId: 9, name: null, by: 'test' })).toMatchObject({ ok: false });
});
