import type { DeliveryState } from '@areas/deliveries/contract/procedures';
import type { Update } from '@areas/feed/contract/update';
import type { GateAnswer, GateOption } from '@areas/gates/contract/gate';
import type { TerminalRow } from '@areas/sessions/contract/procedures';
import type { ToolCall } from '@areas/sessions/contract/session';
import type { SessionStanding } from '@areas/sessions/contract/standing';
import type { Claim } from '@areas/sessions/contract/task-result';
import type { ActivationOutcome } from '@contract/run/activation/events';
import type { RunRow } from '@contract/run/procedures';
import type { ActivationState, CommandState, Observation, RunStatus, TurnState } from '@contract/run/state';
import { rowAsks } from '@contract/run/status';
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CircleMinus,
  CircleParking,
  CirclePause,
  CirclePlay,
  CircleSlash,
  CircleX,
  Hourglass,
  KeyRound,
  PowerOff,
  RotateCcw,
  SquareTerminal,
  Unplug,
} from 'lucide-react';
import type { Icon } from '../../ui/controls/icon';
import type { Tone } from '../../ui/controls/status';

/** A displayed state: always a colour, a mark and a word. Amber is only for what waits for the operator. */
export interface Word {
  readonly tone: Tone;
  readonly icon: Icon;
  readonly word: string;
}

const as = (tone: Tone, icon: Icon, word: string): Word => ({ tone, icon, word });

export const runWords: Record<RunStatus, Word> = {
  running: as('running', CirclePlay, 'Running'),
  waiting: as('waits', CirclePause, 'Waits for you'),
  limited: as('grey', Hourglass, 'Provider limit'),
  cancelling: as('grey', CircleDashed, 'Cancelling'),
  succeeded: as('done', CircleCheck, 'Succeeded'),
  failed: as('failed', CircleX, 'Failed'),
  cancelled: as('grey', Ban, 'Cancelled'),
  rejected: as('grey', CircleSlash, 'Rejected'),
  unreadable: as('failed', CircleX, 'Unreadable'),
};

const FAILED_ASKS = as('failed', CircleX, 'Failed, question open');

/** The state of a run in a list. */
export const runWordOf = (row: Pick<RunRow, 'status' | 'finishedAt'>): Word =>
  rowAsks(row) ? FAILED_ASKS : runWords[row.status];

/** What a run does now, for a place that has its name already: loops and teams begin the titles of their gates with it. */
export const nowWords = ({ name, now }: Pick<RunRow, 'name' | 'now'>): string =>
  (now ?? '').replace(`: ${name}: `, ': ');

export const outcomeWords: Record<ActivationOutcome, Word> = {
  succeeded: as('done', CircleCheck, 'Succeeded'),
  failed: as('failed', CircleX, 'Failed'),
  cancelled: as('grey', Ban, 'Cancelled'),
  rejected: as('grey', CircleSlash, 'Rejected'),
  revised: as('grey', RotateCcw, 'Sent back'),
};

/** How an activation ended. One of which items or passes failed is not green, as its run is not. */
export function endWord({ outcome, scopes }: Pick<ActivationState, 'outcome' | 'scopes'>): Word {
  if (outcome === 'succeeded' && scopes !== undefined && scopes.failed > 0)
    return as('failed', CircleX, `${scopes.failed} of ${scopes.opened} failed`);
  return outcomeWords[outcome ?? 'failed'];
}

export const stepWords = {
  running: as('running', CirclePlay, 'Running'),
  waiting: as('waits', CirclePause, 'Waits for you'),
  /** A timer continues it. */
  waitsItself: as('grey', Hourglass, 'Waits by itself'),
  limit: as('grey', Hourglass, 'Provider limit'),
  pending: as('grey', CircleDashed, 'Not started'),
  skipped: as('grey', CircleMinus, 'Skipped'),
  off: as('grey', PowerOff, 'Switched off'),
};

export const turnWords: Record<TurnState['status'], Word> = {
  in_flight: as('running', CirclePlay, 'Working'),
  completed: as('done', CircleCheck, 'Done'),
  failed: as('failed', CircleX, 'Failed'),
  cancelled: as('grey', Ban, 'Cancelled'),
  interrupted: as('grey', Unplug, 'Interrupted'),
  limit: as('grey', Hourglass, 'Provider limit'),
  login: as('waits', KeyRound, 'Not logged in'),
  refused: as('failed', CircleSlash, 'Refused'),
  max_requests: as('failed', CircleAlert, 'Too many requests'),
};

const toolWords: Record<ToolCall['status'], Word> = {
  pending: as('grey', CircleDashed, 'Not started'),
  in_progress: as('running', CirclePlay, 'Running'),
  completed: as('done', CircleCheck, 'Done'),
  failed: as('failed', CircleX, 'Failed'),
};

/** A tool call as its turn stands: once the turn is over, nothing of it runs any more, whatever was said last. */
export const toolWord = (status: ToolCall['status'], inFlight: boolean): Word =>
  !inFlight && status === 'in_progress' ? as('grey', Unplug, 'Cut off') : toolWords[status];

export const commandWords: Record<CommandState['status'], Word> = {
  running: as('running', CirclePlay, 'Running'),
  exited: as('done', CircleCheck, 'Exited'),
  signalled: as('failed', CircleX, 'Ended by a signal'),
  timed_out: as('failed', Hourglass, 'Timed out'),
  cancelled: as('grey', Ban, 'Cancelled'),
  failed_to_start: as('failed', CircleX, 'Did not start'),
  interrupted: as('grey', Unplug, 'Interrupted'),
};

export const sessionWords: Record<SessionStanding, Word> = {
  starting: as('running', CircleDashed, 'Starting'),
  resuming: as('running', CircleDashed, 'Resuming'),
  ready: as('done', CircleDot, 'Ready'),
  parked: as('grey', CircleParking, 'Parked'),
  resumable: as('grey', CircleParking, 'Resumable'),
  lost: as('failed', Unplug, 'Lost'),
  failed: as('failed', CircleX, 'Failed'),
  closed: as('grey', CircleMinus, 'Closed'),
};

export const resultWords: Record<Update['result'], Word> = {
  completed: as('done', CircleCheck, 'completed'),
  blocked: as('waits', CirclePause, 'blocked'),
  failed: as('failed', CircleX, 'failed'),
  'no-op': as('grey', CircleMinus, 'no-op'),
};

export const deliveryWords: Record<DeliveryState, Word> = {
  queued: as('grey', Hourglass, 'Queued for'),
  sending: as('running', CirclePlay, 'Sending to'),
  failed: as('grey', RotateCcw, 'Trying'),
  delivered: as('done', CircleCheck, 'Delivered to'),
  given_up: as('failed', CircleX, 'Given up for'),
  obsolete: as('grey', CircleCheck, 'No longer needed for'),
};

const terminalWords: Record<TerminalRow['state'], Word> = {
  running: as('running', CirclePlay, 'Running'),
  ended: as('grey', SquareTerminal, 'Ended'),
  failed: as('failed', CircleX, 'Failed'),
  interrupted: as('grey', Unplug, 'Interrupted'),
};

export const terminalWord = (row: TerminalRow): Word => terminalWords[row.state];

/** The observed state of an agent in a turn, if it was not seen working. */
export const observedWords: Record<Observation['state'], Word> = {
  waits: as('waits', CirclePause, 'Waits for you'),
  unknown: as('grey', CircleHelp, 'Not known'),
  stalled: as('grey', CircleAlert, 'Seems stalled'),
};

/** An agent's own claim about its task. The actual state comes only from Muster. */
export const claimWords: Record<Claim, string> = {
  completed: 'Result claimed: completed',
  in_progress: 'Result claimed: in progress',
  blocked: 'Result claimed: blocked',
  failed: 'Result claimed: failed',
  none: 'Result claimed',
};

/** The decision, by the label of the chosen option. */
export function answerWord(options: readonly GateOption[], answer: GateAnswer): Word {
  const option = options.find((option) => option.id === answer.option);
  const label = option?.label ?? answer.option;
  if (option?.tone === 'approve') return as('done', CircleCheck, label);
  if (option?.tone === 'reject' && !option.mild) return as('failed', CircleX, label);
  return as('grey', CircleDot, label);
}
