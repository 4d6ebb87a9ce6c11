import type { AppError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';

// How work ends whose effect threw.

export function brokenTurn(turnId: number, error: AppError): RunEvent {
  const nothing = { response: '', usage: null, commit: null, limitResetsAt: null };
  return { type: 'turn.finished', turnId, outcome: 'failed', stopReason: 'internal', error, ...nothing };
}

export function brokenCommand(commandId: number, error: AppError): RunEvent {
  const nothing = { exitCode: null, output: '', outputPath: null, outputBytes: 0 };
  return { type: 'command.finished', commandId, outcome: 'failed_to_start', error, ...nothing };
}
