import { join } from 'node:path';
import { type MessagePortMain, utilityProcess } from 'electron';
import { KILL_AFTER_MS } from '../../limits/main';
import type { Log, TransferredPort, Transport } from '../../supervise/transport';
import { codeFolder } from '../launch';
import { processEnd } from './process-end';

const KEPT_WORDS = 400;

interface UtilityOptions {
  readonly entry: string;
  readonly name: string;
  readonly log: Log;
  readonly args?: string[];
}

/** Starts a core of our own. */
export function startCore(processes: string, { dataDir, log }: { dataDir: string; log: Log }): Transport {
  const entry = join(processes, 'startup', 'core-host.cjs');
  return startUtility({ entry, name: 'core', log, args: [codeFolder(dataDir)] });
}

/** Starts one of our own processes. Its output goes to the log; the last lines explain its death. */
export function startUtility({ entry, name, log, args = [] }: UtilityOptions): Transport {
  const child = utilityProcess.fork(entry, args, { serviceName: `Muster ${name}`, stdio: 'pipe' });
  let lastWords = '';
  const note = (level: 'info' | 'warn') => (chunk: Buffer) => {
    const text = chunk.toString().trimEnd();
    if (level === 'warn') lastWords = text.slice(-KEPT_WORDS);
    if (text !== '') log('info', `${name}: ${text}`);
  };
  child.stdout?.on('data', note('info'));
  child.stderr?.on('data', note('warn'));
  // Without a listener the event would end main as well.
  child.on('error', (type, location) => {
    lastWords = `${type} at ${location}`;
  });
  let over: string | null = null;
  let closed: (why: string) => void = () => undefined;
  // Listening from the beginning: its owner may be attached after its end.
  child.once('exit', (code) => {
    over = processEnd({ code, lastWords });
    closed(over);
  });
  return {
    get pid() {
      return child.pid ?? null;
    },
    post: (message, port) => {
      if (over === null) child.postMessage(message, port ? [asPort(port)] : []);
    },
    onMessage: (listener) => void child.on('message', listener),
    onClose: (listener) => {
      closed = listener;
      const ended = over;
      // Deferred, so that the caller has its listeners in place.
      if (ended !== null) setImmediate(() => listener(ended));
    },
    kill: () => {
      const pid = child.pid;
      child.kill();
      setTimeout(() => {
        if (over === null && pid !== undefined) endNow(pid);
      }, KILL_AFTER_MS);
    },
  };
}

/** The supervisor carries ports without knowing Electron; they all come from here. */
const asPort = (port: TransferredPort): MessagePortMain => port as MessagePortMain;

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended at the last moment.
  }
}
