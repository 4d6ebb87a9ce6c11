import { ok, type Result } from '@contract/result';
import type { ManagedProcess, ProcessExit, Processes } from '../../core/ports/programs/process';
import type {
  Terminal,
  TerminalOutput,
  TerminalPort,
  TerminalSpec,
} from '../../core/ports/programs/terminal';
import { shellOf } from './commands/commands';
import { TailBuffer } from './commands/tail-buffer';

/** Agents' commands through pipes, if there is no pty host. */
export class PipeTerminals implements TerminalPort {
  #count = 0;

  constructor(private readonly processes: Processes) {}

  async create(spec: TerminalSpec): Promise<Result<Terminal>> {
    this.#count += 1;
    const tail = new TailBuffer(spec.outputByteLimit);
    const { command, args } = await this.#program(spec);
    const started = await this.processes.launch({
      command,
      args,
      cwd: spec.requested.cwd ?? spec.cwd,
      env: { ...spec.env, ...spec.requested.env },
      owner: spec.owner,
      stdin: 'none',
      output: {
        kind: 'merged',
        chunk: (bytes) => {
          tail.push(bytes);
          spec.onOutput();
        },
      },
    });
    return started.ok ? ok(new PipeTerminal(`term-${this.#count}`, started.value, tail)) : started;
  }

  /** Commands share nothing here. */
  async begin(): Promise<void> {}

  async close(): Promise<void> {}

  /** Agents often send a whole command line as `command`, instead of a program with arguments. */
  async #program(spec: TerminalSpec): Promise<{ command: string; args: readonly string[] }> {
    if (spec.args.length > 0) return spec;
    const shell = shellOf(process.platform);
    return {
      command: (await this.processes.find(shell.command)) ?? '/bin/sh',
      args: shell.args(spec.command),
    };
  }
}

class PipeTerminal implements Terminal {
  readonly id: string;
  #exit: ProcessExit | null = null;

  constructor(
    id: string,
    private readonly child: ManagedProcess,
    private readonly tail: TailBuffer,
  ) {
    this.id = id;
    void child.exited.then((exit) => {
      this.#exit = exit;
    });
  }

  async output(): Promise<TerminalOutput> {
    return { text: this.tail.text(), truncated: this.tail.truncated, exit: this.#exit };
  }

  waitForExit(): Promise<ProcessExit> {
    return this.child.exited;
  }

  kill(): Promise<void> {
    return this.child.end();
  }

  release(): Promise<void> {
    return this.child.end();
  }
}
