/**
 * The terminal process. Electron's main process starts it as a utility process and passes it its clients'
 * ports; the command line forks it, and is then its only client, on the same channel.
 */

import { join } from 'node:path';
import {
  type PtyHostControl,
  type PtyHostReport,
  ptyHostControlSchema,
} from '@areas/terminals/contract/host';
import { appError } from '@contract/errors';
import { Terminals } from '../adapters/pty/terminals';
import { dropShellStates } from '../adapters/pty-client/shells/shell-state';
import { createLogger } from '../adapters/system/logger';
import type { Logger } from '../core/ports/ports';
import { LAST_MESSAGE_MS, SHUTDOWN_GRACE_MS } from '../limits/terminal-host';
import { type ClientPort, childOfFork, childOfUtility, type ParentLink } from './parent-link';

const SNAPSHOT_THREAD = new URL('./terminal-snapshot.js', import.meta.url);

function run(parent: ParentLink): void {
  let terminals: Terminals | null = null;
  let logger: Logger | null = null;
  const report = (message: PtyHostReport): void => parent.post(message);

  const leave = async (): Promise<void> => {
    logger?.info('terminal host ends');
    await terminals?.close(SHUTDOWN_GRACE_MS);
    // The saved state of its shells, which may contain secrets, is removed with this process.
    await dropShellStates(process.pid).catch(() => undefined);
    report({ kind: 'stopped' });
    setTimeout(() => process.exit(0), LAST_MESSAGE_MS);
  };

  const attach = (port: ClientPort): void => {
    const client = terminals?.connect(port);
    port.onClose(() => client?.gone());
    port.onMessage((raw) => client?.message(raw));
  };

  const control = (message: PtyHostControl, ports: readonly ClientPort[]): void => {
    if (message.kind === 'shutdown') void leave();
    else if (message.kind === 'init') {
      // A forking parent has no port to show a terminal on.
      logger ??= createLogger(join(message.dataDir, 'logs', 'terminals.log'));
      logger.info('terminal host started', { pid: process.pid });
      terminals ??= new Terminals(message.dataDir, SNAPSHOT_THREAD, parent.client === null);
      report({ kind: 'ready', pid: process.pid });
      if (parent.client) attach(parent.client);
    } else if (message.kind === 'abandon') terminals?.abandon();
    else if (message.kind === 'window') terminals?.windowShown(message.shown);
    else if (!ports[0]) return;
    else if (message.kind === 'view') terminals?.show(message.outputPath, ports[0]);
    else attach(ports[0]);
  };

  parent.onMessage((raw, ports) => {
    const parsed = ptyHostControlSchema.safeParse(raw);
    if (parsed.success) control(parsed.data, ports);
  });
  parent.onClose(() => void leave());
  process.on('SIGTERM', () => void leave());
  // A key or a closed console ends our parent, which may still need the terminals for an orderly end.
  for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined);
  process.on('uncaughtException', (error) => {
    logger?.error('not caught', { cause: error.stack ?? error.message });
    report({
      kind: 'fatal',
      error: appError('internal', `The terminal host failed: ${error.stack ?? error.message}`),
    });
    process.exit(1);
  });
}

// How a packed command line forks this; the programs in the terminals are not started so.
delete process.env.ELECTRON_RUN_AS_NODE;

const parent = childOfUtility() ?? childOfFork();
if (parent) run(parent);
else {
  process.stderr.write('This program is started by Muster, not by hand.\n');
  process.exitCode = 2;
}
