import { settingsSchema } from '@contract/system/procedures';
import { z } from 'zod';
import { firstState, windowStateSchema } from '../../windows/bounds';

/** What main needs before a core answers: the window's position, and the last settings. */
export const desktopStateSchema = z.object({
  window: windowStateSchema.catch(firstState),
  settings: settingsSchema.catch(settingsSchema.parse({})),
});
export type DesktopState = z.infer<typeof desktopStateSchema>;

export const firstDesktopState: DesktopState = { window: firstState, settings: settingsSchema.parse({}) };
