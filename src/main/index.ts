import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '@contract/error-message';
import { app, crashReporter, dialog, Menu, session } from 'electron';
import type { DesktopApp } from './desktop/compose';
import { codeFolder, defaultDbPath, placeOf, readLaunch } from './desktop/launch';
import { findPlaces } from './desktop/places';
import { startCore } from './desktop/processes/utility-process';
import { offerSafeMode } from './desktop/safe-mode';
import { openLog } from './desktop/stored/log-file';
import { Starts } from './desktop/stored/starts';
import { sameSite } from './ipc/sender-check';
import { serveWindow } from './ipc/serve';
import { runCompiled } from './startup/compiled';
import { appPage, registerScheme, servePage } from './windows/app-protocol';
import { hardenApp, hardenContents, hardenSession } from './windows/hardening';
import { openMainWindow } from './windows/main-window';

/*
 * The first moments of a start. This file contains only what is needed to start the core's and the window's
 * processes; the rest of main is loaded while the system creates them.
 */

const launch = readLaunch(process.argv, process.env, process.cwd());
const dataDir = launch.dataDir ?? app.getPath('userData');
// The packaged app is also the program that hosts sandboxes (src/main/adapters/sandbox/electron.ts).
if (process.argv.includes('--host-sandboxes'))
  createRequire(join(import.meta.dirname, 'main.cjs'))('./sandbox-host.cjs');
else openApp();

function openApp(): void {
  const trouble = launch.emptyFlag === null ? makeFolder(dataDir) : null;
  if (launch.emptyFlag !== null) {
    const text = `${launch.emptyFlag} needs a value.\n\nLeave the flag out for the default.`;
    dialog.showErrorBox('Muster could not open', text);
    app.exit(1);
  } else if (trouble === null) begin();
  else {
    const mend = 'Name another one with --data-dir or MUSTER_DATA_DIR.';
    dialog.showErrorBox('Muster could not open', `There is no data folder ${dataDir}: ${trouble}\n\n${mend}`);
    app.exit(1);
  }
}

function makeFolder(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return null;
  } catch (cause) {
    return messageOf(cause);
  }
}

function begin(): void {
  // The single-instance lock is in userData: one Muster per data folder, not per machine.
  app.setPath('userData', dataDir);
  app.setPath('sessionData', join(dataDir, 'chromium'));
  keepCrashes();
  app.setAppUserModelId('dev.muster.console');
  if (app.requestSingleInstanceLock({ link: launch.link })) run();
  else app.exit(0);
}

/** Dumps of all processes stay in the data folder. */
function keepCrashes(): void {
  app.setPath('crashDumps', join(dataDir, 'crashes'));
  crashReporter.start({ uploadToServer: false });
}

function run(): void {
  const starts = new Starts(dataDir);
  const troubled = starts.begin();
  // It cannot be switched off later, when the operator has answered.
  if (troubled || launch.safeMode) app.disableHardwareAcceleration();
  const logFile = join(dataDir, 'logs', 'main.log');
  const log = openLog(logFile);
  const page = (app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL) ?? appPage;
  const places = findPlaces(join(import.meta.dirname, '..'));
  // Electron need not build its own menu: ours is set once the window exists.
  Menu.setApplicationMenu(null);
  registerScheme();
  hardenApp();
  app.on('second-instance', (...[, , , data]) => void desk.then((made) => made.showSecond(data)));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    void desk.then((made) => made.show(placeOf(url)));
  });
  app.on('activate', () => void desk.then((made) => made.show(null)));
  // Closing the window may keep Muster in the tray; `quit` decides when it ends.
  app.on('window-all-closed', () => undefined);
  app.on('web-contents-created', (_event, contents) =>
    hardenContents(contents, (url) => sameSite(url, page)),
  );
  process.on('uncaughtException', (error) => log('error', `not caught: ${error.stack ?? error.message}`));
  process.on('unhandledRejection', (cause) =>
    log('error', `rejected: ${cause instanceof Error ? cause.stack : String(cause)}`),
  );

  const open = (safeMode: boolean): DesktopApp => {
    const core = startCore(places.processes, { dataDir, log });
    hardenSession(session.defaultSession, (url) => mayLoad(url, page));
    servePage(session.defaultSession, places.renderer);
    const window = openMainWindow(places.preload);
    window.load(page, placeOf(launch.link ?? ''));
    const desktop = join(places.processes, 'startup', 'desktop.cjs');
    const { DesktopApp } = runCompiled(desktop, codeFolder(dataDir)) as typeof import('./startup/desktop');
    const dbPath = launch.dbPath ?? defaultDbPath(dataDir);
    const made = new DesktopApp({ dataDir, dbPath, places, log, page, core, window, safeMode, starts });
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => made.leaveNow());
    made.start();
    if (app.isPackaged) app.setAsDefaultProtocolClient('muster');
    return made;
  };
  const isSafe = (): boolean | Promise<boolean> =>
    launch.safeMode || (troubled && offerSafeMode(process.env.MUSTER_SAFE_MODE_ANSWER));
  const desk = app.whenReady().then(isSafe).then(open);
  serveWindow(() => desk);
  desk.catch((cause: unknown) => {
    log('error', `could not open: ${cause instanceof Error ? cause.stack : String(cause)}`);
    // Otherwise the window would stay hidden forever, without an explanation.
    dialog.showErrorBox('Muster could not open', `${String(cause)}\n\nInstall it again, or see ${logFile}.`);
    app.exit(1);
  });
}

/** The page and its origin; in development also Vite's socket and the developer tools. */
function mayLoad(url: string, page: string): boolean {
  if (sameSite(url, page) || url.startsWith('data:')) return true;
  return !app.isPackaged && (url.startsWith('devtools:') || sameSite(url.replace(/^ws/, 'http'), page));
}
