import type { InteractiveTerminal, ProcessActivity } from '../../../core/ports/programs/interactive';
import { MISSED_CHECK_MS } from '../../../limits/core';
import type { CliLimits } from '../limits';
import { agentLiveness, type LifeSignals, type Liveness } from './liveness';

/** Using more than this share of processor time counts as work; an idle program uses less. */
const WORK = 0.05;

interface Sample extends ProcessActivity {
  readonly at: number;
}

type Facts = { -readonly [Key in keyof LifeSignals]: LifeSignals[Key] };

/** Collects a program's signs of life: its output, its reports, its processes' activity. */
export class Vitals {
  readonly #facts: Facts;
  #sample: Sample | null = null;
  /** Processes from before the turn do not indicate work. */
  #atRest = 0;
  #lookedAt: number;

  constructor(
    private readonly now: () => number,
    limits: Pick<CliLimits, 'freshMs' | 'stallMs'>,
  ) {
    const { freshMs, stallMs } = limits;
    const at = { startedAt: now(), readyAt: null, turnAt: null, outputAt: null, processesAt: null };
    this.#facts = { ...at, exit: null, told: null, asks: null, freshMs, stallMs };
    this.#lookedAt = at.startedAt;
  }

  /** Milliseconds since the program's last output, or since its start. */
  get quietMs(): number {
    return this.now() - (this.#facts.outputAt ?? this.#facts.startedAt);
  }

  get printedAnything(): boolean {
    return this.#facts.outputAt !== null;
  }

  /** Milliseconds since its last output or process activity; only output if processes are unknown. */
  get restMs(): number {
    const { outputAt, processesAt, startedAt } = this.#facts;
    return this.now() - Math.max(outputAt ?? startedAt, processesAt ?? 0);
  }

  get seesProcesses(): boolean {
    return this.#facts.processesAt !== null;
  }

  get outputAt(): number {
    return this.#facts.outputAt ?? 0;
  }

  printed(): void {
    this.#facts.outputAt = this.now();
  }

  told(what: 'working' | 'waiting', detail: string): void {
    this.#facts.told = { at: this.now(), what, detail };
  }

  asks(text: string | null): void {
    if (text === null) this.#facts.asks = null;
    else this.#facts.asks ??= { at: this.now(), text };
  }

  ready(): void {
    this.#facts.readyAt ??= this.now();
    this.#facts.asks = null;
  }

  exited(how: string): void {
    this.#facts.exit ??= { at: this.now(), how };
  }

  async beginTurn(terminal: InteractiveTerminal, stallMs: number): Promise<void> {
    await this.look(terminal);
    this.#atRest = this.#sample?.children ?? 0;
    this.#facts.turnAt = this.now();
    this.#facts.stallMs = stallMs;
    this.#lookedAt = this.now();
  }

  /**
   * Called at each check of a turn. Time in which the machine slept does not count as quiet: earlier signs
   * are moved forward. Returns that time in milliseconds.
   */
  missed(): number {
    const now = this.now();
    const missed = now - this.#lookedAt;
    this.#lookedAt = now;
    if (missed < MISSED_CHECK_MS) return 0;
    const later = (at: number): number => Math.min(now, at + missed);
    const facts = this.#facts;
    for (const name of ['turnAt', 'outputAt', 'processesAt'] as const)
      facts[name] = facts[name] === null ? null : later(facts[name]);
    facts.told &&= { ...facts.told, at: later(facts.told.at) };
    facts.asks &&= { ...facts.asks, at: later(facts.asks.at) };
    this.#sample &&= { ...this.#sample, at: later(this.#sample.at) };
    return missed;
  }

  /** Number of processes below the program when the turn began. */
  get atRest(): number {
    return this.#atRest;
  }

  /** A turn from an earlier core continues. */
  resumeTurn(turn: { readonly atRest: number; readonly stallMs: number }): void {
    this.#atRest = turn.atRest;
    this.#facts.readyAt = this.now();
    this.#facts.turnAt = this.now();
    this.#facts.stallMs = turn.stallMs;
    this.#lookedAt = this.now();
  }

  endTurn(): void {
    this.#facts.turnAt = null;
    this.#facts.readyAt = this.now();
    this.#facts.told = null;
    this.#facts.asks = null;
  }

  /** Checks its processes. */
  async look(terminal: InteractiveTerminal): Promise<void> {
    const seen = await terminal.activity();
    const before = this.#sample;
    const at = this.now();
    this.#sample = seen && { ...seen, at };
    if (!seen) {
      this.#facts.processesAt = null;
      return;
    }
    const spent = before === null ? Number.POSITIVE_INFINITY : seen.cpuMs - before.cpuMs;
    const changed = before !== null && before.children !== seen.children;
    const works = changed || seen.children > this.#atRest || spent > WORK * (at - (before?.at ?? at));
    if (works || this.#facts.processesAt === null) this.#facts.processesAt = at;
  }

  life(): Liveness {
    return agentLiveness(this.#facts, this.now());
  }
}
