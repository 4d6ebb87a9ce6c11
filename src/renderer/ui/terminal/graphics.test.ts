import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Asks twice in a page with this context; returns what was requested. */
async function asked(context: object | null) {
  const getContext = vi.fn(() => context);
  vi.stubGlobal('document', { createElement: () => ({ getContext }) });
  const { hasGraphicsProcessor } = await import('./graphics');
  return { found: [hasGraphicsProcessor(), hasGraphicsProcessor()], calls: getContext.mock.calls };
}

test('an imitated graphics processor is none', async () => {
  const { found, calls } = await asked(null);
  expect(found).toEqual([false, false]);
  expect(calls).toEqual([['webgl2', { failIfMajorPerformanceCaveat: true }]]);
});

test('the context of the probe is given back', async () => {
  const loseContext = vi.fn();
  const { found } = await asked({ getExtension: () => ({ loseContext }) });
  expect(found).toEqual([true, true]);
  expect(loseContext).toHaveBeenCalledOnce();
});
