import { eventChannel } from '@contract/system/channels';
import { type IpcMainEvent, ipcMain } from 'electron';
import type { Subscriptions } from './subscriptions';

/** Takes the topics that a window wants. What comes from elsewhere, or cannot be read, is dropped. */
export function serveSubscriptions(
  subscriptions: Subscriptions,
  isOurs: (event: IpcMainEvent) => boolean,
): void {
  ipcMain.on(eventChannel, (event, raw) => {
    if (isOurs(event)) subscriptions.subscribe(event.sender.id, raw);
  });
}
