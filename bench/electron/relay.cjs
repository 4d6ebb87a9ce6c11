/**
 * The minimal path of a message from a utility process through main to a page: nothing is parsed, stored or
 * decided.
 */
const { join } = require('node:path');
const { app, BrowserWindow, utilityProcess } = require('electron');

app.setPath('userData', process.env.BENCH_USER_DATA);
app.whenReady().then(() => {
  const preload = join(__dirname, 'relay-preload.cjs');
  const window = new BrowserWindow({ width: 1280, height: 800, webPreferences: { sandbox: true, preload } });
  window.loadURL('data:text/html,<p>Relay</p>');
  const source = utilityProcess.fork(join(__dirname, 'relay-source.cjs'));
  source.on('message', (message) => window.webContents.send('relay', message));
});
