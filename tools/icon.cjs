/** Renders resources/icon.png from icon.svg, in Electron because it can render SVG: npm run icon. */
const { app, BrowserWindow } = require('electron');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const SIZE = 512;
const resources = join(__dirname, '..', 'resources');

async function draw() {
  await app.whenReady();
  const window = new BrowserWindow({
    width: SIZE,
    height: SIZE,
    useContentSize: true,
    frame: false,
    transparent: true,
    webPreferences: { offscreen: true },
  });
  const svg = readFileSync(join(resources, 'icon.svg'), 'utf8');
  const page = `<style>*{margin:0}svg{display:block}</style>${svg}`;
  await window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`);
  // The first frames are blank.
  await window.webContents.executeJavaScript('new Promise((drawn) => setTimeout(drawn, 500))');
  const painted = new Promise((resolve) => {
    window.webContents.once('paint', (_event, _area, image) => resolve(image));
  });
  window.webContents.invalidate();
  writeFileSync(join(resources, 'icon.png'), (await painted).toPNG());
  app.quit();
}

app.disableHardwareAcceleration();
app.commandLine.appendSwitch('force-device-scale-factor', '1');
draw().catch((error) => {
  console.error(error);
  app.exit(1);
});
