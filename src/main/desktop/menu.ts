import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';

interface MenuOptions {
  readonly developer: boolean;
  readonly dataDir: string;
  open(): void;
}

/** Only standard menu items; Muster's own shortcuts are in the window. */
export function setMenu(options: MenuOptions): void {
  const mac: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  const file: MenuItemConstructorOptions[] = [
    { label: 'Show window', accelerator: 'CmdOrCtrl+Shift+M', click: () => options.open() },
    { role: 'close' },
    ...(process.platform === 'darwin' ? [] : [{ type: 'separator' as const }, { role: 'quit' as const }]),
  ];
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(options.developer ? [{ role: 'toggleDevTools' as const }] : []),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    // The key that zooms in without Shift, on keyboards where + needs it.
    { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  const help: MenuItemConstructorOptions[] = [
    { label: 'Open data folder', click: () => void shell.openPath(options.dataDir) },
    { label: `Muster ${app.getVersion()}`, enabled: false },
  ];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...mac,
      { label: '&File', submenu: file },
      { role: 'editMenu' },
      { label: '&View', submenu: view },
      { role: 'windowMenu' },
      { label: '&Help', role: 'help', submenu: help },
    ]),
  );
}
