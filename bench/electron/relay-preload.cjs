const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('relay', {
  onMessage: (listener) => ipcRenderer.on('relay', (_event, message) => listener(message)),
});
