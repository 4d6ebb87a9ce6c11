import { join } from 'node:path';
import type { RoutedPush } from '@contract/ipc';
import { eventChannel, lineChannel } from '@contract/system/channels';
import {
  type BrowserWindow,
  dialog,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  type MessagePortMain,
  nativeTheme,
  type RenderProcessGoneDetails,
} from 'electron';
import { isTrusted } from '../ipc/sender-check';
import { PAGE_CRASHES_MS } from '../limits/main';
import type { Log } from '../supervise/transport';
import type { WindowState } from '../windows/bounds';
import { goTo, groundColour, type OpenedWindow, openMainWindow } from '../windows/main-window';
import type { Places } from './places';

interface ConsoleWindowOptions {
  readonly places: Places;
  readonly page: string;
  readonly log: Log;
  /** The first window, already loading its page. */
  readonly first: OpenedWindow;
  state(): WindowState;
  saved(state: WindowState): void;
  /** The operator closes the window: false keeps it. */
  mayClose(): boolean;
  /** Its page ended or was reloaded, and its subscriptions with it. */
  cleared(windowId: number): void;
  crashed(why: string): void;
  /** It was shown or hidden. */
  shown(): void;
}

const CRASHES = 3;

/** The single window, opened on demand and navigated. */
export class ConsoleWindow {
  #window: BrowserWindow | null = null;
  #crashes: number[] = [];
  /** Set while the operator is asked what to do with an unresponsive window. */
  #stuck: AbortController | null = null;

  constructor(private readonly options: ConsoleWindowOptions) {
    nativeTheme.on('updated', () => this.#window?.setBackgroundColor(groundColour()));
  }

  get window(): BrowserWindow | null {
    return this.#window;
  }

  /** The operator is looking at it. */
  get watched(): boolean {
    return this.#window?.isVisible() === true && this.#window.isFocused();
  }

  /** It is, or may be, visible on a screen. */
  get onScreen(): boolean {
    return this.#window?.isVisible() === true && !this.#window.isMinimized();
  }

  show(place: string | null): void {
    const window = this.#window;
    if (!window) return this.#open(place);
    if (place !== null) goTo(window, this.options.page, place);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  hide(): void {
    this.#window?.hide();
  }

  send(windowId: number, pushes: RoutedPush[]): void {
    const contents = this.#window?.webContents;
    if (contents?.id === windowId && !contents.isDestroyed()) contents.send(eventChannel, pushes);
  }

  /** Gives the page its end of a line to the core. */
  giveLine(port: MessagePortMain): boolean {
    const contents = this.#window?.webContents;
    if (!contents || contents.isDestroyed()) return false;
    contents.postMessage(lineChannel, null, [port]);
    return true;
  }

  isOurs(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
    const contents = this.#window?.webContents;
    const frame = event.senderFrame;
    const ownWindow = contents !== undefined && event.sender.id === contents.id;
    const mainFrame = ownWindow && frame !== null && frame === contents.mainFrame;
    return isTrusted({ url: frame?.url ?? null, mainFrame, ownWindow }, this.options.page);
  }

  /** Takes over the window that was opened before the console existed. */
  begin(): void {
    this.#take(this.options.first);
  }

  #open(place: string | null): void {
    const opened = openMainWindow(this.options.places.preload);
    this.#take(opened);
    opened.load(this.options.page, place);
  }

  #take(opened: OpenedWindow): void {
    const { places, log } = this.options;
    const { window } = opened;
    opened.settle({
      icon: join(places.resources, 'icon.png'),
      state: this.options.state(),
      saved: (now) => this.options.saved(now),
    });
    const contents = window.webContents;
    this.#window = window;
    window.on('close', (event) => {
      if (!this.options.mayClose()) event.preventDefault();
    });
    for (const name of ['show', 'hide', 'minimize', 'restore'] as const)
      window.on(name as 'show', () => this.options.shown());
    window.on('closed', () => {
      this.#window = null;
      this.options.shown();
      this.options.cleared(contents.id);
    });
    // Only once a new page has replaced it: a refused navigation leaves the old one unchanged.
    contents.on('did-navigate', () => this.options.cleared(contents.id));
    contents.on('render-process-gone', (_event, details) => this.#crashed(window, details));
    contents.on('preload-error', (_event, path, error) =>
      log('error', `${path}: ${error.stack ?? error.message}`),
    );
    contents.on('did-fail-load', (...[, code, why, url]) =>
      log('error', `${url} could not be loaded: ${why} (${code})`),
    );
    window.on('unresponsive', () => void this.#askWhileStuck(window));
    window.on('responsive', () => this.#stuck?.abort());
  }

  /** Its page is reloaded only if the operator says so: it may be busy with what they wait for. */
  async #askWhileStuck(window: BrowserWindow): Promise<void> {
    this.options.log('warn', 'the window does not answer');
    if (this.#stuck !== null) return;
    const stuck = new AbortController();
    this.#stuck = stuck;
    // Attached to the window: on macOS a detached dialog blocks the whole process until it is answered.
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'The window does not answer.',
      detail: 'Runs continue without it. Reloading it loses nothing.',
      buttons: ['Load It Again', 'Wait'],
      cancelId: 1,
      noLink: true,
      signal: stuck.signal,
    });
    this.#stuck = null;
    // A stuck page cannot be reloaded; its process is killed, which is handled like any crash.
    if (response === 0 && !stuck.signal.aborted && !window.isDestroyed())
      window.webContents.forcefullyCrashRenderer();
  }

  #crashed(window: BrowserWindow, details: RenderProcessGoneDetails): void {
    this.options.cleared(window.webContents.id);
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const why = `The window’s process ended (${details.reason}) and restarted. Nothing was lost.`;
    this.options.log('error', `the window’s process is gone: ${details.reason} (${details.exitCode})`);
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < PAGE_CRASHES_MS), now];
    if (this.#crashes.length <= CRASHES) {
      this.options.crashed(why);
      window.webContents.reload();
    } else void this.#askAfterCrashes(window);
  }

  async #askAfterCrashes(window: BrowserWindow): Promise<void> {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: 'The window keeps crashing.',
      detail: 'Runs continue without it. See the log in the data folder under logs.',
      buttons: ['Try Again', 'Leave It'],
      noLink: true,
    });
    this.#crashes = [];
    if (response === 0 && !window.isDestroyed()) window.webContents.reload();
  }
}
