import { type MessagePortMain, utilityProcess } from 'electron';
import type { Log, TransferredPort, Transport } from '../supervise/transport';

const KILL_AFTER_MS = 3000;
const KEPT_WORDS = 400;

export interface UtilityOptions {
  readonly entry: string;
  readonly name: string;
  readonly log: Log;
}

/** Starts one of our own processes. What it prints goes to the log; its last words explain its death. */
export function startUtility({ entry, name, log }: UtilityOptions): Transport {
  const child = utilityProcess.fork(entry, [], { serviceName: `Muster ${name}`, stdio: 'pipe' });
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
  let over = false;
  return {
    get pid() {
      return child.pid ?? null;
    },
    post: (message, port) => {
      if (!over) child.postMessage(message, port ? [asPort(port)] : []);
    },
    onMessage: (listener) => void child.on('message', listener),
    onClose: (listener) => {
      child.once('exit', (code) => {
        over = true;
        listener(`ended with code ${code}${lastWords === '' ? '' : `: ${lastWords}`}`);
      });
    },
    kill: () => {
      const pid = child.pid;
      child.kill();
      setTimeout(() => {
        if (!over && pid !== undefined) endNow(pid);
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
