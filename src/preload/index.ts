import type { MusterBridge } from '@contract/ipc';
import { eventChannel, rpcChannel } from '@contract/system/channels';
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';

const bridge: MusterBridge = {
  call: (name, input) => ipcRenderer.invoke(rpcChannel, { name, input }),
  subscribe: (topics) => ipcRenderer.send(eventChannel, { topics }),
  onPush: (listener) => {
    // The event itself stays here: it would hand the window a way to every channel.
    const heard = (_event: IpcRendererEvent, pushes: unknown): void => listener(pushes);
    ipcRenderer.on(eventChannel, heard);
    return () => ipcRenderer.off(eventChannel, heard);
  },
  pathOf: (file) => webUtils.getPathForFile(file as File),
};

contextBridge.exposeInMainWorld('muster', bridge);
