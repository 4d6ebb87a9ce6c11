import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appPage, registerScheme, servePage } from '@main/windows/app-protocol';
import { openMainWindow } from '@main/windows/main-window';
import { app, session } from 'electron';

/*
 * An Electron that shows the page of component tests as the product shows its own: the same scheme and policy, and a
 * window with the same settings. `host.cjs FOLDER PRELOAD`.
 */
const [folder = '', preload = ''] = process.argv.slice(-2);
app.setPath('userData', mkdtempSync(join(tmpdir(), 'muster-components-')));
registerScheme();
void app.whenReady().then(() => {
  servePage(session.defaultSession, folder);
  const { window, load } = openMainWindow(preload);
  load(appPage, null);
  window.show();
});
