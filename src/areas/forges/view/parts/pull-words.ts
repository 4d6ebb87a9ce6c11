import type { Word } from '@renderer/parts/words/status-words';
import {
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CirclePlay,
  CircleX,
  GitMerge,
  GitMergeConflict,
  GitPullRequest,
  GitPullRequestClosed,
  GitPullRequestDraft,
  Hourglass,
  MessageSquareWarning,
} from 'lucide-react';
import type { Check, MergeMethod, Review } from '../../contract/forge';
import type { PullItem } from '../../contract/pull';
import type { PullStanding } from '../../contract/verdict';

/** How a pull request stands. */
export const standingWords: Record<PullStanding, Word> = {
  opening: { tone: 'running', icon: CirclePlay, word: 'Opening' },
  open: { tone: 'grey', icon: GitPullRequest, word: 'Open' },
  closed: { tone: 'grey', icon: GitPullRequestClosed, word: 'Closed' },
  merged: { tone: 'done', icon: GitMerge, word: 'Merged' },
  'not sent': { tone: 'failed', icon: CircleX, word: 'Not sent' },
  conflicts: { tone: 'failed', icon: GitMergeConflict, word: 'Conflicts' },
  'checks failed': { tone: 'failed', icon: CircleX, word: 'Checks failed' },
  'changes requested': { tone: 'waits', icon: MessageSquareWarning, word: 'Changes requested' },
  'checks running': { tone: 'running', icon: CirclePlay, word: 'Checks running' },
  draft: { tone: 'grey', icon: GitPullRequestDraft, word: 'Draft' },
  blocked: { tone: 'grey', icon: Hourglass, word: 'Blocked' },
  approved: { tone: 'done', icon: CircleCheck, word: 'Approved' },
  ready: { tone: 'done', icon: CircleCheck, word: 'Ready' },
};

export const checkWords: Record<Check['state'], Word> = {
  pending: { tone: 'running', icon: CirclePlay, word: 'Running' },
  passed: { tone: 'done', icon: CircleCheck, word: 'Passed' },
  failed: { tone: 'failed', icon: CircleX, word: 'Failed' },
  skipped: { tone: 'grey', icon: CircleMinus, word: 'Skipped' },
};

export const reviewWords: Record<Review['verdict'], Word> = {
  approved: { tone: 'done', icon: CircleCheck, word: 'Approved' },
  changes_requested: { tone: 'waits', icon: MessageSquareWarning, word: 'Changes requested' },
  commented: { tone: 'grey', icon: CircleDashed, word: 'Commented' },
};

/** What changed of a pull request and needs the operator. */
export const pullItemWords: Record<PullItem['kind'], Word> = {
  check_failed: standingWords['checks failed'],
  changes_requested: standingWords['changes requested'],
  approved: standingWords.approved,
  conflict: standingWords.conflicts,
  closed: standingWords.closed,
  failed: standingWords['not sent'],
};

export const mergeWords: Record<MergeMethod, string> = {
  merge: 'Merge commit',
  squash: 'Squash into one commit',
  rebase: 'Rebase',
};
