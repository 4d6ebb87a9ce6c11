import { expect, test, vi } from 'vitest';
import { inSafeMode } from './safe-mode';

test('in safe mode history is read and backed up, and nothing is started or changed', () => {
  const router = vi.fn(() => ({ ok: true as const, value: 1 }));
  const safe = inSafeMode(router);
  for (const name of ['run.list', 'run.export', 'backup.make', 'diagnostics.save', 'settings.get'])
    expect(safe(name, {})).toEqual({ ok: true, value: 1 });
  expect(router).toHaveBeenCalledTimes(5);
  for (const name of ['run.start', 'gate.resolve', 'settings.set', 'system.takeUp', 'workflow.list', 'what'])
    expect(safe(name, {})).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(router).toHaveBeenCalledTimes(5);
});
