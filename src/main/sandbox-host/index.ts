import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FromSandboxHost, toSandboxHostSchema } from '@contract/sandbox/protocol';
import { app, Menu, type MessagePortMain, protocol } from 'electron';
import { LEAVE_MS } from '../limits/sandbox';
import { ReplHost } from '../sandbox/repl-host';
import { replScheme } from '../sandbox/scheme';
import { limitWasmMemory } from '../sandbox/wasm-limit';

/*
 * An Electron process without a window, for a core that runs in plain Node: it hosts REPLs and relays their messages.
 * It lives as long as the channel to its core.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'muster-sandbox-'));
const repls = new Map<string, MessagePortMain>();
let host: ReplHost | null = null;

const say = (message: FromSandboxHost): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

app.setPath('userData', dataDir);
app.setPath('sessionData', dataDir);
app.on('window-all-closed', () => undefined);
process.on('disconnect', () => leave());
// Started by hand, or its core ended meanwhile: no one would ever end it.
if (!process.connected) leave();
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  leave();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave());

/** REPLs that were left to themselves would outlive this process for a moment. */
function leave(): void {
  const exit = (): void => {
    rmSync(dataDir, { recursive: true, force: true });
    app.exit(0);
  };
  setTimeout(exit, LEAVE_MS);
  void Promise.resolve(host?.closeAll()).then(exit, exit);
}

// Nothing is drawn.
app.disableHardwareAcceleration();
Menu.setApplicationMenu(null);
protocol.registerSchemesAsPrivileged([replScheme]);
limitWasmMemory();
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

const out = join(import.meta.dirname, '..', '..');
const made = new ReplHost({
  files: { folder: join(out, 'sandbox'), preload: join(out, 'preload', 'sandbox.cjs') },
  say: (message) => {
    if (message.kind === 'gone') repls.delete(message.repl);
    say(message);
  },
  connect: (repl, port) => {
    repls.set(repl, port);
    port.on('message', ({ data }) => say({ kind: 'from', repl, message: data }));
    port.start();
  },
});

host = made;

void app.whenReady().then(() => {
  process.on('message', (given) => {
    const parsed = toSandboxHostSchema.safeParse(given);
    if (!parsed.success) return;
    if (parsed.data.kind === 'to') repls.get(parsed.data.repl)?.postMessage(parsed.data.message);
    else made.act(parsed.data);
  });
  say({ kind: 'up' });
});
