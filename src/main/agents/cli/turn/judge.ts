import type { TurnResult } from '../../../core/ports/ports';
import { type FailureContext, hostDeath, reportedFailure, sentenceFailure } from '../../failure';
import { ended, endedByExit, endedByFailure, type TurnEnd } from '../../turn-loop';
import type { CliPreset } from '../program/presets';
import type { AgentProgram } from '../program/program';
import { answerOnScreen, lastWords } from './answer';
import type { Ending, TerminalTurn } from './turn';

interface Judged {
  readonly turn: TerminalTurn;
  readonly program: AgentProgram;
  readonly preset: CliPreset;
  readonly sentinel: string | null;
  readonly context: FailureContext;
  /** How the turn ended, if it was stopped. */
  readonly stopped: TurnEnd | null;
}

/** The result of a turn that ended this way, with the agent's answer. Notices say what was inferred. */
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

function verdictOf(ending: Ending, judged: Judged): TurnEnd {
  const { context, program, stopped, turn } = judged;
  if (stopped !== null) return stopped;
  switch (ending.kind) {
    case 'told':
      return verdictOfReport(ending.signal, judged);
    case 'sentinel':
      return ended('completed', 'sentinel');
    case 'interrupted':
      turn.notice(`${context.agent} was interrupted in its terminal.`);
      return ended('cancelled', 'interrupted');
    case 'trouble':
      return endedByFailure(reportedFailure(ending.text, context), 'error');
    case 'idle':
      turn.notice(guess(ending, context.agent));
      return ended('completed', 'idle');
    case 'exited': {
      const { exit } = ending;
      // Some programs end after each answer; an agent that reports its turns has just ended unexpectedly.
      if (exit.code === 0 && hostDeath(exit) === null && !judged.preset.tellsEnd)
        return ended('completed', 'exited');
      return endedByExit(exit, lastWords(program.screen().lines), context);
    }
  }
}

function verdictOfReport(
  { failure, response }: Extract<Ending, { kind: 'told' }>['signal'],
  { context, turn }: Judged,
): TurnEnd {
  if (failure !== null) return endedByFailure(reportedFailure(failure, context), 'error');
  const sentence = turn.usedTools ? null : sentenceFailure(response ?? '', context);
  return sentence === null ? ended('completed', 'end_turn') : endedByFailure(sentence, 'end_turn');
}

function guess({ seconds, seesProcesses }: Extract<Ending, { kind: 'idle' }>, agent: string): string {
  const seen = seesProcesses ? 'printed nothing and was idle' : 'printed nothing';
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
