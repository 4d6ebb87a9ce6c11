import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TerminalExit, TerminalSpec } from '@areas/terminals/contract/host';
import { messageOf } from '@contract/error-message';
import { appError } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type {
  CommandSpec,
  CommandsPast,
  RunningInTerminal,
  TerminalCommandEnd,
  TerminalCommandPort,
} from '../../core/ports/ports';
import { COMMAND_GRACE_MS, HOST_GREETS_MS, LONGEST_TIMER_MS } from '../../limits/core';
import type { PtyClient, TerminalEnd, TerminalHandle, TerminalListener } from './client';
import { outputEnd } from './output-reader';
import { readOutput } from './read-output';

const SIZE = { cols: 120, rows: 30 };
/** Linux limits a single argument to 128 KiB. */
const LONGEST_ARGUMENT = 120 * 1024;

interface TerminalCommandsOptions {
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
export class TerminalCommands implements TerminalCommandPort {
  constructor(
    private readonly options: TerminalCommandsOptions,
    private readonly greetingMs = HOST_GREETS_MS,
  ) {}

  run(spec: CommandSpec): RunningInTerminal {
    const prepared = prepare(spec, this.options.environment);
    if (!prepared.ok)
      return { done: Promise.resolve({ ...nothing(spec), error: prepared.error }), kill: () => undefined };
    const leftMs = spec.timeoutSeconds === null ? null : spec.timeoutSeconds * 1000;
    return follow(spec, { leftMs, reason: null }, (listener) =>
      this.options.client.open(idOf(spec), prepared.value, listener),
    );
  }

  async reattach(
    spec: CommandSpec,
    { startedAt, cancelled }: CommandsPast,
  ): Promise<RunningInTerminal | null> {
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
): RunningInTerminal {
  let why = reason;
  let timer: NodeJS.Timeout | undefined;
  let handle: TerminalHandle | null = null;
  const kill = (next: KillReason): void => {
    why ??= next;
    handle?.kill(COMMAND_GRACE_MS);
  };
  const done = new Promise<TerminalCommandEnd>((resolve) => {
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
    const splitErrors = spec.joinsErrors !== true;
    return ok({ file, args, cwd, env, outputPath, ...SIZE, hold: true, splitErrors, keep: true });
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

function resultOf(spec: CommandSpec, end: TerminalEnd, reason: KillReason | null): TerminalCommandEnd {
  if (end.kind === 'refused')
    return { ...nothing(spec), error: end.error, outcome: reason ?? 'failed_to_start' };
  if (end.kind === 'lost') {
    const why = "Muster's process for terminals died";
    const error = appError('unavailable', `${why}.`, { mend: 'Run the command again.' });
    const cut = reason === null ? { interrupted: why } : {};
    const outputBytes = outputEnd(spec.outputPath);
    const outcome = reason ?? 'signalled';
    return { ...nothing(spec), ...readingTo(spec, outputBytes, []), outcome, error, ...cut };
  }
  const { exit } = end;
  return {
    outcome: reason ?? (exit.signal === null ? 'exited' : 'signalled'),
    exitCode: exit.exitCode,
    outputPath: spec.outputPath,
    ...readingTo(spec, exit.bytes, exit.errors ?? []),
    error: exit.error ?? timeoutError(spec, exit, reason) ?? (exit.errors === null ? MIXED : null),
  };
}

const readingTo = (
  { outputPath }: CommandSpec,
  outputBytes: number,
  errors: NonNullable<TerminalExit['errors']>,
): Pick<TerminalCommandEnd, 'outputBytes' | 'read'> => ({
  outputBytes,
  read: (streams) => readOutput(outputPath, { end: outputBytes, errors }, streams),
});

const MIXED = appError(
  'command.failed',
  'The command alternates between standard output and standard error too often to tell them apart.',
  { mend: 'Set stderr: join, or terminal: false.' },
);

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

const nothing = (spec: CommandSpec): TerminalCommandEnd => ({
  outcome: 'failed_to_start',
  exitCode: null,
  outputPath: existsSync(spec.outputPath) ? spec.outputPath : null,
  ...readingTo(spec, 0, []),
  error: null,
});
