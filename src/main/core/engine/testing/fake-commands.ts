import type {
  CommandPort,
  CommandResult,
  CommandSpec,
  CommandsPast,
  RunningCommand,
} from '../../ports/ports';

interface RanCommand {
  readonly spec: CommandSpec;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends it, even if no core is there to notice. */
  readonly end: (result: Partial<CommandResult>) => void;
  readonly kill: (reason: 'cancelled' | 'timed_out') => void;
  result: CommandResult | null;
  /** A core has recorded its end. */
  taken: boolean;
  /** The operator counts it as interrupted. */
  givenUp: boolean;
  /** The core that waits for its end. */
  hears: ((result: CommandResult) => void) | null;
}

/** Commands that the test ends. They end with their core, unless `survives` says otherwise. */
export class FakeCommands implements CommandPort {
  readonly ran: RanCommand[] = [];
  readonly reattached: { commandId: number; past: CommandsPast }[] = [];
  answer: (script: string) => Partial<CommandResult> | null = () => ({ output: 'done\n' });
  survives: (command: RanCommand) => boolean = () => false;

  run(spec: CommandSpec): RunningCommand {
    const end = (result: Partial<CommandResult>): void => {
      command.result ??= {
        outcome: 'exited',
        exitCode: 0,
        output: '',
        outputPath: null,
        outputBytes: 0,
        error: null,
        ...result,
      };
      command.hears?.(command.result);
    };
    const kill = (outcome: 'cancelled' | 'timed_out'): void => end({ outcome, exitCode: null });
    const { script, env } = spec;
    const command: RanCommand = {
      spec,
      script,
      env,
      end,
      kill,
      result: null,
      taken: false,
      givenUp: false,
      hears: null,
    };
    this.ran.push(command);
    const running = this.follow(command);
    const result = this.answer(script);
    if (result !== null) end(result);
    return running;
  }

  async reattach({ runId, commandId }: CommandSpec, past: CommandsPast): Promise<RunningCommand | null> {
    await Promise.resolve();
    this.reattached.push({ commandId, past });
    const command = this.ran.find(({ spec }) => spec.runId === runId && spec.commandId === commandId);
    if (!command || command.taken || !this.survives(command)) return null;
    return this.follow(command);
  }

  /** The core is gone: it receives nothing more. */
  cut(): void {
    for (const command of this.ran) command.hears = null;
  }

  private follow(command: RanCommand): RunningCommand {
    const done = new Promise<CommandResult>((resolve) => {
      command.hears = resolve;
      if (command.result !== null) resolve(command.result);
    });
    const taken = (): void => {
      command.taken = true;
    };
    const giveUp = (interrupted: string): void => {
      command.givenUp = true;
      command.end({ outcome: 'signalled', exitCode: null, interrupted });
    };
    return { done, kill: command.kill, giveUp, taken };
  }
}
