import { settingsSchema } from '@contract/system/procedures';
import { double } from '@contract/testing/double';
import type { Store } from '@main/core/ports/store/store';
import { expect, test } from 'vitest';
import { SettingsService } from './settings-service';

function over(stored: unknown) {
  const kept: { value: unknown } = { value: stored };
  const store = double<Store>({
    setting: () => kept.value,
    setSetting: (_key, value) => {
      kept.value = value;
    },
  });
  return { kept, service: new SettingsService(store) };
}

test('a setting of a newer version is kept when another one is changed', () => {
  const { kept, service } = over({ theme: 'sepia', density: 'dense', haptics: { strong: true } });
  expect(service.get()).toMatchObject({ theme: 'system', density: 'dense' });
  service.set({ undoSeconds: 9 });
  expect(kept.value).toMatchObject({
    theme: 'sepia',
    density: 'dense',
    haptics: { strong: true },
    undoSeconds: 9,
  });
  expect(service.set({ theme: 'dark' })).toMatchObject({ theme: 'dark', density: 'dense', undoSeconds: 9 });
  expect(kept.value).toMatchObject({ theme: 'dark', haptics: { strong: true } });
});

test('settings that are no object are read as the defaults', () => {
  expect(over('torn').service.get()).toEqual(settingsSchema.parse({}));
});
