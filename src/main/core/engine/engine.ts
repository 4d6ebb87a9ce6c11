import { err, fail, ok, type Result } from '@contract/result';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import { reduce, replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { runStatus } from '@contract/run/status';
import { LONGEST_STORE_RETRY_MS, RESUME_SLICE_MS } from '../../limits/core';
import type { Append, Clock, EventLog, Logger, Publisher } from '../ports/ports';
import { TextFault, type WholeTexts } from '../ports/whole-texts';
import type { StepRegistry } from '../step/module';
import type { EffectRunner, Reporter } from './base/effect-parts';
import { type LiveRun, liveRun } from './base/live-run';
import { decide } from './decide';
import { withoutLargeTexts } from './large-texts';
import { withRequester } from './permissions/with-requester';
import { makePlan } from './plan/plan';
import { react } from './react';
import { begunInTerminals, type Found, interruptions, type PartialResponse } from './recovery/recover';
import { Schedule } from './schedule/schedule';

interface EngineParts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly publisher: Publisher;
  readonly registry: StepRegistry;
  /** The large texts of the run with this folder. */
  readonly wholeTexts: (artifactsDir: string) => WholeTexts;
  /** Text that a turn had streamed before it was interrupted. */
  readonly partialResponse: (turnId: number, state: RunState) => PartialResponse;
  /** Yields to waiting work in the event loop: input, commits and requests. */
  readonly breathe: () => Promise<void>;
  /** Creates what runs the effects, which report back to this engine. */
  readonly effects: (engine: Engine) => EffectRunner;
}

/** More decisions in a row than any correct run needs. */
const MOST_ROUNDS = 20_000;

interface Defaulted {
  readonly defaultProfile?: string | null | undefined;
}

/**
 * Drives runs: folds events, decides what follows, commits both in one transaction, and only then starts
 * effects and publishes. If a result cannot be written it is kept and retried; an operator's command is
 * refused instead.
 */
export class Engine implements Reporter {
  private readonly runs = new Map<number, LiveRun>();
  /** Runs being recovered; nothing acts on them before that is done. */
  private readonly taking = new Map<number, Promise<LiveRun | null>>();
  private readonly effects: EffectRunner;
  private stopped = false;

  constructor(private readonly parts: EngineParts) {
    this.effects = parts.effects(this);
  }

  /** A run in memory, with stored events only: commits what is folded, or takes it back if that fails. */
  live(runId: number): LiveRun | null {
    if ((this.runs.get(runId)?.unstored ?? 0) > 0) this.parts.log.flush();
    return this.runs.get(runId) ?? null;
  }

  /** All runs in memory, with stored events only. */
  all(): Iterable<LiveRun> {
    if ([...this.runs.values()].some(({ unstored }) => unstored > 0)) this.parts.log.flush();
    return this.runs.values();
  }

  /**
   * Runs with work in progress or a timer, which therefore must not be left alone. Uses the state in memory,
   * since a run that only waits publishes nothing after its recovery.
   */
  working(): number[] {
    return [...this.runs.values()].flatMap(({ runId, state }) => {
      const status = runStatus(state);
      return status === 'running' || status === 'limited' || status === 'cancelling' ? [runId] : [];
    });
  }

  /**
   * Starts a run: commits its first event, results adopted from another run, and everything that is ready at
   * once.
   */
  async start(event: RunEventOf<'run.started'>, adopted: readonly RunEvent[] = []): Promise<Result<number>> {
    const made = this.planOf(event);
    if (!made.ok) return made;
    const runId = this.parts.log.nextRunId();
    const at = this.parts.clock.now();
    const state = reduce(null, { seq: 1, at, event });
    const run = liveRun(runId, made.value, state);
    this.runs.set(runId, run);
    let begun = false;
    try {
      const written = await this.commit(run, { first: event, events: adopted });
      begun = written.ok;
      return written.ok ? ok(runId) : written;
    } finally {
      if (!begun) this.runs.delete(runId);
    }
  }

  /**
   * An operator's command: `make` reads the state and returns events, or an error. `beside` is committed with
   * them, or not at all.
   */
  async command(
    runId: number,
    make: (run: LiveRun) => Result<readonly RunEvent[]>,
    beside: Pick<Append, 'rule'> = {},
  ): Promise<Result<void>> {
    const run = this.runs.get(runId) ?? (await this.takeUp(runId));
    if (run === null) return fail('not_found', `there is no run ${runId}`);
    const events = make(run);
    if (!events.ok) return events;
    return this.commit(run, { events: events.value, beside });
  }

  /**
   * Reports an effect's result, which is kept and retried until the store accepts it. Pass events with a new
   * number as a function, because a failed try may lose the number to another event.
   */
  async report(run: LiveRun, news: readonly RunEvent[] | (() => readonly RunEvent[])): Promise<void> {
    for (let pause = 250; !this.stopped; pause = Math.min(pause * 2, LONGEST_STORE_RETRY_MS)) {
      const written = await this.commit(this.sole(run), {
        events: typeof news === 'function' ? news() : news,
      });
      if (written.ok) return;
      // Retrying would not help: the caller ends the started work as failed.
      if (written.error.code === 'store.invalid_event') throw new Error(written.error.message);
      this.parts.logger.error('a result could not be written and is kept', {
        runId: run.runId,
        error: written.error.message,
      });
      await new Promise<void>((resolve) => this.parts.clock.at(this.parts.clock.now() + pause, resolve));
    }
  }

  /**
   * Each run has one object in memory; results of an effect from before a reload go to the current object.
   */
  private sole(run: LiveRun): LiveRun {
    const known = this.runs.get(run.runId);
    if (known === undefined) this.runs.set(run.runId, run);
    return known ?? run;
  }

  /**
   * Recovers unfinished runs after a start, all or those named; returns those that could not be recovered.
   * Early runs continue while later ones are read, and requests are answered meanwhile.
   */
  async recover(runIds: readonly number[] = this.parts.log.unfinished()): Promise<readonly number[]> {
    const { clock, breathe } = this.parts;
    const taking: Promise<LiveRun | null>[] = [];
    let since = clock.now();
    for (const runId of runIds) {
      taking.push(this.takeUp(runId));
      if (clock.now() - since < RESUME_SLICE_MS) continue;
      await breathe();
      if (this.stopped) break;
      since = clock.now();
    }
    const taken = await Promise.all(taking);
    return runIds.filter((_, index) => taken[index] === null);
  }

  private takeUp(runId: number): Promise<LiveRun | null> {
    const before = this.taking.get(runId);
    if (before !== undefined) return before;
    const taking = this.bringBack(runId).finally(() => this.taking.delete(runId));
    this.taking.set(runId, taking);
    return taking;
  }

  /**
   * Loads a run from the log. Work in flight that did not survive the core is reported as interrupted before
   * anything is decided. Null if the log has no such run, or an unreadable one.
   */
  private async bringBack(runId: number): Promise<LiveRun | null> {
    // Already loaded: its work in flight is alive.
    const known = this.runs.get(runId);
    if (known !== undefined) return known;
    const run = this.load(runId);
    if (run === null) return null;
    const begun = begunInTerminals(run.state, () => this.parts.log.read(runId));
    const reattached = await this.effects.surviving(run, begun);
    this.runs.set(runId, run);
    if (run.state.status === 'finished') return this.bringBackEnded(run);
    const survives = (commandId: number) => run.commands.has(commandId);
    const session = (sessionId: number) => reattached.sessions.get(sessionId) ?? null;
    const cut = () => this.interruptions(run, { survives, session });
    const written = await this.commit(run, { events: cut() });
    if (written.ok) this.effects.recovered(run, reattached);
    // A full disk may be temporary: the run is recovered as soon as the store accepts it.
    else
      this.report(run, cut).then(
        () => this.effects.recovered(run, reattached),
        (bug: unknown) =>
          this.parts.logger.error('a run cannot be taken up', { runId, cause: String(bug).slice(0, 2_000) }),
      );
    return run;
  }

  /**
   * Histories imported by earlier versions may end with turns in flight; an ended run has nothing in flight.
   */
  private async bringBackEnded(run: LiveRun): Promise<LiveRun> {
    if (run.sessions.size > 0 || run.commands.size > 0) return run;
    await this.commit(run, {
      events: this.interruptions(run, { survives: () => false, session: () => null }),
    });
    // The caller acts on it next.
    this.runs.set(run.runId, run);
    return run;
  }

  private interruptions(run: LiveRun, found: Omit<Found, 'partialResponse'>): RunEvent[] {
    const partialResponse = (turnId: number) => this.parts.partialResponse(turnId, run.state);
    return interruptions(run.state, { ...found, partialResponse });
  }

  /**
   * Parks everything before Muster quits: turns and commands in flight are recorded as interrupted, sessions
   * as parked, and nothing more is decided. Resolves when that is durable.
   */
  async park(): Promise<void> {
    this.stopped = true;
    await Promise.all(
      [...this.runs.values()].map(async (run) => {
        // Muster's terminals end with it.
        const workedUntil = this.parts.clock.now();
        const cut = this.interruptions(run, { survives: () => false, session: () => null, workedUntil });
        const events = cut.map(
          (event): RunEvent =>
            event.type === 'session.lost'
              ? { type: 'session.parked', sessionId: event.sessionId, reason: 'Muster was closed' }
              : event,
        );
        await this.commit(run, { events });
      }),
    );
  }

  private load(runId: number): LiveRun | null {
    const state = this.read(runId);
    if (state === null) return null;
    const plan = this.planOf(state, true);
    if (!plan.ok) return null;
    return liveRun(runId, plan.value, state);
  }

  /** One unreadable run (a damaged page, events of a newer Muster) must not stop the others. */
  private read(runId: number): RunState | null {
    try {
      return replay(this.parts.log.read(runId));
    } catch (cause) {
      this.parts.logger.error('a run cannot be read', { runId, cause: String(cause).slice(0, 2_000) });
      return null;
    }
  }

  private planOf(
    frozen: Pick<RunEventOf<'run.started'>, 'definition' | 'profiles' | 'called' | 'artifactsDir'> &
      Defaulted,
    begun = false,
  ) {
    const { plan, problems } = makePlan(frozen.definition, {
      registry: this.parts.registry,
      profiles: frozen.profiles,
      defaultProfile: frozen.defaultProfile ?? null,
      called: frozen.called ?? {},
      texts: this.parts.wholeTexts(frozen.artifactsDir),
      begun,
    });
    if (plan !== null) return ok(plan);
    const first = problems.find((problem) => problem.severity === 'error');
    return fail(
      'validation.failed',
      first?.message ?? 'the workflow is not valid',
      first?.where ? { where: first.where } : {},
    );
  }

  private async commit(
    run: LiveRun,
    news: { first?: RunEvent; events: readonly RunEvent[]; beside?: Pick<Append, 'rule'> },
  ): Promise<Result<void>> {
    const at = this.parts.clock.now();
    const expectedSeq = news.first === undefined ? run.state.seq : 0;
    const stamped = news.first === undefined ? [] : [{ at, event: news.first }];
    const push = (given: RunEvent): void => {
      const event = withoutLargeTexts(run.plan.texts, withRequester(run.state, given));
      reduce(run.state, { seq: run.state.seq + 1, at, event });
      run.schedule.follow(event);
      stamped.push({ at, event });
      for (const following of react(run.plan, run.state, event)) push(following);
    };
    try {
      if (!this.follow(run, { at, events: news.events, push })) return this.giveUp(run);
    } catch (cause) {
      this.rewind(run);
      // As if the store had refused it: a full disk may be temporary.
      if (cause instanceof TextFault) return err(cause.error);
      throw cause;
    }
    if (stamped.length === 0) return ok(undefined);
    const written = await this.append(run, { expectedSeq, events: stamped, ...news.beside });
    if (!written.ok) return written;
    this.parts.publisher.committed(run.runId, written.value, run.state);
    for (const stored of written.value) this.effects.start(run, stored.event);
    if (run.state.status === 'finished' && run.sessions.size === 0 && run.commands.size === 0)
      this.runs.delete(run.runId);
    return ok(undefined);
  }

  private async append(
    run: LiveRun,
    append: Omit<Append, 'runId' | 'state'>,
  ): Promise<Result<readonly StoredEvent[]>> {
    const { runId, state } = run;
    run.unstored += 1;
    try {
      return await this.parts.log.append({ runId, state, ...append, refused: () => this.rewind(run) });
    } finally {
      run.unstored -= 1;
    }
  }

  /** Folds events and everything that follows from them. False if that never ends. */
  private follow(
    run: LiveRun,
    { at, events, push }: { at: number; events: readonly RunEvent[]; push: (event: RunEvent) => void },
  ): boolean {
    for (const event of events) push(event);
    if (this.stopped) return true;
    const moment = { plan: run.plan, state: run.state, schedule: run.schedule, now: at };
    let rounds = 0;
    for (let next = decide(moment); next.length > 0; next = decide(moment)) {
      next.forEach(push);
      rounds += 1;
      // A module that repeats the same request forever is a bug; it must not block the core and all other
      // runs.
      if (rounds > MOST_ROUNDS) return false;
    }
    return true;
  }

  /** Uncommitted events were neither published nor started: reloads the state from the log. */
  private rewind(run: LiveRun): void {
    const state = replay(this.parts.log.read(run.runId));
    if (state === null) {
      // Its start was refused.
      this.runs.delete(run.runId);
      return;
    }
    run.state = state;
    run.schedule = new Schedule(run.plan, state);
  }

  private giveUp(run: LiveRun): Result<void> {
    this.rewind(run);
    this.parts.logger.error('a run does not come to rest', { runId: run.runId });
    return fail('internal', `run ${run.runId} does not come to rest; it is in the log of the core`);
  }
}
