import type { MusterBridge } from '@contract/ipc';
import { eventChannel, rpcChannel, terminalChannel } from '@contract/system/channels';
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

// A port cannot cross the bridge; the page gets it as a message of this very window.
ipcRenderer.on(terminalChannel, (event, view: unknown) => {
  window.postMessage({ kind: terminalChannel, view }, window.location.origin, event.ports as never);
});

contextBridge.exposeInMainWorld('muster', bridge);
