import type { Word } from '@renderer/parts/words';
import {
  Ban,
  Brain,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Cpu,
  FileSearch,
  HardDrive,
  MessagesSquare,
  ScanSearch,
  ShieldCheck,
} from 'lucide-react';
import type { BlockState } from '../contract/state';
import type { QuestionPhase } from '../contract/summary';

const as = (tone: Word['tone'], icon: Word['icon'], word: string): Word => ({ tone, icon, word });

export const phaseWords: Record<QuestionPhase, Word> = {
  reading: as('running', FileSearch, 'Reads the documents'),
  starting: as('running', ShieldCheck, 'Starts the sandbox'),
  thinking: as('running', Brain, 'Model writes'),
  computing: as('running', Cpu, 'Code runs'),
  asking: as('running', MessagesSquare, 'Asks the sub-model'),
  checking: as('running', ScanSearch, 'Checks the answer'),
  held: as('waits', HardDrive, 'Waits for space on the disk'),
  waiting: as('waits', CirclePause, 'Waits for you'),
  cancelling: as('grey', CircleDashed, 'Stopping'),
  answered: as('done', CircleCheck, 'Answered'),
  failed: as('failed', CircleX, 'Failed'),
  stopped: as('grey', Ban, 'Stopped'),
};

type Lost = Extract<NonNullable<BlockState['end']>, { kind: 'lost' }>['reason'];

export const lostWords: Record<Lost, string> = {
  time: 'The code was over its time limit and did not stop, so its sandbox was ended.',
  memory: 'The code was over its memory limit, so its sandbox was ended.',
  crashed: 'The sandbox crashed.',
  misbehaved: 'The code sent messages that the sandbox does not send, so it was ended.',
  host: 'The process of the sandbox ended.',
  closed: 'The sandbox was ended.',
};

/** How a block stands. */
export function blockWord({ end }: BlockState): Word {
  if (end === null) return as('running', Cpu, 'Runs');
  if (end.kind === 'lost') return as('failed', CircleX, 'Lost');
  const { error, interrupted } = end.result;
  if (end.timedOut) return as('waits', CirclePause, 'Over its time');
  if (interrupted) return as('grey', Ban, 'Interrupted');
  return error === null ? as('done', CircleCheck, 'Done') : as('failed', CircleX, 'Exception');
}
