import type { AgentProfileOf } from '@areas/agents/contract/profile';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { appError } from '@contract/errors';
import { MINUTE_MS } from '@contract/time-units';
import type { Session, SessionListener, SessionReady, TurnRequest, TurnResult } from '../../core/ports/ports';
import type { FailureContext } from '../failure';
import { notStarted, type TurnInFlight, TurnLoop } from '../turn-loop';
import type { CliLimits } from './limits';
import type { CliPreset } from './program/presets';
import { type AgentProgram, pause } from './program/program';
import type { AgentSignal } from './program/signals';
import {
  type KeptTurn,
  notAmong,
  type SessionLeft,
  type SessionRecord,
  type TurnGoingOn,
} from './session-record';
import { judge } from './turn/judge';
import { keysNamed, lineTyped } from './turn/keys';
import { TerminalTurn } from './turn/turn';
import { promptText, sameText, typed } from './turn/typing';
import { LifeWatch, waitsFor } from './watch/watch';

export interface CliSessionParts {
  readonly ready: SessionReady;
  readonly program: AgentProgram;
  readonly preset: CliPreset;
  readonly profile: AgentProfileOf<'cli'>;
  readonly listener: SessionListener;
  readonly limits: CliLimits;
  readonly context: FailureContext;
  /** The agent's own id of the conversation, if known at the start. */
  readonly sessionId: string | null;
  /** Identifies this start of the agent. */
  readonly token: string;
  /** Set if an earlier core began the session. */
  readonly past?: SessionLeft;
  /** Stores the id, so that a later start can resume the conversation. */
  keep(sessionId: string): void;
  now(): number;
}

const PROCESS_TICKS = 4;

/** One conversation with a program in its terminal. */
export class CliSession implements Session {
  readonly ready: SessionReady;
  #turn: TerminalTurn | null = null;
  /** How far the last turn has been typed. */
  #typed: KeptTurn | null = null;
  readonly #loop: TurnLoop;
  #sessionId: string | null;
  readonly #watch: LifeWatch;
  /** Number of lines that a cancelled turn may have left in the agent's prompt. */
  #leftLines = 0;
  #ticks = 0;
  #looksAgain = false;

  constructor(private readonly parts: CliSessionParts) {
    this.ready = parts.ready;
    const { limits, program } = parts;
    this.#loop = new TurnLoop({
      // Not asked of the loop: `LifeWatch` also judges silence by its processes' activity.
      silenceMinutes: parts.profile.silence_minutes,
      kill: { afterMs: limits.cancelMs, run: () => void program.terminal.end(limits.killMs) },
    });
    this.#watch = new LifeWatch({ ...parts, agent: parts.context.agent });
    this.#sessionId = parts.sessionId;
    this.#leftLines = parts.past?.leftLines ?? 0;
    this.#typed = parts.past?.typed ?? null;
    const continuedTurn = parts.past?.turn ?? null;
    // Before any report: those received meanwhile belong to this turn.
    if (continuedTurn !== null) this.#turn = this.#takeUp(continuedTurn);
    parts.program.listen((signal) => this.#hear(signal));
    void parts.program.terminal.exited.then((exit) => {
      this.#turn?.end({ kind: 'exited', exit });
      this.#loop.lost(exit, (how) => parts.listener.lost(`The program ${how}.`));
    });
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    return this.#loop.turn((flight) => {
      const turn = this.#newTurn(request, flight);
      this.#turn = turn;
      return this.#play(turn, async () => {
        await this.#atPrompt(turn);
        if (turn.cause === null && this.parts.program.exit === null) await this.#submit(turn);
      });
    });
  }

  /** The rest of the turn that an earlier core had entered. */
  follow(): Promise<TurnResult> {
    const turn = this.#turn;
    if (turn === null)
      return Promise.resolve(notStarted(appError('internal', 'There is no turn to follow.')));
    return this.#loop.follow(() => this.#play(turn, async () => undefined));
  }

  /** Records the session's state. Resolves when the next core would find it. */
  keep(): Promise<void> {
    const { program, token } = this.parts;
    const kept: SessionRecord = {
      token,
      session: this.#sessionId,
      deaf: program.deaf,
      leftLines: this.#leftLines,
      turn: this.#typed,
    };
    return program.terminal.note(JSON.stringify(kept));
  }

  taken(): void {
    this.parts.program.terminal.taken();
  }

  #newTurn(request: TurnRequest, flight: TurnInFlight, past: TurnGoingOn | null = null): TerminalTurn {
    const { context, limits, listener, preset, profile, program } = this.parts;
    const text = promptText(request.prompt, request.attachments);
    const isNew = notAmong(past?.streamed ?? [], context.redact);
    const emit = (items: readonly TranscriptItem[]): void => {
      const more = items.filter(isNew);
      if (more.length > 0) listener.items(request.turnId, more);
    };
    const before = past && { enteredAt: past.kept.enteredAt ?? this.parts.now(), before: past.before };
    const turn = new TerminalTurn({ request, flight, text, program, preset, profile, limits, emit }, before);
    if (flight.cause === null) flight.endsBy(() => this.#interrupt(turn));
    return turn;
  }

  #takeUp(past: TurnGoingOn): TerminalTurn {
    const stallMs = this.#stallMs;
    this.parts.program.vitals.resumeTurn({ atRest: past.kept.atRest, stallMs });
    return this.#newTurn(past.request, this.#loop.takeUp(past.kept.cause), past);
  }

  get #stallMs(): number {
    const { limits, profile } = this.parts;
    return profile.silence_minutes === null ? limits.stallMs : profile.silence_minutes * MINUTE_MS;
  }

  async #play(turn: TerminalTurn, work: () => Promise<void>): Promise<TurnResult> {
    try {
      return await this.#run(turn, work);
    } finally {
      this.#turn = null;
      this.parts.program.vitals.endTurn();
      if (this.#leftLines > 0) void this.keep();
    }
  }

  cancel(): Promise<void> {
    return this.#loop.cancel();
  }

  /** A line ends with Enter; keys are pressed as they are named. */
  type(text: string, how: 'line' | 'keys'): void {
    this.parts.program.terminal.type(how === 'line' ? lineTyped(text) : keysNamed(text));
  }

  park(): Promise<void> {
    return this.#leave('parked');
  }

  close(): Promise<void> {
    return this.#leave('closed');
  }

  async #leave(how: 'parked' | 'closed'): Promise<void> {
    const { limits, preset, program } = this.parts;
    const { terminal } = program;
    const busy = this.#turn !== null;
    await this.#loop.leave(how, async () => {
      // When asked to end, an agent saves its state; in mid-turn it would misinterpret the keys.
      for (const key of busy ? [] : preset.keys.leave) {
        if (program.exit !== null) break;
        terminal.type(key);
        await Promise.race([terminal.exited, pause(limits.leaveMs / preset.keys.leave.length)]);
      }
      await terminal.end(limits.killMs);
    });
    terminal.taken();
  }

  async #run(turn: TerminalTurn, work: () => Promise<void>): Promise<TurnResult> {
    const { context, preset, profile, program } = this.parts;
    let broke: (error: unknown) => void = () => undefined;
    const broken = new Promise<never>((_, reject) => {
      broke = reject;
    });
    broken.catch(() => undefined);
    const timer = setInterval(() => void this.#tick(turn).catch(broke), this.parts.limits.tickMs);
    try {
      await work();
      const ending = await Promise.race([turn.ended, broken]);
      if (turn.cause !== null || ending.kind === 'interrupted')
        this.#leftLines = turn.text.split('\n').length;
      const sentinel = profile.sentinel ?? null;
      const parts = {
        turn,
        program,
        preset,
        sentinel,
        context,
        stopped: this.#loop.stoppedAs(turn.flight),
      };
      const result = judge(ending, parts);
      if (result.response !== '') turn.answer(result.response);
      return result;
    } finally {
      clearInterval(timer);
    }
  }

  /** A program that asked something at its start may still wait for the operator's answer. */
  async #atPrompt(turn: TerminalTurn): Promise<void> {
    const { limits, program } = this.parts;
    const { agent } = this.parts.context;
    const since = this.parts.now();
    let notified = false;
    while (turn.cause === null) {
      const arrived = await program.arrival(limits.startMs, () => turn.cause === null);
      if (arrived === 'ready') return;
      if (arrived === 'exited') return turn.end({ kind: 'exited', exit: program.exit ?? noExit });
      if (arrived === 'asks' && !notified) turn.notice(waitsFor(agent, program.question() ?? ''));
      notified ||= arrived === 'asks';
      if (arrived === 'late') this.#watch.tellAway(turn, since);
      else this.#watch.tell(turn);
      await pause(limits.tickMs);
    }
    // Nothing was typed yet, so the agent has nothing to stop.
    turn.end({ kind: 'interrupted' });
  }

  async #submit(turn: TerminalTurn): Promise<void> {
    const { limits, now, preset, program } = this.parts;
    const { keys } = preset;
    const { terminal, vitals } = program;
    if (this.#leftLines > 0 && keys.clear !== null) terminal.type(keys.clear.repeat(this.#leftLines + 1));
    this.#leftLines = 0;
    await vitals.beginTurn(terminal, this.#stallMs);
    if (turn.cause !== null) return turn.end({ kind: 'interrupted' });
    const screen = program.screen();
    const { pasteMode } = screen;
    turn.typing(screen);
    const begun = { id: turn.id, phase: 'typing' as const, ...terminal.place(), atRest: vitals.atRest };
    this.#typed = { ...begun, enteredAt: null, printedAtEnter: null, cause: null };
    await this.keep();
    const typing = typed(turn.text, { pasteMode, newline: keys.newline, mostPasted: preset.mostPasted });
    if (typing.joined)
      turn.notice(`${this.parts.context.agent} takes single lines only: line breaks became spaces.`);
    const typedAt = now();
    terminal.type(typing.keys);
    // Enter that arrives with a paste is taken as a part of it.
    const shown = () => vitals.outputAt > typedAt && vitals.quietMs > limits.tickMs / 5;
    while (!shown() && now() - typedAt < limits.echoMs && turn.cause === null)
      await pause(limits.tickMs / 20);
    if (turn.cause !== null) return;
    const entered = { enteredAt: now(), printedAtEnter: terminal.place().printed };
    this.#typed = { ...this.#typed, phase: 'entered', ...entered };
    await this.keep();
    if (turn.cause !== null) return;
    terminal.type('\r');
    turn.entered(now());
  }

  /** A session that is ending is not interrupted: its program ends in any case. */
  #interrupt(turn: TerminalTurn): void {
    const { preset, program } = this.parts;
    // At the prompt, the key ends some programs.
    if (this.#typed?.id !== turn.id || this.#loop.leaving !== null) return;
    // If its host died, there is no terminal to record this for.
    this.#typed = { ...this.#typed, cause: turn.cause === 'host' ? null : turn.cause };
    // Pressed twice, the key has another meaning for some agents.
    void this.keep().then(() => program.terminal.type(preset.keys.interrupt));
  }

  async #tick(turn: TerminalTurn): Promise<void> {
    const { now, program } = this.parts;
    this.#ticks += 1;
    if (turn.over || turn.enteredAt === null) return;
    turn.slept(program.vitals.missed(), now());
    if (this.#ticks % PROCESS_TICKS === 0) await program.vitals.look(program.terminal);
    if (turn.over || program.exit !== null) return;
    this.#watch.look();
    const ending = turn.judgeScreen();
    if (ending?.kind === 'idle') return this.#endAtRest(turn);
    if (ending !== null) return turn.end(ending);
    this.#enterAgain(turn);
    this.#watch.report(turn);
  }

  /** Since its processes were last looked at, one of them may have begun to work. */
  async #endAtRest(turn: TerminalTurn): Promise<void> {
    const { program } = this.parts;
    if (this.#looksAgain) return;
    this.#looksAgain = true;
    await program.vitals.look(program.terminal).finally(() => {
      this.#looksAgain = false;
    });
    if (turn.over || program.exit !== null) return;
    const ending = turn.judgeScreen();
    if (ending !== null) turn.end(ending);
  }

  /**
   * The key may have been lost during drawing, or have selected from a list that the last word had opened.
   */
  #enterAgain(turn: TerminalTurn): void {
    const { limits, now, program } = this.parts;
    if (turn.taken || turn.enteredTwice || now() - (turn.enteredAt ?? 0) < limits.submitMs) return;
    if (program.question() !== null) return;
    program.terminal.type('\r');
    turn.entered(now());
  }

  #hear(signal: AgentSignal): void {
    if (!this.#isOurs(signal)) return;
    const { program } = this.parts;
    const turn = this.#turn;
    switch (signal.kind) {
      case 'started':
        break;
      case 'prompted':
        turn?.prompted(signal.session);
        program.vitals.told('working', 'it took the prompt');
        break;
      case 'tool':
        turn?.tool(signal.call);
        program.vitals.told('working', signal.call.title);
        break;
      case 'waiting':
        program.vitals.told('waiting', signal.what);
        break;
      case 'ended':
        this.#toldEnd(signal);
    }
  }

  #toldEnd(signal: Extract<AgentSignal, { kind: 'ended' }>): void {
    const { program } = this.parts;
    const turn = this.#turn;
    // The late end of an earlier turn.
    if (!turn || turn.enteredAt === null || !turn.taken) return;
    const silent = signal.response === null && signal.failure === null;
    const question = silent ? program.question() : null;
    if (question === null) turn.end({ kind: 'told', signal });
    else program.vitals.told('waiting', question);
  }

  /** Agents also report side conversations: ours is recognised by its id, else by the prompt. */
  #isOurs(signal: AgentSignal): boolean {
    const { session } = signal;
    if (this.#turn?.isOthers(session)) return false;
    if (signal.kind === 'ended' && signal.prompt !== null) {
      const known = this.#sessionId !== null && session === this.#sessionId;
      if (!known && !sameText(signal.prompt, this.#turn?.text ?? '')) return false;
    }
    if (session !== null && session !== this.#sessionId) {
      this.#sessionId = session;
      this.parts.keep(session);
      void this.keep();
    }
    return true;
  }
}

const noExit = { code: null, signal: null };
