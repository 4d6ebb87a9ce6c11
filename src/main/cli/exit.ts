import type { AppError, ErrorCode } from '@contract/errors';
import type { RunStatus } from '@contract/run/state';
import { areaOf, type ErrorArea } from '../api/error-area';

/** Exit codes that scripts may rely on. `--help` shows this table. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  invalid: 3,
  rejected: 4,
  cancelled: 5,
  waiting: 6,
  unavailable: 7,
  notice: 8,
  internal: 70,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const exitMeanings: Record<keyof typeof EXIT, string> = {
  ok: 'success; a run that was waited for succeeded',
  failed: 'the run failed, or an agent or a command did; doctor: something needed is missing',
  usage: 'invalid usage or input: an unknown flag, run, gate or file',
  invalid: 'a workflow or a prompt file is not valid',
  rejected: 'the run ended as rejected',
  cancelled: 'the run was cancelled',
  waiting: 'a gate is open, and the command does not wait for its answer',
  unavailable: 'no core is available: locked, newer or damaged store, full disk',
  notice:
    'it was done, but standard error has a notice that needs you (asking commands only): see muster status; doctor: something needed could not be found out',
  internal: 'a fault of Muster itself',
  interrupted: 'stopped by a signal (Ctrl-C); hosted runs are parked',
};

const OF_AREA: Record<ErrorArea, ExitCode> = {
  input: EXIT.usage,
  not_found: EXIT.usage,
  conflict: EXIT.usage,
  unavailable: EXIT.unavailable,
  internal: EXIT.internal,
  cancelled: EXIT.cancelled,
  validation: EXIT.invalid,
  project: EXIT.usage,
  workspace: EXIT.failed,
  agent: EXIT.failed,
  command: EXIT.failed,
  step: EXIT.failed,
  reference: EXIT.failed,
  store: EXIT.unavailable,
  gate: EXIT.usage,
  edit: EXIT.usage,
  answer: EXIT.usage,
  run: EXIT.usage,
  import: EXIT.usage,
  secret: EXIT.usage,
  forge: EXIT.failed,
  host: EXIT.failed,
  team: EXIT.usage,
};
/** A missing file is an input error, not an invalid workflow. */
const OF_CODE: Partial<Record<ErrorCode, ExitCode>> = { 'validation.file_missing': EXIT.usage };

export const exitOfError = (error: AppError): ExitCode => OF_CODE[error.code] ?? OF_AREA[areaOf(error.code)];

/** For a run that was followed to its end, or to a gate. */
export const exitOfRun: Record<RunStatus, ExitCode> = {
  running: EXIT.ok,
  limited: EXIT.ok,
  cancelling: EXIT.ok,
  waiting: EXIT.waiting,
  succeeded: EXIT.ok,
  failed: EXIT.failed,
  cancelled: EXIT.cancelled,
  rejected: EXIT.rejected,
  unreadable: EXIT.failed,
};
