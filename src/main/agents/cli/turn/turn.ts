import type { AgentProfileOf } from '@areas/agents/contract/profile';
import type { RanCommand } from '@areas/changes/contract/changes';
import { ResponseReader, type TurnResponse } from '@areas/sessions/contract/response';
import type { ToolCall, TranscriptItem } from '@areas/sessions/contract/session';
import type { TurnRequest } from '../../../core/ports/ports';
import type { Screen } from '../../../core/ports/programs/interactive';
import type { ProcessExit } from '../../../core/ports/programs/process';
import type { StopCause, TurnInFlight } from '../../turn-loop';
import type { CliLimits } from '../limits';
import type { CliPreset } from '../program/presets';
import type { AgentProgram } from '../program/program';
import type { AgentSignal } from '../program/signals';
import { drawnAgain, newLines, wholeMessage } from './answer';
import { sentinelShown } from './sentinel';

/** What ended a turn, most trusted first. */
export type Ending =
  | { readonly kind: 'told'; readonly signal: Extract<AgentSignal, { kind: 'ended' }> }
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  | { readonly kind: 'sentinel' }
  /** Its screen says that someone stopped it at its terminal. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'trouble'; readonly text: string }
  | { readonly kind: 'idle'; readonly seconds: number; readonly seesProcesses: boolean };

interface TurnParts {
  readonly request: TurnRequest;
  readonly flight: TurnInFlight;
  /** The prompt as typed. */
  readonly text: string;
  readonly program: AgentProgram;
  readonly preset: CliPreset;
  readonly profile: AgentProfileOf<'cli'>;
  readonly limits: CliLimits;
  emit(items: readonly TranscriptItem[]): void;
}

/** A turn that an earlier core had entered. */
interface TurnPast {
  readonly enteredAt: number;
  /** Its screen when the typing began. */
  readonly before: ShownBefore;
}

/** A screen's content, and its width. */
export type ShownBefore = Pick<Screen, 'lines' | 'cols'>;

const MOST_COMMANDS = 50;
const MOST_TAIL = 4000;
/** Factor for the quiet time of an agent that should report its turns but does not. */
const PATIENCE = 4;

/** The turn in flight as shown by its terminal. */
export class TerminalTurn {
  readonly ended: Promise<Ending>;
  readonly #commands: RanCommand[] = [];
  readonly #tools = new Map<string, ToolCall>();
  readonly #reader = new ResponseReader();
  #end: (ending: Ending) => void = () => undefined;
  #over = false;
  #before: ShownBefore = { lines: [], cols: 0 };
  /** The lines of that screen found on this one, which has another width. */
  #again: { readonly on: Screen; readonly lines: readonly string[] } | null = null;
  /** When Enter was pressed; null before. */
  #enteredAt: number | null = null;
  #enters = 0;
  #prompted = false;
  #conversation: string | null = null;

  constructor(
    private readonly parts: TurnParts,
    past: TurnPast | null = null,
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    if (past === null) return;
    this.#before = past.before;
    this.#enteredAt = past.enteredAt;
    this.#enters = 1;
  }

  get id(): number {
    return this.parts.request.turnId;
  }

  get flight(): TurnInFlight {
    return this.parts.flight;
  }

  get request(): TurnRequest {
    return this.parts.request;
  }

  get text(): string {
    return this.parts.text;
  }

  get cause(): StopCause | null {
    return this.parts.flight.cause;
  }

  get over(): boolean {
    return this.#over;
  }

  get commands(): readonly RanCommand[] {
    return this.#commands;
  }

  get usedTools(): boolean {
    return this.#tools.size > 0;
  }

  /** The lines on the screen when the typing began, as far as they are still there. */
  get before(): readonly string[] {
    const screen = this.parts.program.screen();
    if (screen.cols === this.#before.cols) return this.#before.lines;
    if (this.#again?.on !== screen)
      this.#again = { on: screen, lines: drawnAgain(this.#before.lines, screen.lines) };
    return this.#again.lines;
  }

  get enteredAt(): number | null {
    return this.#enteredAt;
  }

  /** The agent has reported that it accepted the prompt, or never reports that. */
  get taken(): boolean {
    return this.#prompted || !this.parts.preset.tellsPrompt || this.parts.program.deaf;
  }

  end(ending: Ending): void {
    if (this.#over) return;
    this.#over = true;
    this.#end(ending);
  }

  typing(before: ShownBefore): void {
    this.#before = before;
  }

  get enteredTwice(): boolean {
    return this.#enters > 1;
  }

  entered(at: number): void {
    this.#enters += 1;
    this.#enteredAt ??= at;
  }

  /** The machine slept for this long until now, possibly starting before the turn was entered. */
  slept(ms: number, now: number): void {
    if (this.#enteredAt !== null) this.#enteredAt = Math.min(now, this.#enteredAt + ms);
  }

  /** `conversation`: the agent's own id of the conversation that accepted it, if included. */
  prompted(conversation: string | null): void {
    this.#prompted = true;
    this.#conversation ??= conversation;
  }

  /** Reported by another agent: one that this agent started as a command inherits its hooks. */
  isOthers(conversation: string | null): boolean {
    return this.#conversation !== null && conversation !== null && conversation !== this.#conversation;
  }

  notice(text: string): void {
    this.parts.emit([{ type: 'notice', text }]);
  }

  /** The program's last message, reported at its turn's end, as the response. */
  respond(message: string): TurnResponse {
    this.#reader.apart();
    this.#reader.text(message, null);
    const { response, toolCalls } = this.#reader;
    return { response, toolCalls };
  }

  answer(text: string): void {
    this.parts.emit([{ type: 'text', text }]);
  }

  tool(call: ToolCall): void {
    // The report at its end says less about its beginning.
    const known = { ...this.#tools.get(call.id), ...call };
    this.#tools.set(call.id, known);
    this.#reader.tool(call.id);
    this.parts.emit([{ type: 'tool', call: known }]);
    const ran = ranCommand(known);
    if (ran === null) return;
    this.#commands.push({ ...ran, at: Date.now() });
    if (this.#commands.length > MOST_COMMANDS) this.#commands.shift();
  }

  /** Marks tool calls as failed that a sudden end left open. */
  failOpenTools(): void {
    for (const call of this.#tools.values()) {
      if (call.status === 'completed' || call.status === 'failed') continue;
      this.parts.emit([{ type: 'tool', call: { ...call, status: 'failed' } }]);
    }
  }

  /** What its screen and quiet time say about an end; null for nothing. */
  judgeScreen(): Ending | null {
    if (this.#enteredAt === null) return null;
    const { limits, preset, profile, program } = this.parts;
    const { vitals } = program;
    const { sentinel } = profile;
    const shown = (text: string): boolean =>
      sentinelShown({
        before: this.before,
        after: program.screen().lines,
        prompt: this.text,
        sentinel: text,
      });
    if (sentinel !== undefined && shown(sentinel)) return { kind: 'sentinel' };
    if (vitals.quietMs < limits.settleMs || vitals.outputAt < this.#enteredAt) return null;
    if (preset.busy?.test(program.lastLines())) return null;
    const marked = this.#marked(newLines(this.before, program.screen().lines).join('\n'));
    if (marked !== null) return marked;
    if (this.cause !== null && vitals.restMs >= limits.settleMs) return { kind: 'interrupted' };
    return this.#idle();
  }

  /** The end according to the agent's own marks on its screen, with its prompt below. */
  #marked(text: string): Ending | null {
    const { preset, program } = this.parts;
    if (preset.interrupted?.test(text)) return { kind: 'interrupted' };
    const trouble = preset.trouble?.exec(text);
    if (trouble && program.atPrompt())
      return { kind: 'trouble', text: wholeMessage(program.screen().lines, trouble) };
    return null;
  }

  #idle(): Ending | null {
    const { limits, preset, profile, program } = this.parts;
    const idleSeconds = profile.idle_seconds;
    const reportsEnd = preset.tellsEnd && idleSeconds === undefined && !program.deaf;
    const idleMs =
      (idleSeconds === undefined ? limits.idleMs : idleSeconds * 1000) * (reportsEnd ? PATIENCE : 1);
    const { restMs, seesProcesses } = program.vitals;
    if (restMs < idleMs || program.question() !== null) return null;
    if (program.vitals.life().state === 'waiting_for_input') return null;
    // Its own report is missing: then at least its prompt must be visible.
    if (reportsEnd && !program.atPrompt()) return null;
    return { kind: 'idle', seconds: Math.round(restMs / 1000), seesProcesses };
  }
}

/** A finished command of the agent. */
function ranCommand(call: ToolCall): RanCommand | null {
  if (call.kind !== 'execute' || (call.status !== 'completed' && call.status !== 'failed')) return null;
  const input = call.input;
  const command =
    typeof input === 'object' && input !== null && !Array.isArray(input) ? input.command : undefined;
  if (typeof command !== 'string') return null;
  const output = call.output ?? '';
  const code = /exit(?:ed with)? code:? (\d+)/i.exec(output.slice(0, 200))?.[1];
  const exitCode = call.status === 'completed' ? 0 : code === undefined ? null : Number(code);
  return { command, exitCode, outputTail: output.slice(-MOST_TAIL) };
}
