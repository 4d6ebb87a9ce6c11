import type { Json } from '@contract/ids';
import { type Settings, settingsSchema } from '@contract/system/procedures';
import { call } from './rpc';
import { Cell } from './store';
import { attempt } from './toasts';
import { bus } from './wire/window';

/**
 * The last known settings and layout, so that a window is drawn at once and does not jump when a starting
 * core answers. Main and the core hold the current ones.
 */
const SEEN = { settings: 'muster.seen.settings', layout: 'muster.seen.layout' };

function seen(key: string): unknown {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}

const remember = (key: string, value: unknown): void =>
  window.localStorage.setItem(key, JSON.stringify(value));

export const settings = new Cell<Settings>(
  settingsSchema.safeParse(seen(SEEN.settings)).data ?? settingsSchema.parse({}),
);

function show(value: Settings): void {
  settings.set(value);
  remember(SEEN.settings, value);
}

/** Number of pushes. A push that arrived while an answer was pending is as new or newer. */
let pushes = 0;

/** From now on receives settings changed elsewhere: by the command line, or a script. */
export function followSettings(): void {
  bus.on('settings', null, (push) => {
    pushes += 1;
    show(push.settings);
  });
}

export async function loadSettings(): Promise<void> {
  const before = pushes;
  const result = await call('settings.get', {});
  if (result.ok && pushes === before) show(result.value);
}

export async function saveSettings(change: Partial<Settings>): Promise<boolean> {
  const before = pushes;
  const saved = await attempt(call('settings.set', { settings: change }));
  if (saved !== null && pushes === before) show(saved);
  return saved !== null;
}

/** Sizes of columns, and collapsed parts. */
export const layout = new Cell<Readonly<Record<string, unknown>>>(
  (seen(SEEN.layout) ?? {}) as Record<string, unknown>,
);

let saves = 0;

export async function loadLayout(): Promise<void> {
  const before = saves;
  const result = await call('app.getLayout', {});
  if (!result.ok) return;
  // What was arranged meanwhile may not be in it.
  if (saves !== before) return loadLayout();
  layout.set(result.value);
  remember(SEEN.layout, result.value);
}

/** Shown at once; what is refused is taken back, with its reason. */
export function saveLayout(key: string, value: Json): void {
  saves += 1;
  layout.update((all) => ({ ...all, [key]: value }));
  remember(SEEN.layout, layout.get());
  void attempt(call('app.setLayout', { key, value })).then((saved) =>
    saved === null ? loadLayout() : undefined,
  );
}
