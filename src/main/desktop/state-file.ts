import { settingsSchema } from '@contract/system/procedures';
import { z } from 'zod';
import { firstState, windowStateSchema } from '../windows/bounds';

/** What main must know before a core answers: where the window was, and the settings as they were last. */
export const desktopStateSchema = z.object({
  window: windowStateSchema.catch(firstState),
  settings: settingsSchema.catch(settingsSchema.parse({})),
});
export type DesktopState = z.infer<typeof desktopStateSchema>;

export const firstDesktopState: DesktopState = { window: firstState, settings: settingsSchema.parse({}) };
