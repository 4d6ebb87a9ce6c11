import { err, ok, type Result } from '@contract/result';
import type {
  InteractiveListener,
  InteractivePort,
  InteractiveSpec,
  InteractiveTerminal,
  KeptProgram,
  Screen,
} from '../../../core/ports/programs/interactive';
import type { ProcessExit } from '../../../core/ports/programs/process';
import { describeExit } from '../../failure';
import type { CliLimits } from '../limits';
import { lastWords } from '../turn/answer';
import { Vitals } from '../watch/vitals';
import type { CliPreset } from './presets';
import { type AgentSignal, bodyOf } from './signals';

export interface ProgramParts {
  readonly preset: CliPreset;
  /** Identifies this start. */
  readonly token: string;
  readonly limits: CliLimits;
  now(): number;
}

/** An earlier core's knowledge of its program. */
interface ProgramPast {
  readonly deaf: boolean;
  /** The offsets when the interrupted turn began; null: there is none. */
  readonly turn: { readonly told: number; readonly printed: number } | null;
}

/**
 * The result of a start: it accepts prompts, it asks the operator first, it ended, or none of these in time.
 */
type Arrival = 'ready' | 'asks' | 'exited' | 'late';

/** Number of lines at the end of a screen that are examined; questions further up have been answered. */
const LAST_LINES = 40;
/** How line-based programs ask. */
const YES_OR_NO = /(\(y\)es\/\(n\)o|[([]y(es)?\/no?[)\]]).{0,30}$/i;

/** A program in its terminal, with its reports. */
export class AgentProgram {
  readonly vitals: Vitals;
  #terminal: InteractiveTerminal | null = null;
  #exit: ProcessExit | null = null;
  #screen: Screen | null = null;
  #started = false;
  #deaf = false;
  #hear: ((signal: AgentSignal) => void) | null = null;
  /** Reports received before anyone listens. */
  #early: AgentSignal[] = [];

  private constructor(private readonly parts: ProgramParts) {
    this.vitals = new Vitals(parts.now, parts.limits);
  }

  static async start(
    port: InteractivePort,
    spec: InteractiveSpec,
    parts: ProgramParts,
  ): Promise<Result<AgentProgram>> {
    const program = new AgentProgram(parts);
    const opened = await port.open(spec, program.#listener);
    if (!opened.ok) return err(opened.error);
    program.#take(opened.value);
    return ok(program);
  }

  /**
   * Continues with a program of an earlier core. `before` is its screen when the turn began. Its reports in
   * that turn are repeated to the listener.
   */
  static async takeUp(
    kept: KeptProgram,
    past: ProgramPast,
    parts: ProgramParts,
  ): Promise<{ program: AgentProgram; before: Screen | null }> {
    const program = new AgentProgram(parts);
    const { told, printed } = past.turn ?? { told: null, printed: null };
    const { terminal, before } = await kept.take(program.#listener, { told, printed });
    program.#take(terminal);
    program.#started = true;
    program.#deaf = past.deaf;
    return { program, before };
  }

  get #listener(): InteractiveListener {
    return {
      printed: () => this.#printed(),
      told: (line) => this.#told(line),
      notified: (text) => this.#notified(text),
    };
  }

  #take(terminal: InteractiveTerminal): void {
    this.#terminal = terminal;
    void terminal.exited.then((exit) => {
      this.#exit = exit;
      this.#screen = null;
      this.vitals.exited(describeExit(exit));
    });
  }

  get terminal(): InteractiveTerminal {
    if (this.#terminal === null) throw new Error('the program was not started');
    return this.#terminal;
  }

  get exit(): ProcessExit | null {
    return this.#exit;
  }

  /** It should report its state but does not: its screen is examined instead. */
  get deaf(): boolean {
    return this.#deaf;
  }

  screen(): Screen {
    this.#screen ??= this.terminal.screen();
    return this.#screen;
  }

  /** The question on its screen that only the operator can answer; null if there is none. */
  question(): string | null {
    const { lines } = this.screen();
    const dialog = this.parts.preset.asks?.test(this.lastLines()) ?? false;
    return dialog || YES_OR_NO.test(lines.at(-1) ?? '') ? lastWords(lines) : null;
  }

  /** Whether it reported this before anyone listened. */
  hasReported(...kinds: readonly AgentSignal['kind'][]): boolean {
    return this.#early.some(({ kind }) => kinds.includes(kind));
  }

  atPrompt(): boolean {
    const { prompt } = this.parts.preset;
    return prompt?.test(this.lastLines()) ?? false;
  }

  /** What an operator sees in the terminal. */
  lastLines(): string {
    return this.screen().lines.slice(-LAST_LINES).join('\n');
  }

  listen(hear: (signal: AgentSignal) => void): void {
    this.#hear = hear;
    const early = this.#early;
    this.#early = [];
    for (const signal of early) hear(signal);
  }

  /** Resolves when it accepts prompts or is known not to; `goOn` aborts the wait. */
  async arrival(withinMs: number, goOn: () => boolean = () => true): Promise<Arrival> {
    const { limits, now } = this.parts;
    for (const until = now() + withinMs; goOn() && now() < until; await pause(limits.tickMs / 5)) {
      const seen = this.#arrived();
      if (seen !== null) return seen;
    }
    return 'late';
  }

  #arrived(): Arrival | null {
    if (this.#exit) return 'exited';
    const { limits, preset } = this.parts;
    const { quietMs, printedAnything } = this.vitals;
    if (!printedAnything || quietMs < limits.settleMs / 4) return null;
    if (preset.tellsStart && this.#started && this.atPrompt()) return this.#ready();
    const question = this.question();
    if (question !== null) {
      if (quietMs < limits.settleMs) return null;
      this.vitals.asks(question);
      return 'asks';
    }
    if (preset.tellsStart) return this.#withoutPrompt(quietMs);
    const shown = preset.prompt === null ? quietMs >= limits.settleMs : this.atPrompt();
    return shown ? this.#ready() : null;
  }

  /**
   * Its reports and its screen disagree: its hooks are disabled, or its prompt looks different in this
   * version. After a while, either alone must suffice.
   */
  #withoutPrompt(quietMs: number): Arrival | null {
    if (quietMs < this.parts.limits.settleMs * 3) return null;
    if (!this.#started && !this.atPrompt()) return null;
    this.#deaf = !this.#started;
    return this.#ready();
  }

  #ready(): Arrival {
    this.vitals.ready();
    return 'ready';
  }

  #printed(): void {
    this.#screen = null;
    this.vitals.printed();
  }

  #told(line: string): void {
    const signal = this.parts.preset.read(bodyOf(line, this.parts.token));
    if (signal) this.#say(signal);
  }

  #notified(text: string): void {
    if (!this.parts.preset.notifies?.test(text)) return;
    this.#say({ kind: 'waiting', session: null, what: text });
  }

  #say(signal: AgentSignal): void {
    this.#started = true;
    if (this.#hear === null) this.#early.push(signal);
    else this.#hear(signal);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
