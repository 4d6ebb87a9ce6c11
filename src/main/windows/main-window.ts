import { BrowserWindow, nativeTheme, screen } from 'electron';
import { placedOn, type WindowState } from './bounds';

/** The grounds of the page in light and dark, so that nothing flashes before it is painted. */
const GROUND = { light: '#fdfdfe', dark: '#17181b' };
const SAVE_AFTER_MS = 400;
/** A page that does not get ready is shown all the same: an empty window can be closed, a hidden one cannot. */
const SHOW_AFTER_MS = 5000;

export interface MainWindowOptions {
  readonly preload: string;
  readonly page: string;
  readonly icon: string;
  readonly state: WindowState;
  /** A place within the page, such as `/run/7`. */
  readonly place: string | null;
  saved(state: WindowState): void;
}

export const groundColour = (): string => (nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light);

export function openMainWindow(options: MainWindowOptions): BrowserWindow {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const { maximised, ...bounds } = placedOn(options.state, screens);
  const window = new BrowserWindow({
    ...bounds,
    show: false,
    minWidth: 640,
    minHeight: 420,
    title: 'Muster',
    icon: options.icon,
    backgroundColor: groundColour(),
    autoHideMenuBar: true,
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
    },
  });
  const show = (): void => {
    if (window.isDestroyed() || window.isVisible()) return;
    if (maximised) window.maximize();
    window.show();
  };
  window.once('ready-to-show', show);
  const late = setTimeout(show, SHOW_AFTER_MS);
  window.once('closed', () => clearTimeout(late));
  keepState(window, options.saved);
  load(window, addressAt(options.page, options.place));
  return window;
}

/** Goes to a place without loading the page again. */
export function goTo(window: BrowserWindow, page: string, place: string): void {
  load(window, addressAt(page, place));
}

/** What goes wrong is told by the window's own events. */
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
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', save);
}
