import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import { terminalChannel } from '@contract/system/channels';
import type { Settings } from '@contract/system/procedures';
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  type MessagePortMain,
  type OpenDialogOptions,
  shell,
} from 'electron';
import { z } from 'zod';
import type { MainHandlers } from '../ipc/rpc';
import type { Layout } from './stored/layout';
import type { Secrets } from './stored/secrets';

interface MainParts {
  readonly dataDir: string;
  readonly layout: Layout;
  readonly secrets: Secrets;
  settings(): Settings;
  window(): BrowserWindow | null;
  apiAddress(): string | null;
  secretsChanged(): void;
  restart(process: 'core' | 'ptyHost'): void;
  restoreBackup(path: string): Result<Record<string, never>>;
  leaveSafeMode(): void;
  openTerminal(runId: number, name: string): Promise<Result<MessagePortMain>>;
}

/** Procedures that main answers itself, because only it may use the desktop. */
export function mainHandlers(parts: MainParts): MainHandlers {
  return { ...desktopHandlers(parts), ...fileHandlers(parts), ...storeHandlers(parts) };
}

function desktopHandlers(parts: MainParts) {
  return {
    'app.info': async () =>
      ok({
        version: app.getVersion(),
        electron: process.versions.electron,
        standIn: isStandIn(),
        dataDir: parts.dataDir,
        platform: process.platform,
        apiAddress: parts.apiAddress(),
        noticesPath: app.isPackaged ? join(process.resourcesPath, 'THIRD-PARTY-NOTICES.txt') : null,
      }),
    'app.flushStorage': async () => {
      parts.window()?.webContents.session.flushStorageData();
      return ok({});
    },
    'app.copyText': async ({ text }) => {
      clipboard.writeText(text);
      return ok({});
    },
    'app.restartProcess': async (input) => {
      parts.restart(input.process);
      return ok({});
    },
    'app.restoreBackup': async ({ path }) => parts.restoreBackup(path),
    'app.leaveSafeMode': async () => {
      parts.leaveSafeMode();
      return ok({});
    },
    'terminal.open': async ({ runId, name, view }) => {
      const port = await parts.openTerminal(runId, name);
      if (!port.ok) return port;
      parts.window()?.webContents.postMessage(terminalChannel, view, [port.value]);
      return ok({});
    },
    'app.pickFolder': async ({ title }) => {
      const [path] = await pick(parts, { title, properties: ['openDirectory', 'createDirectory'] });
      return ok({ path: path ?? null });
    },
    'app.pickFiles': async ({ title }) => {
      return ok({ paths: await pick(parts, { title, properties: ['openFile', 'multiSelections'] }) });
    },
    'app.saveAs': async ({ title, name }) => {
      const options = { title, defaultPath: join(app.getPath('documents'), name.replace(/[/\\:]/g, '_')) };
      const window = parts.window();
      const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      return ok({ path: chosen.canceled || chosen.filePath === '' ? null : chosen.filePath });
    },
  } satisfies Partial<MainHandlers>;
}

function fileHandlers(parts: MainParts) {
  return {
    'app.openInEditor': async (input) => {
      const { openInEditor } = await import('./editor/editor');
      return openInEditor(input, parts.settings().editorCommand);
    },
    'app.revealInFolder': async ({ path }) => {
      if (!isAbsolute(path) || !existsSync(path)) return fail('not_found', `${path} does not exist.`);
      shell.showItemInFolder(path);
      return ok({});
    },
  } satisfies Partial<MainHandlers>;
}

function storeHandlers(parts: MainParts) {
  const changed = <T>(result: T): T => {
    parts.secretsChanged();
    return result;
  };
  return {
    'app.getLayout': async () => ok(parts.layout.get()),
    'app.setLayout': async ({ key, value }) => parts.layout.set(key, value),
    'secret.list': async () => ok(parts.secrets.list()),
    'secret.set': async ({ name, value }) => changed(await parts.secrets.set(name, value)),
    'secret.remove': async ({ name }) => changed(await parts.secrets.remove(name)),
  } satisfies Partial<MainHandlers>;
}

async function pick(parts: MainParts, options: OpenDialogOptions): Promise<string[]> {
  const window = parts.window();
  const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return chosen.canceled ? [] : chosen.filePaths;
}

const manifestSchema = z.object({ devDependencies: z.object({ electron: z.string() }) });

/** True if another Electron than Muster's own version is running, as in development without its binary. */
function isStandIn(): boolean {
  if (app.isPackaged) return false;
  try {
    const manifest = manifestSchema.parse(
      JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8')),
    );
    return manifest.devDependencies.electron !== process.versions.electron;
  } catch {
    return false;
  }
}
