import { type KeyIn, keyCodec, type TimerWords } from '@contract/run/key-codec';
import { LEAD } from './events';

/** The durable keys of teams. Members' names contain no spaces, and none is `lead`. */
export const teamKeys = {
  /** Parks the member after a round without an answer. */
  'team.idle': { parts: ['name', 'number'], stored: 'idle {0} {1}' },
  'team.before-idle': { parts: ['name', 'number'], stored: 'before idle {0} {1}' },
  /** Member or lead, its turn, and the number of the check. */
  'team.stall': { parts: ['name', 'number', 'number'], stored: 'stall {0} {1} {2}' },
  /** For the lead the number is its turn; then the turn after which it waited for its provider. */
  'team.round': { parts: ['name', 'number', 'number?'], stored: 'round {0} {1}[ after turn {2}]' },
  /** After the team's newest turn. */
  'team.rest': { parts: ['number'], stored: 'rest {0}' },
  'team.at-rest': { parts: [], stored: 'rest' },
  /** The last turn, and how often the lead was resumed. */
  'team.lead-failed': { parts: ['number', 'number?'], stored: 'failed lead {0}[ {1}]' },
  /** When the member failed. */
  'team.failed': { parts: ['name', 'number'], stored: 'failed {0} {1}' },
  'team.rounds-allowed': { parts: ['name', 'number'], stored: 'rounds {0} {1}' },
  'team.messages-allowed': { parts: ['name', 'number'], stored: 'pace {0} {1}' },
  /** The turn in which files changed. */
  'team.wrote': { parts: ['name', 'number'], stored: 'wrote {0} {1}' },
  /** The number of its turns. */
  'team.plan': { parts: ['name', 'number'], stored: 'plan {0} {1}' },
  'team.stalled': { parts: ['name', 'number'], stored: 'stalled {0} {1}' },
  'team.takes-long': { parts: ['name', 'number'], stored: 'long {0} {1}' },
  'team.silent-again': { parts: ['name', 'number'], stored: 'silent-again {0} {1}' },
  /** The merge, and how often it was shown again. */
  'team.merge': { parts: ['number', 'number?'], stored: 'merge {0}[ {1}]' },
  /** Notices only: a merge's status, and a member's unread messages. */
  'team.merge-told': { parts: ['name', 'number', 'number'], stored: 'merge {0} {1} {2}' },
  /** The turn whose result has an unknown status. */
  'team.unknown-status': { parts: ['name', 'number'], stored: 'unknown-status {0} {1}' },
  'team.unread': { parts: ['name', 'number'], stored: 'unread {0} {1}' },
} as const;
export type TeamKey = KeyIn<typeof teamKeys>;

export const teamKey = keyCodec(teamKeys);

const titleOf = (name: string): string => (name === LEAD ? 'the lead' : name);

export const teamTimerWords: TimerWords<
  typeof teamKeys,
  'team.idle' | 'team.before-idle' | 'team.stall' | 'team.round' | 'team.rest'
> = {
  'team.idle': (name, round) => `${name} is parked unless round ${round} is answered`,
  'team.before-idle': (name, round) => `a reminder says that round ${round} of ${name} waits for an answer`,
  'team.stall': (name) => `Muster checks whether ${titleOf(name)} still shows a sign of life`,
  'team.round': (name, round) =>
    `you are told if ${titleOf(name)} is still working on ${name === LEAD ? 'its turn' : `round ${round}`}`,
  'team.rest': () => 'you are asked whether the team should end, if nothing happens before',
};

/** The member that a key is about, or the lead; null for neither. */
export function memberIn(key: TeamKey): string | null {
  if (key[0] === 'team.lead-failed') return LEAD;
  return typeof key[1] === 'string' && key[0] !== 'team.merge-told' ? key[1] : null;
}
