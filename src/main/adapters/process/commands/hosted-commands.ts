import { sep } from 'node:path';
import type { AppError } from '@contract/errors';
import { ok, type Result } from '@contract/result';
import type {
  CommandPort,
  CommandResult,
  CommandSpec,
  CommandsPast,
  RunningCommand,
} from '../../../core/ports/ports';
import type { HostedFolder, HostedWork } from '../../../core/ports/programs/hosted';
import type { LaunchSpec, ManagedProcess, Processes } from '../../../core/ports/programs/process';
import type { HostedPlace } from '../../../core/ports/workspaces/hosted-place';
import { PipeCommands } from './commands';

type KillReason = 'cancelled' | 'timed_out';

/** Runs commands of runs with a host there, and the others here. */
export class HostedCommands implements CommandPort {
  constructor(
    private readonly here: CommandPort,
    private readonly hosts: HostedWork,
  ) {}

  run(spec: CommandSpec): RunningCommand {
    if (spec.hosted === undefined) return this.here.run(spec);
    const command = new HostedCommand(this.hosts, spec, spec.hosted);
    return {
      done: command.run(),
      kill: (reason) => command.kill(reason),
      giveUp: (reason) => command.giveUp(reason),
    };
  }

  /** As through a pipe here: a command on a host ends with its core. */
  async reattach(spec: CommandSpec, past: CommandsPast): Promise<RunningCommand | null> {
    return spec.hosted === undefined ? ((await this.here.reattach?.(spec, past)) ?? null) : null;
  }
}

class HostedCommand {
  #running: RunningCommand | null = null;
  #killed: KillReason | null = null;
  #folder: HostedFolder | null = null;
  #givenUp: (reason: string) => void = () => undefined;
  #isGivenUp = false;
  readonly #given = new Promise<string>((resolve) => {
    this.#givenUp = resolve;
  });

  constructor(
    private readonly hosts: HostedWork,
    private readonly spec: CommandSpec,
    private readonly wanted: HostedPlace,
  ) {}

  kill(reason: KillReason): void {
    this.#killed ??= reason;
    this.#running?.kill(reason);
  }

  /** The host cannot be reached, and the operator waits no longer. */
  giveUp(reason: string): void {
    this.#isGivenUp = true;
    this.#givenUp(reason);
    this.#folder?.giveUp();
  }

  run(): Promise<CommandResult> {
    const given = this.#given.then((interrupted) => ({ ...notRun('signalled', null), interrupted }));
    return Promise.race([given, this.#run()]);
  }

  async #run(): Promise<CommandResult> {
    const begun = await this.hosts.begin(this.wanted);
    if (!begun.ok)
      return notRun(this.#killed ?? 'failed_to_start', this.#killed === null ? begun.error : null);
    const folder = begun.value;
    this.#folder = folder;
    if (this.#isGivenUp) folder.giveUp();
    const result =
      this.#killed === null && !this.#isGivenUp
        ? await this.#runThere(folder)
        : notRun(this.#killed ?? 'signalled', null);
    const ended = await folder.end();
    // What a command left there is part of its result.
    return ended.ok || result.error !== null || result.interrupted !== undefined
      ? result
      : { ...result, error: ended.error };
  }

  #runThere(folder: HostedFolder): Promise<CommandResult> {
    const { hosted: _, ...spec } = this.spec;
    // A path of this machine.
    const { ARTIFACTS_DIR: __, ...env } = spec.env;
    const processes = withCopies(folder, this.wanted.place.run.artifactsDir);
    const running = new PipeCommands(processes).run({ ...spec, env, terminal: false, cwd: folder.path });
    this.#running = running;
    return running.done;
  }
}

const notRun = (outcome: CommandResult['outcome'], error: AppError | null): CommandResult => ({
  outcome,
  exitCode: null,
  output: '',
  outputPath: null,
  outputBytes: 0,
  error,
});

/** Files of the run that a program is given by their path are copied there, and it is given that path. */
function withCopies({ processes, copy }: HostedFolder, artifactsDir: string): Processes {
  return {
    find: (command, options) => processes.find(command, options),
    async launch(spec: LaunchSpec): Promise<Result<ManagedProcess>> {
      const named = [...spec.args, ...Object.values(spec.env)];
      const files = [...new Set(named.filter((text) => text.startsWith(`${artifactsDir}${sep}`)))];
      const copies: (readonly [string, string])[] = [];
      for (const file of files) {
        const copied = await copy(file);
        if (!copied.ok) return copied;
        copies.push([file, copied.value]);
      }
      const there = (text: string): string =>
        copies.reduce((all, [from, to]) => all.replaceAll(from, to), text);
      const env = Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, there(value)]));
      const launched = await processes.launch({ ...spec, args: spec.args.map(there), env });
      return launched.ok ? ok(launched.value) : launched;
    },
  };
}
