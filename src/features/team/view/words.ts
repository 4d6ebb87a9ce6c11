import { type RunState, runStatusSchema } from '@contract/run/state';
import { outcomeWords, runWords, type Word } from '@renderer/parts/words/status-words';
import type { Icon } from '@renderer/ui/controls/icon';
import type { Tone } from '@renderer/ui/controls/status';
import {
  CircleCheck,
  CircleCheckBig,
  CircleDashed,
  CircleDot,
  CircleParking,
  CirclePlay,
  CircleSlash,
  CircleX,
  GitMerge,
  Hand,
  Hourglass,
  LoaderCircle,
  MessageCircleQuestionMark,
} from 'lucide-react';
import { LEAD, OPERATOR } from '../contract/events';
import { MUSTER } from '../contract/messages/thread';
import type { TaskStatus, TeamState } from '../contract/state';
import { cleanupHeldBy, type MemberWord, unmergedOf } from '../contract/status';
import type { MemberRow, TeamRow } from '../contract/summary';

const as = (tone: Tone, icon: Icon, word: string): Word => ({ tone, icon, word });

export const memberWord: Record<MemberWord, Word> = {
  starting: as('running', CircleDashed, 'Starting'),
  working: as('running', CirclePlay, 'Working'),
  awaiting_lead: as('grey', Hourglass, 'Waits for the lead'),
  awaiting_operator: as('waits', MessageCircleQuestionMark, 'Waits for you'),
  awaiting_permission: as('waits', Hand, 'Waits for permission'),
  idle: as('done', CircleCheck, 'Idle'),
  parked: as('grey', CircleParking, 'Parked'),
  stopping: as('running', LoaderCircle, 'Stopping'),
  stopped: as('grey', CircleSlash, 'Stopped'),
  merged: as('done', GitMerge, 'Merged'),
  failed: as('failed', CircleX, 'Failed'),
};

export const taskWord: Record<TaskStatus, Word> = {
  pending: as('grey', CircleDashed, 'To do'),
  blocked: as('grey', Hourglass, 'Blocked'),
  in_progress: as('running', CircleDot, 'In progress'),
  completed: as('done', CircleCheckBig, 'Completed'),
  cancelled: as('grey', CircleSlash, 'Cancelled'),
};

/** A speaker's name for the operator. */
export function nameOf(who: string): string {
  if (who === OPERATOR) return 'You';
  if (who === LEAD) return 'Lead';
  return who === MUSTER ? 'Muster' : who;
}

const AT_WORK: ReadonlySet<MemberWord> = new Set(['starting', 'working', 'stopping']);

export const atWork = (row: TeamRow): number => row.members.filter(({ word }) => AT_WORK.has(word)).length;

/** Number of items that wait for the operator: gates, and unanswered rounds. */
export const waitsFor = (row: TeamRow): number => (row.live ? row.waiting + row.openGates : 0);

/** A team's status in a word, and since when. */
export function teamWord(row: TeamRow): { readonly word: Word; readonly since: number } {
  const status = runStatusSchema.safeParse(row.status);
  const since = Math.max(row.startedAt, ...row.members.map((member) => member.since));
  if (!row.live) {
    // How the team ended, not its run, which may continue with other steps, or have ended otherwise.
    const knownOutcome = Object.entries(outcomeWords).find(([outcome]) => outcome === row.outcome)?.[1];
    const word = knownOutcome ?? (status.success ? runWords[status.data] : runWords.cancelled);
    return { word, since: row.finishedAt ?? since };
  }
  if (status.data === 'limited') return { word: runWords.limited, since };
  if (atWork(row) > 0 || row.leadWorks) return { word: runWords.running, since };
  return waitsFor(row) > 0 || row.rests
    ? { word: runWords.waiting, since }
    : { word: runWords.running, since };
}

const MOST_NAMES = 3;

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** What an ending team still waits for; null if it is not ending. */
export function endsWhen(team: TeamState): string | null {
  if (team.cleanedUp === null) return null;
  const unmerged = unmergedOf(team);
  if (unmerged.length === 0) return 'Ending';
  return `Ends when you have decided the merge of ${namesOf(unmerged)}`;
}

/** Why the team cannot be ended now, and the remedy; null if it can. */
export function whyNotEnded(state: RunState, team: TeamState): string | null {
  if (team.cleanedUp !== null) return endsWhen(team);
  const held = cleanupHeldBy(state, team).map(({ member }) => member);
  const open = held.filter(({ iterative, stopping }) => iterative && stopping === null);
  if (open.length > 0) return `Accept or shut down ${namesOf(open.map(({ name }) => name))} first`;
  return held.length > 0
    ? `Wait until ${namesOf(held.map(({ name }) => name))} ${held.length === 1 ? 'has' : 'have'} finished`
    : null;
}

/** `round 2`; `no round yet` before the first. */
const roundOf = (member: Pick<MemberRow, 'round'>): string =>
  member.round === 0 ? 'no round yet' : `round ${member.round}`;

/** The member's round, unless the reason beside it already contains it. */
export const roundIfUnsaid = (member: Pick<MemberRow, 'round' | 'why'>): string | null =>
  member.round > 0 && member.why.includes(`round ${member.round}`) ? null : roundOf(member);

const BRANCH = 24;

/** The end of a branch's name: its beginning is the run's, and the same for all members. */
export function shortBranch(branch: string): string {
  const name = branch.split('/').at(-1) ?? branch;
  return name.length <= BRANCH ? name : `…${name.slice(1 - BRANCH)}`;
}
