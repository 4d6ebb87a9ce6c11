import { join } from 'node:path';
import { type FromCore, type ToCore, toCoreSchema } from '@contract/system/host';
import { restoreDatabase } from '../adapters/sqlite/backup/restore';
import { openStore } from '../adapters/sqlite/open';
import type { Store } from '../core/ports/store/store';
import { FULL_CORE_MS, LAST_MESSAGE_MS } from '../limits/core';
import type { Later, RunningCore } from './running-core';
import { answerFirst, isFirst } from './startup-queries';

/*
 * The core in its utility process: the protocol of contract/system/host.ts on the port to Electron's main
 * process. This file has the store and the queries for a window's first view; the rest is loaded once that is
 * drawn, or when it is needed.
 */
const parent = process.parentPort;
const say = (message: FromCore): void => parent.postMessage(message);

/** Requested together with the first view, but not needed yet. */
const PATIENT: ReadonlySet<string> = new Set(['feed.marks', 'feed.sources', 'system.status']);

interface Begun {
  readonly store: Store;
  /** Someone waits: the rest is loaded at once. */
  hurry(): void;
  readonly runningCore: Promise<RunningCore>;
}

/** The operator chose a backup: it is in place before the database is opened, or nothing has changed. */
function restoreFirst({ restore, dbPath, dataDir }: Extract<ToCore, { kind: 'init' }>): Store['notices'] {
  if (restore === undefined) return [];
  const artifacts = join(dataDir, 'artifacts');
  const restored = restoreDatabase({ path: dbPath, from: restore, artifacts });
  const id = 'store.restored';
  if (!restored.ok)
    return [{ id, level: 'error', text: `The backup was not restored: ${restored.error.message}` }];
  const { kept } = restored.value;
  const rest = kept === null ? '' : ` The database that was in use is kept as ${kept}`;
  return [{ id, level: 'info', text: `Restored ${restore}.${rest}` }];
}

let begun: Begun | null = null;
/** Its settings are not those of the store. */
let safeMode = false;
let whole: RunningCore | null = null;

function begin(init: Extract<ToCore, { kind: 'init' }>): void {
  const opened = openStore({ path: init.dbPath, notices: restoreFirst(init) });
  if (!opened.ok) {
    say({ kind: 'fatal', error: opened.error });
    setTimeout(() => process.exit(1), LAST_MESSAGE_MS);
    return;
  }
  const store = opened.value;
  safeMode = init.safeMode === true;
  let hurry: () => void = () => undefined;
  const wanted = new Promise<void>((resolve) => {
    hurry = resolve;
    setTimeout(resolve, FULL_CORE_MS);
  });
  const made = wanted.then(async () => {
    const { RunningCore } = await import('./running-core');
    whole = new RunningCore(init, store, say);
    return whole;
  });
  begun = { store, hurry, runningCore: made };
  say({ kind: 'ready', pid: process.pid, version: init.version, apiAddress: null });
}

async function act(
  { store, hurry, runningCore: made }: Begun,
  message: Later,
  ports: Electron.MessagePortMain[],
) {
  // The complete core has pushes to send before an answer, and answers everything itself.
  if (message.kind === 'rpc' && whole === null && !safeMode && isFirst(message.name)) {
    const reply = await answerFirst(store, message);
    if (reply !== null) return say({ kind: 'reply', id: message.id, reply });
  }
  const patient = message.kind === 'rpc' ? PATIENT.has(message.name) : message.kind !== 'shutdown';
  if (!patient) hurry();
  (await made).act(message, ports);
}

// Ctrl-C in a shell reaches the whole group; main decides whether and how the core ends.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

parent.on('message', ({ data, ports }) => {
  const parsed = toCoreSchema.safeParse(data, { jitless: true });
  if (!parsed.success) return;
  if (parsed.data.kind !== 'init') {
    if (begun !== null) void act(begun, parsed.data, ports);
  } else if (begun === null) begin(parsed.data);
});
