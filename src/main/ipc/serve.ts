import { eventChannel, rpcChannel } from '@contract/system/channels';
import type { RpcReply } from '@contract/wire';
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron';

/** Who answers the window. Each message is given as it came: sender and form are checked there. */
export interface WindowServer {
  answer(event: IpcMainInvokeEvent, raw: unknown): Promise<RpcReply>;
  subscribe(event: IpcMainEvent, raw: unknown): void;
}

/**
 * The window's two channels, open from the first moment: what comes before `server` is there waits for it, in its order.
 */
export function serveWindow(server: () => Promise<WindowServer>): void {
  ipcMain.handle(rpcChannel, async (event, raw): Promise<RpcReply> => (await server()).answer(event, raw));
  // Where there is none, its own failure has been told.
  ipcMain.on(
    eventChannel,
    (event, raw) =>
      void server().then(
        (ready) => ready.subscribe(event, raw),
        () => undefined,
      ),
  );
}
