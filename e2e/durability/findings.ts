import type { Standing } from './standing';
import type { Part } from './victims';

export interface Findings {
  readonly kills: number;
  readonly killsAt: Readonly<Record<Moment, number>>;
  /** What the core was at when it was killed. */
  readonly killedIn: Readonly<Record<Standing, number>>;
  readonly seconds: number;
  /** What was killed while its core continued. */
  readonly partsKilled: Readonly<Record<Part, number>>;
  readonly resumed: number;
  readonly settled: number;
  readonly runs: Readonly<Record<string, number>>;
  readonly events: number;
  readonly acknowledged: number;
  readonly stepsFinished: number;
  readonly turnsInterrupted: number;
  readonly commandsInterrupted: number;
  /** Gates that were found waiting after a kill, and answers that had been taken before one. */
  readonly gatesSeenAgain: number;
  readonly answersTaken: number;
  /** How often an event of a type is in the histories. */
  readonly counts: Readonly<Record<string, number>>;
  /** Words of the operator that were taken, and what else was done. */
  readonly wordsTaken: number;
  readonly promptsCutOff: number;
  readonly done: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly longestMarkMs: number;
  readonly broken: Readonly<Record<Promise_, readonly string[]>>;
}

/** What must stay empty. */
const promises = {
  eventsLost: 'acknowledged events lost',
  halves: 'half transactions',
  stepsAgain: 'finished steps run again',
  gatesLost: 'waiting gates or answers lost',
  marksAlive: 'marked processes alive 5 s after their core',
  runsNotEnded: 'runs that did not come to their end',
  unreadable: 'runs that cannot be read',
  status: 'runs whose list says another end than their history',
  blame: 'turns called failed though their agent was not killed',
  words: "the operator's words lost or doubled",
  messages: 'messages of teams lost, doubled or out of order',
  rounds: 'rounds without an instruction',
  results: 'results lost or doubled',
  turns: 'finished turns sent again, or resent as something else',
  told: 'prompts whose words no agent was given',
  captures: 'captures taken twice or never',
  checkout: "times that the operator's checkout was not as before",
  merges: 'merges made twice or told wrongly',
  snapshots: 'snapshots of finished turns, and ways back, that are not there',
  worktrees: 'worktrees lost, prunable or of no run',
} as const;
export type Promise_ = keyof typeof promises;
export const promised = Object.entries(promises) as readonly [Promise_, string][];

/**
 * A kill while the core starts, as soon as it has told of an event, while what a told event has begun is at work, or at
 * any time. An aimed one hits the situation that the fewest kills hit so far (`standing.ts`).
 */
export const moments = [
  'start',
  'event',
  'event',
  'effect',
  'effect',
  'anytime',
  'anytime',
  'anytime',
  'aimed',
  'aimed',
] as const;
export type Moment = (typeof moments)[number];
