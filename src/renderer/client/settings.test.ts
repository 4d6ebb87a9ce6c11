import { expect, test, vi } from 'vitest';

const kept = vi.hoisted(() => ({ layout: { width: 1 } as Record<string, unknown>, full: false }));
const replies = {
  'app.getLayout': () => ({ ok: true, value: kept.layout }),
  'app.setLayout': ({ key, value }: { key: string; value: unknown }) => {
    if (kept.full) return { ok: false, error: { code: 'input.invalid', message: 'There is no place.' } };
    kept.layout = { ...kept.layout, [key]: value };
    return { ok: true, value: {} };
  },
};
vi.stubGlobal('navigator', { userAgent: 'Linux' });
vi.stubGlobal('window', {
  location: { hash: '' },
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined },
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  muster: {
    call: async (name: keyof typeof replies, input: never) => replies[name](input),
    subscribe: () => undefined,
    onPush: () => undefined,
  },
});
const { layout, loadLayout, saveLayout } = await import('./settings');
const { toasts } = await import('./toasts');

test('a layout that is refused is taken back, and its reason is shown', async () => {
  await loadLayout();
  saveLayout('width', 2);
  await vi.waitFor(() => expect(kept.layout).toEqual({ width: 2 }));
  kept.full = true;
  saveLayout('width', 3);
  expect(layout.get()).toEqual({ width: 3 });
  await vi.waitFor(() => expect(layout.get()).toEqual({ width: 2 }));
  expect(JSON.stringify(toasts.get())).toContain('There is no place.');
});

test('what is arranged while the layout is read is not lost', async () => {
  kept.full = false;
  const read = loadLayout();
  saveLayout('height', 5);
  await read;
  expect(layout.get()).toEqual({ width: 2, height: 5 });
});
