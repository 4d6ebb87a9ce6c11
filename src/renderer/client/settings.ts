import type { Json } from '@contract/ids';
import { type Settings, settingsSchema } from '@contract/system/procedures';
import { call } from './rpc';
import { Cell } from './store';
import { attempt } from './toasts';

/** As the core keeps them; its defaults until it has answered. */
export const settings = new Cell<Settings>(settingsSchema.parse({}));

export async function loadSettings(): Promise<void> {
  const result = await call('settings.get', {});
  if (result.ok) settings.set(result.value);
}

export async function saveSettings(change: Partial<Settings>): Promise<boolean> {
  const saved = await attempt(call('settings.set', { settings: change }));
  if (saved !== null) settings.set(saved);
  return saved !== null;
}

/** Sizes of columns and what is collapsed. Main keeps it; a window reads it once. */
export const layout = new Cell<Readonly<Record<string, unknown>>>({});

export async function loadLayout(): Promise<void> {
  const result = await call('app.getLayout', {});
  if (result.ok) layout.set(result.value);
}

export function saveLayout(key: string, value: Json): void {
  layout.update((all) => ({ ...all, [key]: value }));
  void call('app.setLayout', { key, value });
}
