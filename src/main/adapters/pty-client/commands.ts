import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { TerminalExit, TerminalSpec } from '@contract/terminal/host';
import type { CommandPort, CommandResult, CommandSpec, RunningCommand } from '../../core/ports/ports';
import type { PtyClient, TerminalEnd } from './client';

const SIZE = { cols: 120, rows: 30 };
const KILL_GRACE_MS = 3000;
const TAIL_BYTES = 64 * 1024;
/** Linux takes no single argument of 128 KiB or more. */
const LONGEST_ARGUMENT = 120 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface TerminalCommandsOptions {
  readonly client: PtyClient;
  /** What a command finds in its environment besides its own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `step.command` in a terminal: the operator can watch it and type into it. */
export class TerminalCommands implements CommandPort {
  #count = 0;

  constructor(private readonly options: TerminalCommandsOptions) {}

  run(spec: CommandSpec): RunningCommand {
    this.#count += 1;
    const id = `r${spec.runId}-c${spec.commandId}-${this.#count}`;
    let reason: 'cancelled' | 'timed_out' | null = null;
    let kill: RunningCommand['kill'] = () => undefined;
    const done = new Promise<CommandResult>((resolve) => {
      const prepared = prepare(spec, this.options.environment);
      if (!prepared.ok) return resolve({ ...nothing(spec), error: prepared.error });
      let timer: NodeJS.Timeout | undefined;
      const ended = (end: TerminalEnd): void => {
        clearTimeout(timer);
        resolve(resultOf(spec, end, reason));
      };
      const handle = this.options.client.open(id, prepared.value, { ended });
      kill = (why) => {
        reason ??= why;
        handle.kill(KILL_GRACE_MS);
      };
      if (spec.timeoutSeconds !== null)
        timer = setTimeout(() => kill('timed_out'), timerMs(spec.timeoutSeconds));
    });
    return { done, kill: (why) => kill(why) };
  }
}

const timerMs = (seconds: number): number => Math.min(seconds * 1000, LONGEST_TIMER_MS);

function prepare(
  spec: CommandSpec,
  environment: TerminalCommandsOptions['environment'],
): Result<TerminalSpec> {
  const env: Record<string, string> = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
  for (const [name, value] of Object.entries({ ...environment, ...spec.env })) {
    if (value !== undefined) env[name] = value;
  }
  const long = Object.entries(spec.env).find(
    ([name, value]) => Buffer.byteLength(value) + name.length > LONGEST_ARGUMENT,
  );
  if (long) {
    const message = `The variable ${long[0]} is too long for a command's environment (${Buffer.byteLength(long[1])} bytes).`;
    return err(appError('command.failed', message, { mend: 'Pass it through a file.' }));
  }
  try {
    const { file, args } = shellCommand(spec);
    const { cwd, outputPath } = spec;
    return ok({ file, args, cwd, env, outputPath, ...SIZE, hold: true, keep: false });
  } catch (cause) {
    const message = `The script could not be written to a file: ${cause instanceof Error ? cause.message : String(cause)}`;
    return err(appError('command.failed', message));
  }
}

function shellCommand(spec: CommandSpec): { file: string; args: string[] } {
  if (process.platform === 'win32')
    return { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', spec.script] };
  const file = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  if (Buffer.byteLength(spec.script) <= LONGEST_ARGUMENT) return { file, args: ['-c', spec.script] };
  const path = `${spec.outputPath}.sh`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, spec.script, { mode: 0o600 });
  return { file, args: [path] };
}

function resultOf(
  spec: CommandSpec,
  end: TerminalEnd,
  reason: 'cancelled' | 'timed_out' | null,
): CommandResult {
  if (end.kind === 'refused')
    return { ...nothing(spec), error: end.error, outcome: reason ?? 'failed_to_start' };
  if (end.kind === 'lost') {
    const error = appError('unavailable', 'the terminal host died', { mend: 'Run the command again.' });
    return { ...nothing(spec), ...outputSoFar(spec.outputPath), outcome: reason ?? 'signalled', error };
  }
  const { exit } = end;
  return {
    outcome: reason ?? (exit.signal === null ? 'exited' : 'signalled'),
    exitCode: exit.exitCode,
    output: exit.tail,
    outputPath: spec.outputPath,
    outputBytes: exit.bytes,
    truncated: exit.bytes > Buffer.byteLength(exit.tail),
    error: exit.error ?? timeoutError(spec, exit, reason),
  };
}

function timeoutError(spec: CommandSpec, exit: TerminalExit, reason: 'cancelled' | 'timed_out' | null) {
  if (reason === 'timed_out')
    return appError(
      'command.failed',
      `The command did not end within ${spec.timeoutSeconds} s and was ended.`,
    );
  if (reason === null && exit.signal !== null)
    return appError('command.failed', `The command was ended by signal ${exit.signal}.`);
  return null;
}

const nothing = (spec: CommandSpec): CommandResult => ({
  outcome: 'failed_to_start',
  exitCode: null,
  output: '',
  outputPath: existsSync(spec.outputPath) ? spec.outputPath : null,
  outputBytes: 0,
  truncated: false,
  error: null,
});

/** What is in the file when nobody is left to tell. */
function outputSoFar(path: string): Pick<CommandResult, 'output' | 'outputBytes' | 'truncated'> {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return { output: '', outputBytes: 0, truncated: false };
  const tail = Buffer.alloc(Math.min(bytes, TAIL_BYTES));
  const file = openSync(path, 'r');
  try {
    readSync(file, tail, 0, tail.length, bytes - tail.length);
  } finally {
    closeSync(file);
  }
  return { output: tail.toString('utf8'), outputBytes: bytes, truncated: bytes > TAIL_BYTES };
}
