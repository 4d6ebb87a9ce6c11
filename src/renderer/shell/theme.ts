import { useEffect, useLayoutEffect } from 'react';
import { useReadable } from '../client/hooks';
import { settings } from '../client/settings';
import { registry } from '../client/wire/window';

/** Applies theme, density and keys from the settings. */
export function useTheme(): void {
  const { theme, density, keys } = useReadable(settings);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.density = density;
  }, [theme, density]);
  useEffect(() => registry.setKeys(keys), [keys]);
}
