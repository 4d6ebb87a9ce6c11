import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TerminalSpec as HostSpec } from '@areas/terminals/contract/host';
import { fail, ok, type Result } from '@contract/result';
import type { Terminal, TerminalPlace, TerminalSpec } from '../../../core/ports/programs/terminal';
import { SHELL_PROMPT_MS } from '../../../limits/core';
import type { PtyClient } from '../client';
import { AgentTerminal } from './agent-terminal';
import { MarkedShell } from './marked-shell';
import { BESIDE_SCRIPT, commandFile, quoted, SHELL_SCRIPT } from './shell-script';
import { restShellState } from './shell-state';

export const SHELL = '/bin/bash';
const SIZE = { cols: 120, rows: 30 };

interface SessionShellParts {
  readonly client: PtyClient;
  readonly id: string;
  /** Where its environment and folder are saved. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly place: Pick<TerminalPlace, 'cwd' | 'outputBase' | 'secrets'>;
}

interface ShellStart {
  readonly script: string;
  /** 0: the session's own shell. */
  readonly number: number;
  readonly args?: readonly string[];
  readonly conceal?: readonly string[] | undefined;
}

/** A session's shell, and additional ones while it is busy. */
export class SessionShell {
  readonly #live = new Set<MarkedShell>();
  #main: MarkedShell | null = null;
  #count = 0;
  #shells = 0;

  /** `main`: the shell that an earlier core left. */
  constructor(
    private readonly parts: SessionShellParts,
    main: MarkedShell | null = null,
  ) {
    this.#main = main;
    if (main !== null) this.#live.add(main);
  }

  async create(spec: TerminalSpec): Promise<Result<Terminal>> {
    // A shell that is ending still saves its state, and the next one continues in its file.
    while (this.#main?.leaving && !this.#main.over) await this.#main.gone;
    this.#count += 1;
    const id = `${this.parts.id}-${this.#count}`;
    const line = spec.args.length === 0 ? spec.command : [spec.command, ...spec.args].map(quoted).join(' ');
    const file = join(this.parts.state, `${this.#count}.sh`);
    const text = commandFile({ id, line, ...spec.requested });
    const free = this.#main === null || this.#main.over || !this.#main.busy;
    if (!free) {
      await writeFile(file, text, { mode: 0o600 });
      const beside = this.#start({
        script: BESIDE_SCRIPT,
        number: this.#count,
        args: [file],
        conceal: spec.conceal,
      });
      return ok(new AgentTerminal(id, beside, spec));
    }
    const main =
      this.#main === null || this.#main.over ? this.#start({ script: SHELL_SCRIPT, number: 0 }) : this.#main;
    this.#main = main;
    // Reserved before any wait, so that the next request finds it busy.
    const terminal = new AgentTerminal(id, main, spec);
    await writeFile(file, text, { mode: 0o600 });
    if (await within(main.ready, SHELL_PROMPT_MS)) {
      await main.conceal(spec.conceal ?? []);
      await main.send(join(this.parts.state, 'pipe'), file);
      return ok(terminal);
    }
    await main.kill();
    return fail('command.failed', 'The shell of the session did not start: see its terminal.');
  }

  async close(): Promise<void> {
    await this.#end();
    await rm(this.parts.state, { recursive: true, force: true });
  }

  /** Ends and keeps the saved state for the session's next shell. */
  async rest(): Promise<void> {
    await this.#end();
    const { state, place } = this.parts;
    // If that cannot be recorded, on a full disk, the next shell starts fresh: no reason to keep the session
    // alive.
    await restShellState(state, `${place.outputBase}-0.log`).catch(() =>
      rm(state, { recursive: true, force: true }).catch(() => undefined),
    );
  }

  async #end(): Promise<void> {
    await Promise.all([...this.#live].map((shell) => shell.kill()));
  }

  #start({ script, number, args = [], conceal = [] }: ShellStart): MarkedShell {
    const { client, id, environment, place } = this.parts;
    this.#shells += 1;
    const login = number === 0 ? ['--login'] : [];
    const made: HostSpec = {
      file: SHELL,
      args: [...login, '-c', script, 'muster-shell', ...args],
      cwd: place.cwd,
      env: { ...environment },
      ...(place.secrets && { secrets: [...place.secrets] }),
      ...(conceal.length > 0 && { conceal: [...conceal] }),
      ...SIZE,
      // An additional shell runs a command that no one needs once its core is gone.
      outputPath: `${place.outputBase}-${number}.log`,
      hold: true,
      keep: number === 0,
    };
    for (const shell of this.#live) if (shell.over) this.#live.delete(shell);
    const shell = MarkedShell.start(client, `${id}-sh${this.#shells}`, made);
    this.#live.add(shell);
    return shell;
  }
}

async function within(promise: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const result = await Promise.race([promise, late]);
  clearTimeout(timer);
  return result;
}
