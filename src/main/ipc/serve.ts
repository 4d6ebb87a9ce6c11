import { eventChannel, rpcChannel } from '@contract/system/channels';
import type { RpcReply } from '@contract/wire';
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron';

/** Answers the window. Messages are passed unchanged: it checks sender and format. */
export interface WindowServer {
  answer(event: IpcMainInvokeEvent, raw: unknown): Promise<RpcReply>;
  subscribe(event: IpcMainEvent, raw: unknown): void;
}

/**
 * The window's two channels, open from the first moment: messages before `server` is available wait for it,
 * in order.
 */
export function serveWindow(server: () => Promise<WindowServer>): void {
  ipcMain.handle(rpcChannel, async (event, raw): Promise<RpcReply> => (await server()).answer(event, raw));
  // If there is none, its failure was reported separately.
  ipcMain.on(
    eventChannel,
    (event, raw) =>
      void server().then(
        (ready) => ready.subscribe(event, raw),
        () => undefined,
      ),
  );
}
