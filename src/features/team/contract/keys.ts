import { type KeyIn, keyCodec, type TimerWords } from '@contract/run/key-codec';
import { LEAD } from './events';

/** The durable keys of teams. No member's name is `lead`. */
export const teamKeys = {
  /** Parks the member after a round without an answer. */
  'team.idle': ['name', 'number'],
  'team.before-idle': ['name', 'number'],
  /** Member or lead, its turn, and the number of the check. */
  'team.stall': ['name', 'number', 'number'],
  /** For the lead the number is its turn; then the turn after which it waited for its provider. */
  'team.round': ['name', 'number', 'number?'],
  /** After the team's newest turn. */
  'team.rest': ['number'],
  'team.at-rest': [],
  /** The last turn, and how often the lead was resumed. */
  'team.lead-failed': ['number', 'number?'],
  /** When the member failed. */
  'team.failed': ['name', 'number'],
  'team.rounds-allowed': ['name', 'number'],
  'team.messages-allowed': ['name', 'number'],
  /** The turn in which files changed. */
  'team.wrote': ['name', 'number'],
  /** The number of its turns. */
  'team.plan': ['name', 'number'],
  'team.stalled': ['name', 'number'],
  'team.takes-long': ['name', 'number'],
  'team.silent-again': ['name', 'number'],
  /** The merge, and how often it was shown again. */
  'team.merge': ['number', 'number?'],
  /** Notices only: a merge's status, and a member's unread messages. */
  'team.merge-told': ['name', 'number', 'number'],
  /** The turn whose result has an unknown status. */
  'team.unknown-status': ['name', 'number'],
  'team.unread': ['name', 'number'],
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
