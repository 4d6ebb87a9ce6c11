import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { ExitCode } from './exit';
import type { Link } from './link/link';
import type { Output } from './output/output';

/** A command's flag. `value` names its value; without it, the flag is a switch. */
interface Flag {
  readonly help: string;
  readonly value?: string;
  readonly many?: boolean;
}
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F extends { value: string }
  ? F extends { many: true }
    ? readonly string[]
    : string | undefined
  : boolean;
type Values<F extends Flags> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** Everything that a command may use from its environment. */
export interface Context {
  readonly out: Output;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly dbPath: string;
  /** Set by the first Ctrl-C; the second one ends the process immediately. */
  readonly stop: AbortSignal;
  /** The running core, else one of our own. Closed by the command's caller. */
  open(options?: OpenOptions): Promise<Result<Link>>;
  readInput(): Promise<string>;
  /** A yes or no from the user at the terminal; null if there is no one to ask. */
  confirm(question: string): Promise<boolean | null>;
  /** A command line for `words`, with the same data folder. */
  again(...words: string[]): string;
}

export interface OpenOptions {
  /**
   * `reading`: no run is resumed, no agent can start. `background`: a separate process hosts the core, if
   * none does.
   */
  readonly mode: 'reading' | 'working' | 'serving' | 'background' | 'attached';
}

export interface Call<F extends Flags> {
  readonly words: readonly string[];
  readonly flags: Values<F>;
}

export interface CommandSpec<F extends Flags> {
  readonly name: string;
  readonly summary: string;
  /** The arguments: `FILE...`, `RUN[/GATE]`. */
  readonly words: string;
  readonly least: number;
  readonly most: number;
  readonly flags: F;
  readonly more?: string;
  /** It ends by itself soon after `stop` is set. Other commands are terminated. */
  readonly heedsStop?: boolean;
  /** Read-only: if its core ends before any output, it is repeated with the next one. */
  readonly onlyAsks?: boolean;
  run(context: Context, call: Call<F>): Promise<Result<ExitCode, AppError>>;
}

/** A command without its flags' types, for the table. */
export type Command = Omit<CommandSpec<Flags>, 'run'> & {
  run(
    context: Context,
    call: { words: readonly string[]; flags: unknown },
  ): Promise<Result<ExitCode, AppError>>;
};

export function command<const F extends Flags>(spec: CommandSpec<F>): Command {
  return {
    ...spec,
    // `arguments.ts` builds the values from the flags declared here.
    run: (context, { words, flags }) => spec.run(context, { words, flags: flags as Values<F> }),
  };
}
