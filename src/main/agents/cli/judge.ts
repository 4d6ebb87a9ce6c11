import { appError } from '@contract/errors';
import type { TurnResult } from '../../core/ports/ports';
import {
  crashError,
  type Failure,
  type FailureContext,
  hostDeath,
  interruptedTurn,
  sentenceFailure,
  toldFailure,
} from '../failure';
import { answerOnScreen, lastWords } from './answer';
import type { CliPreset } from './presets';
import type { AgentProgram } from './program';
import type { ActiveTurn, Ending } from './turn';

export interface Judged {
  readonly turn: ActiveTurn;
  readonly program: AgentProgram;
  readonly preset: CliPreset;
  readonly sentinel: string | null;
  readonly context: FailureContext;
  /** What `stopReason` says of a turn that the operator ended. */
  readonly leaving: 'parked' | 'closed' | null;
  readonly silence: string;
}

type Verdict = Pick<TurnResult, 'outcome' | 'stopReason' | 'error' | 'limitResetsAt' | 'interrupted'>;

const verdict = (outcome: TurnResult['outcome'], stopReason: string): Verdict => ({
  outcome,
  stopReason,
  error: null,
  limitResetsAt: null,
});

const ofFailure = (failure: Failure, stopReason: string): Verdict => ({
  outcome: failure.kind,
  stopReason,
  error: failure.error,
  limitResetsAt: failure.limitResetsAt,
});

/** How a turn that has ended in this way went, with what the agent answered. Says in notices what is read or guessed. */
export function judge(ending: Ending, judged: Judged): TurnResult {
  const { turn } = judged;
  const end = verdictOf(ending, judged);
  if (end.outcome !== 'completed') turn.failOpenTools();
  const { response, toolCalls } = turn.respond(answerOf(ending, judged));
  return {
    ...end,
    response,
    toolCalls,
    usage: null,
    ...(turn.commands.length > 0 ? { commands: turn.commands } : {}),
  };
}

function verdictOf(ending: Ending, judged: Judged): Verdict {
  const { context, leaving, program, silence, turn } = judged;
  if (turn.cause === 'operator') return verdict('cancelled', leaving ?? 'cancelled');
  if (turn.cause === 'silence') {
    const mend = 'Resume the step, or raise silence_minutes in the agent profile.';
    return { ...verdict('failed', 'silence'), error: appError('agent.timeout', silence, { mend }) };
  }
  switch (ending.kind) {
    case 'told':
      return verdictOfTold(ending.signal, judged);
    case 'sentinel':
      return verdict('completed', 'sentinel');
    case 'interrupted':
      turn.notice(`${context.agent} was interrupted at its terminal.`);
      return verdict('cancelled', 'interrupted');
    case 'trouble':
      return ofFailure(toldFailure(ending.text, context), 'error');
    case 'idle':
      turn.notice(guess(ending, context.agent));
      return verdict('completed', 'idle');
    case 'exited': {
      const { exit } = ending;
      const died = hostDeath(exit);
      if (died !== null) return interruptedTurn(died);
      // A program that ends after each answer is one way to tell; an agent that tells otherwise has just gone.
      if (exit.code === 0 && !judged.preset.tellsEnd) return verdict('completed', 'exited');
      const error = crashError(exit, lastWords(program.screen().lines), context);
      return { ...verdict('failed', 'crashed'), error };
    }
  }
}

function verdictOfTold(
  { failure, response }: Extract<Ending, { kind: 'told' }>['signal'],
  { context, turn }: Judged,
): Verdict {
  if (failure !== null) return ofFailure(toldFailure(failure, context), 'error');
  const sentence = turn.usedTools ? null : sentenceFailure(response ?? '', context);
  return sentence === null ? verdict('completed', 'end_turn') : ofFailure(sentence, 'end_turn');
}

function guess({ seconds, seesProcesses }: Extract<Ending, { kind: 'idle' }>, agent: string): string {
  const seen = seesProcesses ? 'printed nothing and did no work' : 'printed nothing';
  return `The end of the turn is a guess: ${agent} ${seen} for ${seconds} s.`;
}

function answerOf(ending: Ending, { program, sentinel, turn }: Judged): string {
  if (ending.kind === 'told' && ending.signal.response !== null) return ending.signal.response;
  if (ending.kind === 'told' && ending.signal.failure !== null) return '';
  if (turn.enteredAt === null) return '';
  const screen = answerOnScreen({ before: turn.before, after: program.screen().lines, prompt: turn.text });
  const response = screen.replaceAll(sentinel ?? '\0', '').trim();
  if (response !== '') turn.notice('The response was read from the screen of the terminal.');
  return response;
}
