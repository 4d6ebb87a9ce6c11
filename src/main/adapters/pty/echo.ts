import { execFile } from 'node:child_process';
import { LONGEST_ECHO_MS } from '../../limits/terminal-host';

/** What the line discipline of a terminal does with what is typed. */
export type Echo =
  /** It shows it. */
  | 'on'
  /** It hides whole lines: a password is asked for. */
  | 'secret'
  /** It hands each key on at once; whether it is seen is up to the program. */
  | 'raw';
const OPTION: Partial<Record<NodeJS.Platform, string>> = { linux: '-F', darwin: '-f' };

/**
 * Asks at the terminal's slave side; null where that cannot be asked. Where no answer comes in time it may well be hidden:
 * what is typed then is rather not written down than a password kept.
 */
export function echoOf(slave: string): Promise<Echo | null> {
  const option = OPTION[process.platform];
  if (option === undefined) return Promise.resolve(null);
  return new Promise((resolve) => {
    execFile('stty', [option, slave, '-a'], { timeout: LONGEST_ECHO_MS }, (error, output) => {
      if (error) return resolve(error.killed ? 'secret' : null);
      const set = (name: string): boolean => !new RegExp(`(^|\\s)-${name}\\b`).test(output);
      resolve(set('echo') ? 'on' : set('icanon') ? 'secret' : 'raw');
    });
  });
}
