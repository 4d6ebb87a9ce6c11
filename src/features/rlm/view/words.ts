import type { Word } from '@renderer/parts/words/status-words';
import {
  Ban,
  Brain,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Cpu,
  FileSearch,
  HardDrive,
  Hourglass,
  MessagesSquare,
  ScanSearch,
  ShieldCheck,
} from 'lucide-react';
import type { BlockState } from '../contract/state';
import type { QuestionPhase } from '../contract/summary';

const as = (tone: Word['tone'], icon: Word['icon'], word: string): Word => ({ tone, icon, word });

export const phaseWords: Record<QuestionPhase, Word> = {
  reading: as('running', FileSearch, 'Reading the documents'),
  starting: as('running', ShieldCheck, 'Starting the sandbox'),
  thinking: as('running', Brain, 'Model writing'),
  computing: as('running', Cpu, 'Code running'),
  asking: as('running', MessagesSquare, 'Asking the sub-model'),
  checking: as('running', ScanSearch, 'Checking the answer'),
  held: as('waits', HardDrive, 'Waits for space on the disk'),
  waiting: as('waits', CirclePause, 'Waits for you'),
  cancelling: as('grey', CircleDashed, 'Stopping'),
  answered: as('done', CircleCheck, 'Answered'),
  partial: as('waits', CircleAlert, 'Partial answer'),
  failed: as('failed', CircleX, 'Failed'),
  stopped: as('grey', Ban, 'Stopped'),
};

type Lost = Extract<NonNullable<BlockState['end']>, { kind: 'lost' }>['reason'];

export const lostWords: Record<Lost, string> = {
  time: 'The code exceeded its time limit and did not stop, so its sandbox was ended.',
  memory: 'The code exceeded its memory limit, so its sandbox was ended.',
  crashed: 'The sandbox crashed.',
  misbehaved: 'The code sent messages that are not allowed, so its sandbox was ended.',
  host: 'The process of the sandbox ended.',
  closed: 'The sandbox was ended.',
};

/** A block's status. */
export function blockWord({ end }: BlockState): Word {
  if (end === null) return as('running', Cpu, 'Runs');
  if (end.kind === 'lost') return as('failed', CircleX, 'Lost');
  const { error, interrupted } = end.result;
  if (end.timedOut) return as('failed', Hourglass, 'Timed out');
  if (interrupted) return as('grey', Ban, 'Interrupted');
  return error === null ? as('done', CircleCheck, 'Done') : as('failed', CircleX, 'Exception');
}
