import { setOwnValue } from '@contract/own';
import { type Settings, settingsSchema } from '@contract/system/procedures';
import type { Store } from '@main/core/ports/store/store';
import { z } from 'zod';

const storedSchema = z.record(z.string(), z.unknown()).catch({});

/** The operator's settings, stored as one value; damaged keys fall back to their defaults. */
export class SettingsService {
  private readonly listeners = new Set<(settings: Settings) => void>();

  constructor(
    private readonly store: Store,
    /** Of safe mode: the stored ones may be what keeps Muster from starting. */
    private readonly options: { readonly defaults: boolean } = { defaults: false },
  ) {}

  get(): Settings {
    if (this.options.defaults) return settingsSchema.parse({});
    const stored = this.stored();
    const parsed = settingsSchema.safeParse(stored);
    if (parsed.success) return parsed.data;
    const valid: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(stored)) {
      if (settingsSchema.safeParse({ [key]: value }).success) setOwnValue(valid, key, value);
    }
    return settingsSchema.parse(valid);
  }

  set(changes: Partial<Settings>): Settings {
    const settings = settingsSchema.parse({ ...this.get(), ...changes });
    // What this version does not know, or reads otherwise, is kept for the newer one that wrote it.
    this.store.setSetting('settings', { ...settings, ...this.stored(), ...changes });
    for (const listener of this.listeners) listener(settings);
    return settings;
  }

  private stored(): Record<string, unknown> {
    return storedSchema.parse(this.store.setting('settings') ?? {});
  }

  onChange(listener: (settings: Settings) => void): void {
    this.listeners.add(listener);
  }
}
