import { BrowserWindow, nativeTheme, screen } from 'electron';
import { ICON_AFTER_MS, WINDOW_SAVE_MS, WINDOW_SHOW_MS } from '../limits/main';
import type { WindowState } from './bounds';
import { placedOn } from './window-placement';

/** The page's background in light and dark, so that nothing flashes before it is painted. */
const GROUND = { light: '#fdfdfe', dark: '#17181b' };
const FIRST_SIZE = { width: 1280, height: 800 };

/** A window that is still hidden. */
export interface OpenedWindow {
  readonly window: BrowserWindow;
  /** Its page was painted for the first time, or takes too long. */
  readonly painted: Promise<void>;
  /** Navigates within the page, for example to `/run/7`. */
  load(page: string, place: string | null): void;
  /** Positions it, and shows it once its page is painted. */
  settle(options: SettleOptions): void;
}

interface SettleOptions {
  readonly icon: string;
  readonly state: WindowState;
  saved(state: WindowState): void;
}

export const groundColour = (): string => (nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light);

/** Opens a window before anything is known about it, because creating one takes time. */
export function openMainWindow(preload: string): OpenedWindow {
  const window = new BrowserWindow({
    width: FIRST_SIZE.width,
    height: FIRST_SIZE.height,
    show: false,
    minWidth: 640,
    minHeight: 420,
    title: 'Muster',
    backgroundColor: groundColour(),
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      // `showOpenFilePicker()` opens the system's dialog without a permission that could be refused.
      disableBlinkFeatures: 'FileSystemAccessLocal',
      // Its compiled code is cached from the first start on, not only after frequent use.
      v8CacheOptions: 'bypassHeatCheck',
    },
  });
  const painted = new Promise<void>((resolve) => {
    window.once('ready-to-show', () => resolve());
    const late = setTimeout(resolve, WINDOW_SHOW_MS);
    window.once('closed', () => clearTimeout(late));
  });
  return {
    window,
    painted,
    load: (page, place) => load(window, addressAt(page, place)),
    settle: (options) => settle(window, painted, options),
  };
}

function settle(window: BrowserWindow, painted: Promise<void>, { icon, state, saved }: SettleOptions): void {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const { maximised, ...bounds } = placedOn(state, screens);
  window.setBounds(bounds);
  if (bounds.x === undefined) window.center();
  void painted.then(() => {
    if (window.isDestroyed()) return;
    if (!window.isVisible()) {
      if (maximised) window.maximize();
      window.show();
    }
    setTimeout(() => window.isDestroyed() || setIcon(window, icon), ICON_AFTER_MS);
  });
  keepState(window, saved);
}

function setIcon(window: BrowserWindow, icon: string): void {
  if (process.platform !== 'darwin') window.setIcon(icon);
}

/** Navigates without reloading the page. */
export function goTo(window: BrowserWindow, page: string, place: string): void {
  load(window, addressAt(page, place));
}

/** Errors are reported by the window's own events. */
function load(window: BrowserWindow, address: string): void {
  window.loadURL(address).catch(() => undefined);
}

const addressAt = (page: string, place: string | null): string =>
  place === null ? page : `${page}#${place}`;

function keepState(window: BrowserWindow, saved: (state: WindowState) => void): void {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed() || window.isMinimized()) return;
    saved({ ...window.getNormalBounds(), maximised: window.isMaximized() });
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, WINDOW_SAVE_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', save);
}
