import type { Update } from '@areas/feed/contract/update';
import { count, money } from '@renderer/client/format';
import { runWords, type Word } from '@renderer/parts/words/status-words';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CirclePause,
  CirclePlay,
  CircleX,
  Eye,
  FileSearch,
  FolderGit2,
  ScanSearch,
} from 'lucide-react';
import type { Cost } from '../contract/costs';
import type { LoopPhase } from '../contract/summary';
import type { StoryState } from './rows';

const as = (tone: Word['tone'], icon: Word['icon'], word: string): Word => ({ tone, icon, word });

export const phaseWords: Record<LoopPhase, Word> = {
  opening: as('running', FolderGit2, 'Creating its folder'),
  reading: as('running', FileSearch, 'Reading the plan'),
  working: as('running', CirclePlay, 'Working'),
  watching: as('running', Eye, 'Watching'),
  looking: as('running', ScanSearch, 'Checking the attempt'),
  waiting: as('waits', CirclePause, 'Waits for you'),
  limited: runWords.limited,
  cancelling: as('grey', CircleDashed, 'Stopping'),
  complete: as('done', CircleCheck, 'Complete'),
  failed: as('failed', CircleX, 'Failed'),
  stopped: as('grey', Ban, 'Stopped'),
};

export const storyWords: Record<StoryState, Word> = {
  open: as('grey', CircleDashed, 'open'),
  working: as('running', CirclePlay, 'being worked on'),
  passed: as('done', CircleCheck, 'passed'),
  skipped: as('grey', CircleMinus, 'skipped'),
  failed: as('failed', CircleX, 'failed'),
  blocked: as('waits', CirclePause, 'blocked'),
};

/** How an attempt's story is known, and how certain that is. */
export const sourceWords: Record<
  Update['storySource'],
  { readonly text: string; readonly inferred: boolean }
> = {
  prd: { text: 'its “passes” changed in prd.json', inferred: false },
  commit: { text: 'named by a commit of this attempt', inferred: false },
  message: { text: 'named in the last message', inferred: true },
  progress: { text: 'named in what it added to progress.txt', inferred: true },
  handed: { text: 'the story given to the worker', inferred: true },
  step: { text: 'the step itself', inferred: false },
  none: { text: 'no story is named', inferred: false },
};

/** The deciding evidence, by rule number (the first rule that applies). */
const RULES: Readonly<Record<number, string>> = {
  1: 'the branch was rewritten, or prd.json can no longer be read',
  2: 'the story passes in prd.json',
  3: 'the worker says it is blocked, or asked something',
  4: 'the worker did not finish',
  5: 'the worker says that it failed',
  6: 'it made commits',
  7: 'a story that passed no longer does',
  8: 'its last message says that it is stuck',
  9: 'its last message says that the work is unfinished',
  10: 'it said nothing, and its turn did not end cleanly',
  13: 'the worker says so; it started before Muster watched, so its earlier work is unknown',
  12: 'the check of the project did not confirm it',
  11: 'no commit and no change of prd.json: there is no evidence for more',
};
export const ruleWords = (rule: number): string => RULES[rule] ?? `rule ${rule}`;

/** The reported usage, in words. */
export const costWords = ({ tokens, costUsd }: Pick<Cost, 'tokens' | 'costUsd'>): string[] => {
  if (tokens === null && costUsd === null) return ['usage not reported'];
  return [
    tokens === null ? 'tokens not reported' : `${count(tokens)} tokens`,
    costUsd === null ? 'cost not reported' : money(costUsd),
  ];
};
