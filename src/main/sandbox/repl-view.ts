import { setTimeout as sleep } from 'node:timers/promises';
import type { Confinement, GoneReason } from '@contract/sandbox/protocol';
import { app, MessageChannelMain, type MessagePortMain, WebContentsView } from 'electron';
import { PAGE_GONE_CHECK_MS, PAGE_KILL_MS } from '../limits/sandbox';
import { confinementOf } from './confinement';
import { hardenReplContents, replSession } from './harden-session';
import { REPL_ORIGIN, serveRepl } from './scheme';

/** The location of a REPL's built files. */
export interface ReplFiles {
  /** The page, its worker and Pyodide. */
  readonly folder: string;
  readonly preload: string;
}

export interface OpenedRepl {
  readonly pid: number;
  readonly confinement: Confinement;
  /** The page's connection; started by its owner or passed to another process. */
  readonly port: MessagePortMain;
  /** Resolves when the process is gone. */
  close(): Promise<void>;
}

/** Features that no REPL needs and that could reach a device or bypass the request filter. */
const OFF = 'WebUSB,WebUSBOnDedicatedWorkers,Serial,WebSocketStream,WebBluetooth,WebHID';

/**
 * Nothing else references a view without a window: once garbage-collected, its page would stop without an
 * event.
 */
const views = new Set<WebContentsView>();

/**
 * Opens a REPL's page in a view without a window: it shows nothing, takes no input and needs no display.
 * `gone` is called once if its process ends by itself.
 */
export async function openRepl(files: ReplFiles, gone: (reason: GoneReason) => void): Promise<OpenedRepl> {
  const ses = await replSession();
  serveRepl(ses, files.folder);
  const view = new WebContentsView({
    webPreferences: {
      session: ses,
      preload: files.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webgl: false,
      disableDialogs: true,
      spellcheck: false,
      backgroundThrottling: false,
      disableBlinkFeatures: OFF,
    },
  });
  views.add(view);
  const contents = view.webContents;
  hardenReplContents(contents);
  let over = false;
  contents.once('render-process-gone', (_event, { reason }) => {
    if (!over) gone(reason === 'oom' ? 'memory' : 'crashed');
    over = true;
  });
  await contents.loadURL(`${REPL_ORIGIN}/index.html`);
  const pid = contents.getOSProcessId();
  const { port1, port2 } = new MessageChannelMain();
  contents.postMessage('port', null, [port2]);
  const close = async (): Promise<void> => {
    over = true;
    // First: a loop in the worker, or in C, must not be able to delay it.
    if (!contents.isDestroyed()) contents.forcefullyCrashRenderer();
    await ended(pid);
    if (!contents.isDestroyed()) contents.close();
    views.delete(view);
    port1.close();
    await ses.clearStorageData().catch(() => undefined);
  };
  return {
    pid,
    confinement: confinementOf(pid, app.commandLine.hasSwitch('no-sandbox')),
    port: port1,
    close,
  };
}

/** Waits for the process, and kills it if it does not end. */
async function ended(pid: number): Promise<void> {
  for (const until = Date.now() + PAGE_KILL_MS; isAlive(pid); await sleep(PAGE_GONE_CHECK_MS))
    if (Date.now() > until) {
      process.kill(pid, 'SIGKILL');
      return;
    }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
