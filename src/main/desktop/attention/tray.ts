import { execFile } from 'node:child_process';
import { Menu, nativeImage, Tray } from 'electron';
import { TRAY_ASK_MS } from '../../limits/main';
import { needsWords } from './attention';

const DBUS_CLIENT = 'dbus-send';
const SIZE = process.platform === 'darwin' ? 18 : 22;

export interface TrayOptions {
  readonly icon: string;
  open(): void;
  quit(): void;
}

export interface TrayHandle {
  showCount(count: number): void;
  remove(): void;
}

/**
 * A tray icon for when the window is closed; null if the desktop has no tray, since a window must never
 * disappear into an invisible one.
 */
export async function createTray(options: TrayOptions): Promise<TrayHandle | null> {
  if (process.platform === 'linux' && !(await linuxHasTray())) return null;
  const image = nativeImage.createFromPath(options.icon).resize({ width: SIZE, height: SIZE });
  if (image.isEmpty()) return null;
  const tray = new Tray(image);
  tray.setToolTip('Muster');
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Open Muster', click: () => options.open() },
      { type: 'separator' },
      { label: 'Quit', click: () => options.quit() },
    ]),
  );
  tray.on('click', () => options.open());
  return {
    showCount: (count) => {
      tray.setToolTip(count === 0 ? 'Muster' : `Muster: ${needsWords(count)}`);
    },
    remove: () => tray.destroy(),
  };
}

/** On Linux there is a tray if a status notifier watcher is on the session bus; Electron cannot tell. */
function linuxHasTray(): Promise<boolean> {
  if (!process.env.DBUS_SESSION_BUS_ADDRESS) return Promise.resolve(false);
  const question = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
  const method = ['org.freedesktop.DBus.NameHasOwner', 'string:org.kde.StatusNotifierWatcher'];
  return new Promise((resolve) => {
    execFile(DBUS_CLIENT, [...question, ...method], { timeout: TRAY_ASK_MS }, (error, output) => {
      resolve(!error && output.includes('boolean true'));
    });
  });
}
