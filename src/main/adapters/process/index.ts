import { createHash, randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fail, type Result } from '@contract/result';
import type { LaunchSpec, ManagedProcess, Processes, ScriptRuntime } from '../../core/ports/programs/process';
import { cleanEnvironment } from './environment';
import { endForsaken, type Forsaken } from './guard/forsaken';
import { INSTANCE_MARK, type Reaped, reap } from './guard/reap';
import { launch } from './launch';
import { SearchPath } from './search-path';
import { processRow } from './table/process-table';
import { ProcessRegistry } from './table/registry';

const SESSION_MARK = 'MUSTER_SESSION';

interface ProcessesOptions {
  /** The folder of the process registry. Its path is part of the mark, so that two of them never mix. */
  readonly dataDir: string;
  /** Identifies the app's start. Letters, digits, `-` and `_`. */
  readonly instanceId: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Runs the guard on Windows. */
  readonly runtime: ScriptRuntime;
  /** Read the login shell's PATH; default: only if Muster was not started from a shell. */
  readonly askLoginShell?: boolean;
}

export class GuardedProcesses implements Processes {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #searchPath: SearchPath;
  readonly #registry: ProcessRegistry;
  readonly #runtime: ScriptRuntime;
  readonly #home: string;
  readonly #instance: string;
  readonly #live = new Set<ManagedProcess>();
  #launches = 0;

  constructor(options: ProcessesOptions) {
    const { environment } = options;
    this.#home = createHash('sha256').update(resolve(options.dataDir)).digest('hex').slice(0, 12);
    // A core restarted within the same app is a separate instance: a guard still ending the first one's
    // processes must not find the second one's.
    this.#instance = `${this.#home}.${options.instanceId}.${randomBytes(4).toString('hex')}`;
    this.#environment = cleanEnvironment(environment);
    this.#runtime = options.runtime;
    this.#registry = new ProcessRegistry(options.dataDir, this.#instance);
    this.#searchPath = new SearchPath({
      environment,
      home: environment.HOME ?? homedir(),
      askLoginShell: options.askLoginShell ?? environment.SHLVL === undefined,
    });
  }

  find(command: string, options: { path?: string; cwd?: string } = {}): Promise<string | null> {
    return this.#searchPath.find(command, options);
  }

  /**
   * The variables that mark a process as one of this instance's, for components that start processes
   * themselves.
   */
  marks(owner: string): Readonly<Record<string, string>> {
    return { [INSTANCE_MARK]: this.#instance, ...this.sessionMark(owner) };
  }

  /** For a process that may survive this instance, and is watched by another. */
  sessionMark(owner: string): Readonly<Record<string, string>> {
    return { [SESSION_MARK]: owner };
  }

  /** The environment of every child: cleaned, with the completed PATH. */
  async environment(): Promise<Readonly<Record<string, string>>> {
    return { ...this.#environment, PATH: await this.#searchPath.value() };
  }

  async launch(spec: LaunchSpec): Promise<Result<ManagedProcess>> {
    const program = await this.find(spec.command, { path: spec.env.PATH, cwd: spec.cwd });
    if (program === null) {
      return fail('not_found', `${spec.command} is not installed, or not on PATH.`, {
        mend: `Install ${spec.command}, or give its full path.`,
      });
    }
    this.#launches += 1;
    const mark = `${this.#instance}.${this.#launches}`;
    const environment = { ...(await this.environment()), ...this.marks(spec.owner) };
    const started = await launch(spec, { program, environment, mark, runtime: this.#runtime });
    if (started.ok) await this.#follow(started.value, { mark, owner: spec.owner });
    return started;
  }

  async #follow(child: ManagedProcess, what: { mark: string; owner: string }): Promise<void> {
    this.#live.add(child);
    const row = await processRow(child.pid);
    this.#registry.add({ pid: child.pid, start: row?.start ?? '', launch: what.mark, owner: what.owner });
    void child.gone.then(() => {
      this.#live.delete(child);
      this.#registry.remove(what.mark);
    });
  }

  /**
   * Ends what an earlier instance of this data folder left, also without any mark in these folders. Only for the
   * holder of the folder's lease.
   */
  async reapLeftovers(folders: readonly string[] = []): Promise<Reaped> {
    const isOld = (instance: string) => instance.startsWith(`${this.#home}.`) && instance !== this.#instance;
    const { ended } = await reap(this.#registry.leftovers(), isOld);
    const forsaken = await endForsaken(folders);
    return { ended: [...ended, ...forsaken.map(({ pid }) => pid)] };
  }

  /** Ends what programs left in these folders of Muster's without any mark, and names it. */
  endForsaken(folders: readonly string[]): Promise<readonly Forsaken[]> {
    return endForsaken(folders);
  }

  /** Ends everything that this instance started. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#live].map((child) => child.end()));
  }
}
