import { app, dialog, type Session, shell, type WebContents } from 'electron';
import { isExposed, outsideAddress } from './outside-address';

/** Call before the app is ready. Disables what Muster never uses, to reduce the attack surface. */
export function hardenApp(): void {
  app.commandLine.appendSwitch(
    'disable-features',
    'MediaRouter,OptimizationHints,AutofillServerCommunication',
  );
  app.commandLine.appendSwitch('no-pings');
  app.commandLine.appendSwitch('disable-background-networking');
  /*
   * The page has no network access (hardenSession), yet its first navigation waits for the network process:
   * 20 ms of a start. Only where this was measured, and where that process has no sandbox of its own.
   */
  if (process.platform === 'linux') app.commandLine.appendSwitch('enable-features', withFeature());
  // If Chromium's sandbox cannot start (as root, in CI), requiring it would keep every process from starting.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
}

/** In addition to those on the command line: only the last switch of a name counts. */
function withFeature(): string {
  const features = app.commandLine.getSwitchValue('enable-features');
  return [features, 'NetworkServiceInProcess2'].filter(Boolean).join(',');
}

/** The page needs no permission, downloads nothing, and reaches only its own origin. */
export function hardenSession(session: Session, mayLoad: (url: string) => boolean): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayLoad(details.url) }));
}

/** For every web contents. */
export function hardenContents(contents: WebContents, isPage: (url: string) => boolean): void {
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-navigate', (event) => {
    if (!isPage(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void openOutside(url);
    return { action: 'deny' };
  });
}

let asking = false;

/** An agent may have written the link, so the operator sees its address before anything opens. */
async function openOutside(url: string): Promise<void> {
  const address = outsideAddress(url);
  if (address === null || asking) return;
  asking = true;
  try {
    const question = {
      type: 'question' as const,
      message: 'Open this address in the browser?',
      detail: isExposed(address) ? `${address}\n\nThe connection will not be encrypted.` : address,
      buttons: ['Open', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    };
    const { response } = await dialog.showMessageBox(question);
    if (response === 0) await shell.openExternal(address);
  } finally {
    asking = false;
  }
}
