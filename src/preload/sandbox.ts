import { ipcRenderer } from 'electron';

/** Hands the REPL's page its only connection. Nothing else of Electron reaches the page. */
ipcRenderer.once('port', (event) => {
  window.postMessage('port', window.location.origin, event.ports);
});
