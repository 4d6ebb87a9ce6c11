import type { CommandPort, CommandResult } from '../../src/main/core/ports/ports';

/** How many commands end per second, over all runs. */
const PER_SECOND = Number(process.env.BENCH_COMMANDS_PER_SECOND ?? 400);

/**
 * Replaces the adapter that runs shell commands: each ends when its turn comes, without having done anything.
 */
export class PipeCommands implements CommandPort {
  private readonly waiting: ((result: CommandResult) => void)[] = [];
  private last = performance.now();

  constructor() {
    setInterval(() => this.endSome(), 1);
  }

  run(): ReturnType<CommandPort['run']> {
    const done = new Promise<CommandResult>((resolve) => this.waiting.push(resolve));
    return { done, kill: () => undefined };
  }

  private endSome(): void {
    const due = Math.floor(((performance.now() - this.last) * PER_SECOND) / 1000);
    if (due === 0) return;
    this.last += (due * 1000) / PER_SECOND;
    for (const end of this.waiting.splice(0, due)) {
      end({
        outcome: 'exited',
        exitCode: 0,
        output: '',
        outputPath: null,
        outputBytes: 0,
        error: null,
      });
    }
  }
}
