import { constants } from 'node:os';

const SIGNALS: ReadonlySet<number> = new Set(Object.values(constants.signals));

interface End {
  readonly code: number;
  /** What it printed at last. */
  readonly lastWords: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * How one of Muster's own processes ended, as a sentence. Electron gives the number of the signal as the code. Muster's
 * processes end themselves with 0 or 1, so every other number of a signal is one.
 */
export function processEnd({ code, lastWords, platform = process.platform }: End): string {
  const isSignal = platform !== 'win32' && code > 1 && SIGNALS.has(code);
  const how = isSignal ? `It crashed (signal ${code})` : `It ended with code ${code}`;
  return lastWords === '' ? `${how}.` : `${how}: ${lastWords}`;
}

/** The same for the operator, once the process runs again. What it printed is in the log. */
export function crashWords(name: string, end: string): string {
  const [, how = 'ended unexpectedly'] = /^It ((?:crashed|ended) [^:.]*)/.exec(end) ?? [];
  return `${name} ${how}. Your runs are safe on disk.`;
}
