import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { gateProcedures } from '@contract/gate/procedures';
import type { Push, RpcReply } from '@contract/ipc';
import { runProcedures } from '@contract/run/procedures';
import { type CoreInit, socketEndpointFile } from '@contract/system/host';
import { type Settings, settingsSchema } from '@contract/system/procedures';
import { app, BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent, nativeTheme } from 'electron';
import { serveSubscriptions } from '../ipc/events';
import { serveRpc } from '../ipc/rpc';
import { isTrusted } from '../ipc/sender-check';
import { Subscriptions } from '../ipc/subscriptions';
import type { Log } from '../supervise/transport';
import { Attention } from './attention';
import { Console } from './console';
import { JsonFile } from './json-file';
import { systemKeychain } from './keychain';
import { Layout } from './layout';
import { setMenu } from './menu';
import { showNotification } from './notifications';
import type { Places } from './places';
import { WakeLock, watchPower } from './power';
import { mainHandlers } from './procedures';
import { Processes } from './processes';
import { Quit } from './quit';
import { Secrets } from './secrets';
import { desktopStateSchema, firstDesktopState } from './state-file';

export interface ComposeOptions {
  readonly dataDir: string;
  readonly dbPath: string;
  readonly places: Places;
  readonly log: Log;
  /** The page's address; another one than the built page only while developing. */
  readonly page: string;
  readonly place: string | null;
}

const QUIT_ASK_MS = 1500;
