import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, session } from 'electron';
import { z } from 'zod';
import { Desk } from './desktop/compose';
import { defaultDbPath, placeOf, readLaunch } from './desktop/launch';
import { openLog } from './desktop/log-file';
import { findPlaces } from './desktop/places';
import { sameSite } from './ipc/sender-check';
import { appPage, registerScheme, servePage } from './windows/app-protocol';
import { hardenApp, hardenContents, hardenSession } from './windows/hardening';

const secondSchema = z.object({ link: z.string().nullable() });

const launch = readLaunch(process.argv, process.env, process.cwd());
const dataDir = launch.dataDir ?? app.getPath('userData');
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
// The lock on the single instance lies in userData: one Muster for a data folder, not one for a machine.
app.setPath('userData', dataDir);
app.setPath('sessionData', join(dataDir, 'chromium'));
app.setAppUserModelId('dev.muster.console');

if (app.requestSingleInstanceLock({ link: launch.link })) run();
else app.exit(0);

function run(): void {
  const log = openLog(join(dataDir, 'logs', 'main.log'));
  const page = (app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL) ?? appPage;
  const places = findPlaces(import.meta.dirname);
  registerScheme();
  hardenApp();
  let desk: Desk | null = null;
  let place = placeOf(launch.link ?? '');
  const show = (link: string | null): void => {
    const wanted = placeOf(link ?? '');
    if (desk) desk.show(wanted);
    else place = wanted ?? place;
  };

  app.on('second-instance', (...[, , , data]) => {
    const second = secondSchema.safeParse(data);
    show(second.success ? second.data.link : null);
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    show(url);
  });
  app.on('activate', () => show(null));
  // Closing the window may keep Muster in the tray: when it quits is decided there.
  app.on('window-all-closed', () => undefined);
  app.on('web-contents-created', (_event, contents) =>
    hardenContents(contents, (url) => sameSite(url, page)),
  );
  process.on('uncaughtException', (error) => log('error', `not caught: ${error.stack ?? error.message}`));
  process.on('unhandledRejection', (cause) =>
    log('error', `rejected: ${cause instanceof Error ? cause.stack : String(cause)}`),
  );

  const open = (): void => {
    hardenSession(session.defaultSession, (url) => mayLoad(url, page));
    servePage(session.defaultSession, places.renderer);
    if (app.isPackaged) app.setAsDefaultProtocolClient('muster');
    desk = new Desk({ dataDir, dbPath: launch.dbPath ?? defaultDbPath(dataDir), places, log, page });
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => desk?.leaveNow());
    desk.start(place);
  };
  app.whenReady().then(open, (cause: unknown) => log('error', `could not open: ${String(cause)}`));
}

/** The page and what it was served from; developing adds Vite's socket and the developer tools. */
function mayLoad(url: string, page: string): boolean {
  if (sameSite(url, page) || url.startsWith('data:')) return true;
  return !app.isPackaged && (url.startsWith('devtools:') || sameSite(url.replace(/^ws/, 'http'), page));
}
