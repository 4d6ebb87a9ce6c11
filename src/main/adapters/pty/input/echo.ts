import { execFile } from 'node:child_process';
import { LONGEST_ECHO_MS } from '../../../limits/terminal-host';

/** How the terminal's line discipline treats typed input. */
export type Echo =
  /** Echoed. */
  | 'on'
  /** Whole lines are hidden: a password prompt. */
  | 'secret'
  /** Keys are passed on immediately; the program decides whether to show them. */
  | 'raw';
const OPTION: Partial<Record<NodeJS.Platform, string>> = { linux: '-F', darwin: '-f' };

/**
 * Queries the terminal's slave side; null if that is impossible. If no answer comes in time, input may be
 * hidden: it is better not recorded than a password stored.
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
