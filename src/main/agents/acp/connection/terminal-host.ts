import * as acp from '@agentclientprotocol/sdk';
import { plainSecrets } from '@areas/agents/contract/plain-secrets';
import { ownValue } from '@contract/own';
import type { ProcessExit } from '../../../core/ports/programs/process';
import type { Terminal, TerminalPort } from '../../../core/ports/programs/terminal';
import { redactTexts } from '../../redact';
import { MOST_TERMINAL_TAIL_BYTES, TERMINAL_TAIL_BYTES } from '../limits';

/** Characters of an output that a transcript shows. */
const SHOWN_CHARS = 64 * 1024;

interface TerminalHostOptions {
  readonly owner: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly outputBase: string;
}

/** The terminals of one session, by the protocol's ids. */
export class TerminalHost {
  readonly #terminals = new Map<string, Terminal>();
  /** Kept after the release: the tool call's result is shown later. */
  readonly #lastOutput = new Map<string, string>();
  readonly #exits = new Map<string, number>();
  /** Values that look like secrets, of the variables that the agent gives to its commands. */
  readonly #given = new Set<string>();
  #hostDeath: (exit: ProcessExit) => void = () => undefined;

  constructor(
    private readonly port: TerminalPort,
    private readonly options: TerminalHostOptions,
  ) {}

  lastOutput(id: string): string | null {
    return this.#lastOutput.get(id) ?? null;
  }

  exitCode(id: string): number | null {
    return this.#exits.get(id) ?? null;
  }

  /** Calls `hear` when a command is lost because Muster's process that ran it died. */
  onHostDeath(hear: (exit: ProcessExit) => void): void {
    this.#hostDeath = hear;
  }

  begin(conversation: 'earlier' | 'new'): Promise<void> {
    return this.port.begin(this.options, conversation);
  }

  async create(params: acp.CreateTerminalRequest, onOutput: () => void): Promise<acp.CreateTerminalResponse> {
    const extra = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]));
    for (const name of plainSecrets({ env: extra })) this.#given.add(ownValue(extra, name) ?? '');
    const created = await this.port.create({
      ...this.options,
      conceal: [...this.#given],
      command: params.command,
      args: params.args ?? [],
      requested: { cwd: params.cwd ?? null, env: extra },
      outputByteLimit: Math.min(params.outputByteLimit ?? TERMINAL_TAIL_BYTES, MOST_TERMINAL_TAIL_BYTES),
      onOutput,
    });
    if (!created.ok) throw acp.RequestError.invalidParams(undefined, created.error.message);
    const terminal = created.value;
    this.#terminals.set(terminal.id, terminal);
    void terminal.waitForExit().then((exit) => {
      if (exit.host !== undefined && this.#terminals.has(terminal.id)) this.#hostDeath(exit);
    });
    return { terminalId: terminal.id };
  }

  async output(params: acp.TerminalOutputRequest): Promise<acp.TerminalOutputResponse> {
    const { text, truncated, exit } = await this.#read(this.#get(params.terminalId));
    return { output: text, truncated, exitStatus: exit === null ? null : exitStatus(exit) };
  }

  async waitForExit(params: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse> {
    const terminal = this.#get(params.terminalId);
    const exit = await terminal.waitForExit();
    await this.#read(terminal);
    return exitStatus(exit);
  }

  async kill(params: acp.KillTerminalRequest): Promise<acp.KillTerminalResponse> {
    await this.#get(params.terminalId).kill();
    return {};
  }

  async release(params: acp.ReleaseTerminalRequest): Promise<acp.ReleaseTerminalResponse> {
    await this.#drop(this.#get(params.terminalId));
    return {};
  }

  async releaseAll(session: 'over' | 'resumable'): Promise<void> {
    await Promise.all([...this.#terminals.values()].map((terminal) => this.#drop(terminal)));
    await this.port.close(this.options.owner, session);
  }

  async #drop(terminal: Terminal): Promise<void> {
    this.#terminals.delete(terminal.id);
    await this.#read(terminal);
    await terminal.release();
  }

  async #read(terminal: Terminal) {
    const output = await terminal.output();
    this.#lastOutput.set(terminal.id, redactTexts([...this.#given])(output.text).slice(-SHOWN_CHARS));
    if (output.exit?.code != null) this.#exits.set(terminal.id, output.exit.code);
    return output;
  }

  #get(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (!terminal) throw acp.RequestError.resourceNotFound(id);
    return terminal;
  }
}

const exitStatus = (exit: ProcessExit) => ({ exitCode: exit.code, signal: exit.signal });
