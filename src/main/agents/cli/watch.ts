import type { ObservedState } from '@contract/session/session';
import type { SessionListener } from '../../core/ports/ports';
import { lastWords } from './answer';
import type { CliLimits } from './limits';
import type { LifeState } from './liveness';
import type { CliPreset } from './presets';
import type { AgentProgram } from './program';
import type { ActiveTurn } from './turn';

export interface WatchParts {
  readonly program: AgentProgram;
  readonly preset: CliPreset;
  readonly limits: CliLimits;
  readonly listener: SessionListener;
  /** How the agent is called. */
  readonly agent: string;
}

/** What an agent in a turn may be seen to be; the others are told otherwise. */
const OBSERVED: Partial<Record<LifeState, ObservedState>> = {
  working: 'working',
  waiting_for_input: 'waits',
  unknown: 'unknown',
  stalled: 'stalled',
};
/** A screen that is being drawn may lack its question for a moment. */
const LOOKS_WITHOUT = 2;

/** Looks at an agent in its turn, and tells the operator how it is: it works, it waits, nothing is heard of it. */
export class LifeWatch {
  #state: LifeState = 'idle';
  #without = 0;
  /** The turn of which it was told that its prompt waits. */
  #away: number | null = null;

  constructor(private readonly parts: WatchParts) {}

  /** Where no signal tells that it asks or was answered, the screen does. */
  look(): void {
    const { limits, preset, program } = this.parts;
    const { vitals } = program;
    if (preset.tellsPrompt && !program.deaf) return this.#lookForWork();
    const quiet = vitals.quietMs >= limits.settleMs;
    const life = vitals.life();
    // Asking again is believed once the screen stands; that it asks no more also of one that continues drawing.
    if (!quiet && life.state !== 'waiting_for_input') return;
    const question = program.question();
    this.#without = question === null ? this.#without + 1 : 0;
    if (quiet || this.#without >= LOOKS_WITHOUT) vitals.asks(question);
    if (question !== null || vitals.life().state !== 'waiting_for_input') return;
    if (vitals.outputAt > life.since + limits.settleMs) vitals.told('working', 'it went on');
  }

  /** An agent that tells what it asks need not tell that it was answered: then its screen shows that it works. */
  #lookForWork(): void {
    const { limits, preset, program } = this.parts;
    const { vitals } = program;
    const life = vitals.life();
    if (life.state !== 'waiting_for_input' || program.question() !== null) return;
    const shown = preset.busy?.test(program.lastLines()) ?? false;
    if (shown && vitals.outputAt > life.since + limits.settleMs) vitals.told('working', 'it went on');
  }

  /** Tells what an operator would want to know; gives why it counts as stalled, else null. */
  report(turn: ActiveTurn): string | null {
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
    return life.state === 'stalled' ? life.reason : null;
  }

  /** A prompt waits to be typed since then, and the program does not come to where it takes one. */
  tellAway(turn: ActiveTurn, since: number): void {
    const { agent, listener, program } = this.parts;
    if (turn.cause !== null) return;
    if (program.vitals.life().state === 'waiting_for_input') return this.tell(turn);
    if (this.#away !== turn.id)
      turn.notice(`${agent} is not at its prompt, so nothing was typed yet. See its terminal.`);
    this.#away = turn.id;
    const reason = 'it is not at its prompt, so nothing was typed yet';
    listener.observed?.(turn.id, { state: 'unknown', since, reason, screen: null });
  }

  /** Tells how it is seen to be. */
  tell(turn: ActiveTurn): void {
    const { listener, program } = this.parts;
    const { state: is, reason, silence, since } = program.vitals.life();
    const state = OBSERVED[is];
    if (state === undefined || turn.cause !== null) return;
    const screen = state === 'waits' ? (program.question() ?? lastWords(program.screen().lines)) : null;
    listener.observed?.(turn.id, { state, since, reason: silence ?? reason, screen });
  }
}

/** The notice that an agent waits for its operator. */
export const waitsFor = (agent: string, what: string): string =>
  `${agent} waits for an answer in its terminal: ${what}`;
