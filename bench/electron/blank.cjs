/** The minimal Electron app: one window with a word in it. */
const { app, BrowserWindow } = require('electron');

app.setPath('userData', process.env.BENCH_USER_DATA);
app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    show: false,
    webPreferences: { sandbox: true },
  });
  window.once('ready-to-show', () => window.show());
  window.loadURL('data:text/html,<p>Blank</p>');
});
