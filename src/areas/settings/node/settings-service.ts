import { setOwnValue } from '@contract/own';
import { type Settings, settingsSchema } from '@contract/system/procedures';
import type { Store } from '@main/core/ports/store/store';

/** The operator's settings, stored as one value; damaged keys fall back to their defaults. */
export class SettingsService {
  private readonly listeners = new Set<(settings: Settings) => void>();

  constructor(private readonly store: Store) {}

  get(): Settings {
    const stored = this.store.setting('settings');
    const parsed = settingsSchema.safeParse(stored ?? {});
    if (parsed.success) return parsed.data;
    const valid: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(typeof stored === 'object' && stored !== null ? stored : {})) {
      if (settingsSchema.safeParse({ [key]: value }).success) setOwnValue(valid, key, value);
    }
    return settingsSchema.parse(valid);
  }

  set(changes: Partial<Settings>): Settings {
    const settings = settingsSchema.parse({ ...this.get(), ...changes });
    this.store.setSetting('settings', settings);
    for (const listener of this.listeners) listener(settings);
    return settings;
  }

  onChange(listener: (settings: Settings) => void): void {
    this.listeners.add(listener);
  }
}
