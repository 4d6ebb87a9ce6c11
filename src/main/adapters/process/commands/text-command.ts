import { fail, ok, type Result } from '@contract/result';
import type { Processes } from '../../../core/ports/programs/process';
import { shellOf } from './commands';
import { TailBuffer } from './tail-buffer';

interface TextCommand {
  /** A shell command. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text for standard input, which is closed afterwards. */
  readonly text: string;
  readonly seconds: number;
  readonly owner: string;
  /** Resolves when the result is no longer needed: the command is then ended. */
  readonly cut: Promise<void>;
}

const OUTPUT_BYTES = 2_000;

/**
 * Runs a shell command with a text as input, under a guard, and waits until none of its processes is left.
 * Returns the end of its output; an exit code other than 0, a signal and a timeout are errors.
 */
export async function runTextCommand(processes: Processes, command: TextCommand): Promise<Result<string>> {
  const { script, cwd, env, text, seconds, owner, cut } = command;
  const shell = shellOf(process.platform);
  const tail = new TailBuffer(OUTPUT_BYTES);
  const launched = await processes.launch({
    command: shell.command,
    args: shell.args(script),
    cwd,
    env,
    owner,
    input: text,
    stdin: 'pipe',
    output: { kind: 'merged', chunk: (bytes) => tail.push(Buffer.from(bytes)) },
  });
  if (!launched.ok) return launched;
  const child = launched.value;
  let ended: 'late' | 'cut' | null = null;
  const end = (why: 'late' | 'cut') => () => {
    ended ??= why;
    void child.end();
  };
  const late = setTimeout(end('late'), seconds * 1000);
  void cut.then(end('cut'));
  const exit = await child.exited;
  await child.gone;
  clearTimeout(late);
  const output = tail.text().trim();
  const why =
    ended === 'late'
      ? `took longer than ${seconds} s`
      : exit.signal === null
        ? `ended with ${exit.code}`
        : `was ended by ${exit.signal}`;
  if (ended === null && exit.code === 0) return ok(output);
  return fail('command.failed', `The command ${why}${output === '' ? '.' : `: ${output.slice(-200)}`}`);
}
