import type { RunStatus } from '@contract/run/state';

/** Text with colours if the reader is a terminal that supports them. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  waits(text: string): string;
}

const CODES = { bold: [1, 22], dim: [2, 22], good: [32, 39], bad: [31, 39], waits: [33, 39] } as const;

export function styleFor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const coloured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint =
    ([on, off]: readonly [number, number]) =>
    (text: string): string =>
      coloured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    good: paint(CODES.good),
    bad: paint(CODES.bad),
    waits: paint(CODES.waits),
  };
}

const OF_STATUS: Record<RunStatus, keyof Style> = {
  running: 'bold',
  waiting: 'waits',
  limited: 'waits',
  cancelling: 'waits',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'dim',
  rejected: 'bad',
  unreadable: 'bad',
};

/** The store says `running` for a run that is to continue; without a running core nothing works on it. */
export const statusWord = (style: Style, status: RunStatus, live = true): string =>
  live || (status !== 'running' && status !== 'limited' && status !== 'cancelling')
    ? style[OF_STATUS[status]](status)
    : style.waits('parked');
