import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@contract/error-message';
import { appError } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { TerminalExit, TerminalSpec } from '@contract/terminal/host';
import type {
  CommandPort,
  CommandResult,
  CommandSpec,
  CommandsPast,
  RunningCommand,
} from '../../core/ports/ports';
import { COMMAND_GRACE_MS, HOST_GREETS_MS, LONGEST_TIMER_MS } from '../../limits/core';
import type { PtyClient, TerminalEnd, TerminalHandle, TerminalListener } from './client';

const SIZE = { cols: 120, rows: 30 };
const TAIL_BYTES = 64 * 1024;
/** Linux limits a single argument to 128 KiB. */
const LONGEST_ARGUMENT = 120 * 1024;

export interface TerminalCommandsOptions {
  readonly client: PtyClient;
  /** A command's environment besides its own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type KillReason = 'cancelled' | 'timed_out';

interface Ahead {
  /** Time until its timeout; null if it has none. */
  readonly leftMs: number | null;
  /** Why it is already being ended. */
  readonly reason: KillReason | null;
}

/**
 * `step.command` in a terminal, which the operator can watch and type into. It survives this core if the
 * terminal process does, which then reports its end to the next core until that has recorded it.
 */
export class TerminalCommands implements CommandPort {
  constructor(
    private readonly options: TerminalCommandsOptions,
    private readonly greetingMs = HOST_GREETS_MS,
  ) {}

  run(spec: CommandSpec): RunningCommand {
    const prepared = prepare(spec, this.options.environment);
    if (!prepared.ok)
      return { done: Promise.resolve({ ...nothing(spec), error: prepared.error }), kill: () => undefined };
    const leftMs = spec.timeoutSeconds === null ? null : spec.timeoutSeconds * 1000;
    return follow(spec, { leftMs, reason: null }, (listener) =>
      this.options.client.open(idOf(spec), prepared.value, listener),
    );
  }

  async reattach(spec: CommandSpec, { startedAt, cancelled }: CommandsPast): Promise<RunningCommand | null> {
    const { client } = this.options;
    if (!(await client.greeted(this.greetingMs))) return null;
    const id = idOf(spec);
    // Run numbers repeat between databases, but output paths do not.
    const terminal = client.kept().find((one) => one.id === id && one.outputPath === spec.outputPath);
    if (terminal === undefined) return null;
    const leftMs = spec.timeoutSeconds === null ? null : startedAt + spec.timeoutSeconds * 1000 - Date.now();
    const reason = !terminal.killed ? null : cancelled ? 'cancelled' : 'timed_out';
    return follow(spec, { leftMs, reason }, (listener) => client.reattach(id, listener));
  }
}

const idOf = ({ runId, commandId }: CommandSpec): string => `r${runId}-c${commandId}`;

function follow(
  spec: CommandSpec,
  { leftMs, reason }: Ahead,
  open: (listener: TerminalListener) => TerminalHandle | null,
): RunningCommand {
  let why = reason;
  let timer: NodeJS.Timeout | undefined;
  let handle: TerminalHandle | null = null;
  const kill = (next: KillReason): void => {
    why ??= next;
    handle?.kill(COMMAND_GRACE_MS);
  };
  const done = new Promise<CommandResult>((resolve) => {
    const ended = (end: TerminalEnd): void => {
      clearTimeout(timer);
      resolve(resultOf(spec, end, why));
    };
    handle = open({ ended });
    if (leftMs !== null) timer = setTimeout(() => kill('timed_out'), timerMs(leftMs));
  });
  return { done, kill, taken: () => handle?.taken() };
}

const timerMs = (ms: number): number => Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);

function prepare(
  spec: CommandSpec,
  environment: TerminalCommandsOptions['environment'],
): Result<TerminalSpec> {
  const env: Record<string, string> = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
  for (const [name, value] of Object.entries({ ...environment, ...spec.env })) {
    if (value !== undefined) setOwnValue(env, name, value);
  }
  try {
    const { file, args } = shellCommand(spec);
    const { cwd, outputPath } = spec;
    return ok({ file, args, cwd, env, outputPath, ...SIZE, hold: true, keep: true });
  } catch (cause) {
    const message = `The script could not be written to a file: ${messageOf(cause)}`;
    return fail('command.failed', message);
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

function resultOf(spec: CommandSpec, end: TerminalEnd, reason: KillReason | null): CommandResult {
  if (end.kind === 'refused')
    return { ...nothing(spec), error: end.error, outcome: reason ?? 'failed_to_start' };
  if (end.kind === 'lost') {
    const why = "Muster's process for terminals died";
    const error = appError('unavailable', `${why}.`, { mend: 'Run the command again.' });
    const cut = reason === null ? { interrupted: why } : {};
    return {
      ...nothing(spec),
      ...outputSoFar(spec.outputPath),
      outcome: reason ?? 'signalled',
      error,
      ...cut,
    };
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

function timeoutError(spec: CommandSpec, exit: TerminalExit, reason: KillReason | null) {
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

/** The file's content, when no process is left to report it. */
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
