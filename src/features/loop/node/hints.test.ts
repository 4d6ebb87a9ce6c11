import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runService } from '@areas/runs/node/testing/run-service';
import { expect, test } from 'vitest';
import { LoopHarness, passed } from '../core/testing/loop';
import { Watching } from './testing/watching';

const artifacts = () => mkdtempSync(join(tmpdir(), 'muster-artifacts-'));
const hint = { runId: 1, by: 'operator', text: 'Use port 0.' };

test("a hint for a run whose loop Muster runs reaches the loop's next worker", async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ say: 'Result: blocked' }];
  await harness.loop();
  await harness.answer('stop');
  harness.deeds = [passed('A')];
  const { runs } = runService(artifacts(), undefined, harness);
  expect(await runs.resume(hint)).toEqual({ ok: true, value: {} });
  await harness.idle();
  expect(harness.agents.sent.at(-1)?.request.prompt).toContain('Use port 0.');
});

test('a hint for a run whose loop is only watched is refused, because no worker would read it', async () => {
  const harness = new Watching(['A']);
  await harness.open();
  harness.processes = [];
  await harness.look(4);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  const { runs } = runService(artifacts(), undefined, harness);
  expect(await runs.resume(hint)).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect(await runs.resume({ runId: 1, by: 'operator' })).toEqual({ ok: true, value: {} });
});
