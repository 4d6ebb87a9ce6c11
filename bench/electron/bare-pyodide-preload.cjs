const { ipcRenderer } = require('electron');

ipcRenderer.once('port', (event) => window.postMessage(null, location.origin, event.ports));
