import type { ObservedState } from '@areas/sessions/contract/session';
import type { SessionListener } from '../../../core/ports/ports';
import type { CliLimits } from '../limits';
import type { CliPreset } from '../program/presets';
import type { AgentProgram } from '../program/program';
import { lastWords } from '../turn/answer';
import type { TerminalTurn } from '../turn/turn';
import type { LifeState } from './liveness';

interface WatchParts {
  readonly program: AgentProgram;
  readonly preset: CliPreset;
  readonly limits: CliLimits;
  readonly listener: SessionListener;
  /** The agent's name. */
  readonly agent: string;
  now(): number;
}

/** States that are reported as observations; others are reported differently. */
const OBSERVED: Partial<Record<LifeState, ObservedState>> = {
  working: 'working',
  waiting_for_input: 'waits',
  unknown: 'unknown',
  stalled: 'stalled',
};
/** A screen being drawn may lack its question for a moment. */
const LOOKS_WITHOUT = 2;
/** Times the time to settle: a screen with a spinner never stands still. */
const DRAWN_WITHIN = 4;

/** Observes an agent in its turn, and reports its state to the operator: working, waiting, or silent. */
export class LifeWatch {
  #state: LifeState = 'idle';
  #without = 0;
  /** The turn whose waiting prompt was reported. */
  #away: number | null = null;

  constructor(private readonly parts: WatchParts) {}

  /** If no signal reports a question or its answer, the screen decides. */
  look(): void {
    const { limits, preset, program } = this.parts;
    const { vitals } = program;
    if (preset.tellsPrompt && !program.deaf) return this.#lookForWork();
    const quiet = vitals.quietMs >= limits.settleMs;
    const life = vitals.life();
    // A new question counts once the screen is stable; its end also while it is being drawn.
    if (!quiet && life.state !== 'waiting_for_input') return;
    const question = program.question();
    this.#without = question === null ? this.#without + 1 : 0;
    if (quiet || this.#without >= LOOKS_WITHOUT) vitals.asks(question);
    if (question !== null || vitals.life().state !== 'waiting_for_input') return;
    if (vitals.outputAt > life.since + limits.settleMs) vitals.told('working', 'it went on');
  }

  /**
   * An agent that reports its questions may not report their answers: then its screen shows that it works.
   */
  #lookForWork(): void {
    const { limits, preset, program } = this.parts;
    const { vitals } = program;
    const life = vitals.life();
    if (life.state !== 'waiting_for_input' || program.question() !== null) return;
    const shown = preset.busy?.test(program.lastLines()) ?? false;
    if (shown && vitals.outputAt > life.since + limits.settleMs) vitals.told('working', 'it went on');
  }

  /** Reports what an operator would want to know. */
  report(turn: TerminalTurn): void {
    const { agent, program } = this.parts;
    const life = program.vitals.life();
    const before = this.#state;
    this.#state = life.state;
    this.tell(turn);
    if (life.state !== before) {
      if (life.state === 'waiting_for_input') turn.notice(waitsFor(agent, life.reason));
      else if (life.state === 'stalled') turn.notice(`${agent} seems stalled: ${life.reason}.`);
      else if (life.state === 'unknown')
        turn.notice(`It is unknown whether ${agent} is working: ${life.reason}.`);
      else if (life.state === 'working' && (before === 'unknown' || before === 'stalled'))
        turn.notice(`${agent} is active again: ${life.reason}.`);
    }
  }

  /** A prompt has been waiting since then, because the program does not return to its prompt. */
  tellAway(turn: TerminalTurn, since: number): void {
    const { agent, listener, program } = this.parts;
    if (turn.cause !== null) return;
    if (program.vitals.life().state === 'waiting_for_input') return this.tell(turn);
    if (this.#away !== turn.id)
      turn.notice(`${agent} is not at its prompt, so nothing was typed yet. See its terminal.`);
    this.#away = turn.id;
    const reason = 'it is not at its prompt, so nothing was typed yet';
    listener.observed?.(turn.id, { state: 'unknown', since, reason, screen: null });
  }

  /** A signal may come before the question is on the screen: it is told once the screen stands still. */
  #isDrawn(since: number): boolean {
    const { limits, now, program } = this.parts;
    return program.vitals.quietMs >= limits.settleMs || now() - since >= DRAWN_WITHIN * limits.settleMs;
  }

  /** Reports its observed state. */
  tell(turn: TerminalTurn): void {
    const { listener, program } = this.parts;
    const { state: is, reason, silence, since } = program.vitals.life();
    const state = OBSERVED[is];
    if (state === undefined || turn.cause !== null) return;
    if (state === 'waits' && !this.#isDrawn(since)) return;
    const screen = state === 'waits' ? (program.question() ?? lastWords(program.screen().lines)) : null;
    listener.observed?.(turn.id, { state, since, reason: silence ?? reason, screen });
  }
}

/** The notice that an agent waits for its operator. */
export const waitsFor = (agent: string, what: string): string =>
  `${agent} waits for an answer in its terminal: ${what}`;
