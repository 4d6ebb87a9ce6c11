import { hashOf } from '@renderer/client/route';
import { LEAD } from '../contract/events';

/** In an address: everything in time order. No member can have this name. */
export const ALL = 'all';

/** A team's thread in an address: `team/RUN/ACTIVATION/THREAD/MESSAGE`. */
export interface ThreadPlace {
  readonly runId: number;
  /** Null: the first team of the run. */
  readonly activationId: number | null;
  /** `all`, `lead` or a member's name. */
  readonly thread: string;
  readonly messageId: number | null;
}

const numberOf = (text: string | undefined): number | null => {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : null;
};

export function placeOf(path: readonly string[]): ThreadPlace | null {
  const [kind, run, activation, thread = ALL, message] = path;
  const runId = numberOf(run);
  if (kind !== 'team' || runId === null) return null;
  return { runId, activationId: numberOf(activation), thread, messageId: numberOf(message) };
}

export const pathOf = (
  place: Omit<ThreadPlace, 'activationId'> & { activationId: number },
): (string | number)[] => [
  ...['team', place.runId, place.activationId, place.thread],
  ...(place.messageId === null ? [] : [place.messageId]),
];

export const hashOfThread = (runId: number, activationId: number, thread: string): string =>
  hashOf(...pathOf({ runId, activationId, thread, messageId: null }));

/** The thread for the core: null is everything. */
export const threadOf = (thread: string): string | null => (thread === ALL ? null : thread);

export const isMember = (thread: string): boolean => thread !== ALL && thread !== LEAD;
