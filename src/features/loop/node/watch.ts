import { join } from 'node:path';
import type { RunService } from '@areas/runs/node/run-service';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import type { ParsedInput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { LiveRun } from '@main/core/engine/base/live-run';
import type { Engine } from '@main/core/engine/engine';
import type { Logger } from '@main/core/ports/ports';
import type { ProcessList } from '@main/core/ports/programs/process';
import type { LoopBefore } from '../contract/events';
import { WATCH_GATHER_MS, WATCH_MS } from '../contract/limits';
import type { FoundLog, LoopPlace, Loops } from '../contract/ports';
import {
  type AttemptState,
  allPass,
  type LoopState,
  type LoopWatch,
  missingStories,
  runnerOf,
} from '../contract/state';
import { LOOP_STEP } from '../contract/step-type';
import { isPast, pastLogs } from '../core/past-logs';
import { readPlan } from '../core/prd';
import { RalphRunner } from './runner';

interface RalphWatchParts {
  readonly engine: Pick<Engine, 'all' | 'command'>;
  readonly loops: Pick<Loops, 'look' | 'begun' | 'logs' | 'follow'>;
  readonly runs: Pick<RunService, 'startDefinition'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly processes: ProcessList;
  readonly now: () => number;
}
const OVERWRITTEN = 'its files were overwritten before they could be read';

interface Watched {
  /** The state while no attempt was in progress, for comparison with the next one. */
  before: LoopBefore | null;
  /** The process is gone: its files are read once more before the watching ends. */
  gone: boolean;
  /** Stops following its files. */
  readonly unfollow: () => void;
}

/**
 * Watches loops that someone else runs: a ralph.sh in a terminal, or in the background. Reads `logs/`, the
 * repository and prd.json, changes nothing, and posts the same updates. Its watches are stored in the runs,
 * so a restart continues them.
 */
export class RalphWatch {
  readonly #watched = new Map<string, Watched>();
  /** Why the last look at a loop failed. */
  readonly #faults = new Map<string, string>();
  readonly #runner: RalphRunner;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  #heard = false;
  #looking = Promise.resolve();
  #starting: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: RalphWatchParts) {
    this.#runner = new RalphRunner(parts.processes, parts.now);
  }

  begin(): void {
    this.#lookIn(WATCH_MS);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const key of [...this.#watched.keys()]) this.#forget(key);
  }

  #lookIn(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#heard = false;
      void this.look().finally(() => this.#stopped || this.#lookIn(this.#heard ? WATCH_GATHER_MS : WATCH_MS));
    }, ms);
  }

  /** An attempt has begun or ended: attempts in quick succession are examined one by one. */
  #hear(): void {
    this.#heard = true;
    if (this.#timer !== null && !this.#stopped) this.#lookIn(WATCH_GATHER_MS);
  }

  #forget(key: string): void {
    this.#watched.get(key)?.unfollow();
    this.#watched.delete(key);
    this.#faults.delete(key);
    this.#runner.forget(key);
  }

  /**
   * Starts a run with a single watching step. A second request for the same folder starts no other run, which
   * would report everything twice.
   */
  start(input: ParsedInput<'loop.watch'>): Promise<Result<{ runId: number }>> {
    const started = this.#starting.then(() => this.#start(input));
    this.#starting = started.catch(() => undefined);
    return started;
  }

  async #start(input: ParsedInput<'loop.watch'>): Promise<Result<{ runId: number }>> {
    const { uid, projectId, folder, pid, iterations, startedBy } = input;
    const other = [...this.parts.engine.all()].find((run) => watches(run, input));
    // A client that lost the answer repeats the request with the same uid.
    if (other !== undefined && (uid === undefined || other.state.uid !== uid)) {
      const mend = 'open that run, or stop it first';
      return fail('conflict', `run ${other.runId} already watches this folder`, { mend });
    }
    const name = `Watched loop: ${folder}`.slice(0, 120);
    const config = { folder, iterations, watch: { pid } };
    const definition = workflowDefinitionSchema.parse({
      name,
      workspace: 'project',
      steps: [{ id: 'loop', type: LOOP_STEP, title: name, config }],
    });
    const started = await this.parts.runs.startDefinition({ uid, projectId, definition, startedBy });
    // At once: an attempt that ends before the first look would count as an earlier one.
    if (started.ok) await this.look();
    return started;
  }

  /** One look at every watched loop, after any look in progress. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const active = new Set<string>();
    for (const run of this.parts.engine.all()) {
      if (run.state.status !== 'running') continue;
      for (const loop of Object.values(run.state.loops)) {
        const { watch } = loop;
        const over = run.state.activations[loop.activationId]?.status !== 'running';
        if (watch === null || watch.ended !== null || over) continue;
        active.add(keyOf(run, loop));
        await this.#lookAt(run, loop, watch).then(
          () => this.#faults.delete(keyOf(run, loop)),
          (cause: unknown) => this.#note(run, loop, String(cause)),
        );
      }
    }
    for (const key of this.#watched.keys()) if (!active.has(key)) this.#forget(key);
  }

  /** Logged once, not at every look, so that one fault does not fill the log. */
  #note(run: LiveRun, loop: LoopState, cause: string): void {
    const key = keyOf(run, loop);
    if (this.#faults.get(key) === cause) return;
    this.#faults.set(key, cause);
    this.parts.logger.warn('a loop could not be watched', { runId: run.runId, cause });
  }

  /** The operator names the process, if none was determined automatically. */
  async nameRunner(input: ParsedInput<'loop.nameRunner'>): Promise<Result<Record<string, never>>> {
    const { runId, activationId, pid } = input;
    const named = await this.#runner.named(pid);
    if (!named.ok) return named;
    const done = await this.parts.engine.command(runId, ({ state }) => {
      const watch = state.loops[activationId]?.watch ?? null;
      if (watch === null) return fail('not_found', `no loop is watched in run ${runId}`);
      if (watch.ended !== null) return fail('run.finished', 'the watching has ended');
      const runner = runnerOf(watch);
      if (runner !== null) return fail('conflict', `process ${runner.pid} is already known to run it`);
      return ok([{ type: 'loop.watch-observed', activationId, seen: named.value }]);
    });
    return done.ok ? ok({}) : done;
  }

  async #lookAt(run: LiveRun, first: LoopState, watch: LoopWatch): Promise<void> {
    const { activationId } = first;
    const place = { cwd: run.state.projectPath, folder: first.folder };
    const key = keyOf(run, first);
    // Before the files: the output of an ended process is complete by now.
    const { seen, gone } = await this.#runner.look(key, place, watch);
    if (seen !== null) {
      const plan = (await this.#present(place))?.plan;
      const changedPlan = plan === undefined ? {} : { plan };
      await this.#tell(run, first, [{ type: 'loop.watch-observed', activationId, seen, ...changedPlan }]);
    }
    // N may have become known, for reporting the next attempt.
    const watched = this.#watched.get(key) ?? (await this.#meet(place));
    this.#watched.set(key, watched);
    await this.#notePast(run, run.state.loops[activationId] ?? first, place);
    const loop = run.state.loops[activationId] ?? first;
    const past = loop.watch?.past ?? null;
    if (past === null) return;
    const last = loop.attempts.at(-1);
    const open = last !== undefined && last.judged === null;
    // Before the logs: if they show nothing new, no attempt can have affected this state.
    const present = open ? null : await this.#present(place);
    const found = await this.parts.loops.logs(place);
    if (!found.ok) return;
    const logs = found.value.filter((log) => !isPast(past, log));
    const events = open
      ? this.#ending(loop, last, { found: logs, gone: gone !== null })
      : present === null
        ? []
        : this.#next(loop, present, {
            watched,
            found: logs,
            gone,
            late: await this.#late(loop, place, logs),
          });
    await this.#tell(run, loop, events);
  }

  async #tell(run: LiveRun, loop: LoopState, events: RunEvent[]): Promise<void> {
    if (events.length === 0) return;
    // Consequences are examined at once.
    this.#heard = true;
    await this.parts.engine.command(run.runId, ({ state }) => {
      const now = state.loops[loop.activationId];
      // Something happened in it during the look: the next look decides.
      return ok(now === loop ? events : []);
    });
  }

  /** The first look, also after a restart. */
  async #meet(place: LoopPlace): Promise<Watched> {
    const unfollow = await this.parts.loops.follow(place, () => this.#hear());
    return { before: null, gone: false, unfollow };
  }

  /**
   * Stores the logs that existed at the start of watching in the run, so that they are not reported after a
   * restart either.
   */
  async #notePast(run: LiveRun, loop: LoopState, place: LoopPlace): Promise<void> {
    if (loop.watch === null || loop.watch.past !== null) return;
    const found = await this.parts.loops.logs(place);
    if (!found.ok) return;
    const noted = pastLogs(loop, found.value);
    // An attempt in progress began with another state than the current one.
    const open = found.value.findLast((log) => !noted.includes(log));
    const past = noted.map(({ iteration, mark, ended, writtenAt }) => ({
      iteration,
      mark,
      ended,
      writtenAt,
    }));
    // In histories from before this event, the last attempt's result is known.
    const first = open === undefined ? this.#present(place) : this.#begun(place, open.iteration);
    const present = loop.attempts.length === 0 ? await first : null;
    const before = present === null ? {} : { before: present };
    await this.#tell(run, loop, [
      { type: 'loop.watch-noted', activationId: loop.activationId, past, ...before },
    ]);
  }

  /**
   * An attempt has ended if its log says so, if the next one has begun, or if no process is left to continue
   * it.
   */
  #ending(
    { activationId }: LoopState,
    { id: attemptId, iteration, end, mark }: AttemptState,
    { found, gone }: { found: readonly FoundLog[]; gone: boolean },
  ): RunEvent[] {
    if (end !== null) return [];
    const newest = found.find((log) => log.iteration === iteration && log.gone !== true);
    const over = { how: 'unknown' as const, turnId: null, error: null };
    if (newest?.mark !== mark) {
      const lost = { ...over, how: 'failed' as const, error: OVERWRITTEN };
      return [{ type: 'loop.attempt-ended', activationId, attemptId, end: lost }];
    }
    if (!newest?.ended && !gone && !found.some((log) => log.iteration === iteration + 1)) return [];
    return [{ type: 'loop.attempt-ended', activationId, attemptId, end: over }];
  }

  async #begun(place: LoopPlace, iteration: number): Promise<LoopBefore | null> {
    const begun = await this.parts.loops.begun(place, iteration);
    if (!begun.ok) return null;
    const { text, untold, ...facts } = begun.value;
    return { ...facts, plan: readPlan(text), untold: [...untold], late: true };
  }

  async #present(place: LoopPlace): Promise<LoopBefore | null> {
    const now = await this.parts.loops.look(place);
    if (!now.ok) return null;
    const { text, ...facts } = now.value;
    return { ...facts, plan: readPlan(text) };
  }

  /** The start of an attempt whose log existed when the watching began, and was appended to later. */
  async #late(loop: LoopState, place: LoopPlace, found: readonly FoundLog[]): Promise<LoopBefore | null> {
    const log = newLog(loop, found);
    const lay = loop.watch?.past?.some(
      ({ iteration, mark }) => iteration === log?.iteration && mark === log.mark,
    );
    return log === undefined || lay !== true ? null : this.#begun(place, log.iteration);
  }

  #next(
    loop: LoopState,
    present: LoopBefore,
    {
      watched,
      found,
      gone,
      late,
    }: { watched: Watched; found: readonly FoundLog[]; gone: string | null; late: LoopBefore | null },
  ): RunEvent[] {
    const { activationId, attempts } = loop;
    const last = attempts.at(-1);
    const log = newLog(loop, found);
    if (log === undefined) {
      watched.before = present;
      const end = (why: string): RunEvent[] => [
        { type: 'loop.watch-ended', activationId, why, plan: present.plan },
      ];
      const lost = missingStories(loop, present.plan);
      if (allPass(present.plan) && lost.length === 0) return end('every story passes');
      const ended = watched.gone ? gone : null;
      watched.gone = gone !== null;
      return ended === null ? [] : end(ended);
    }
    const again = last?.iteration === log.iteration;
    // Two attempts in quick succession: the earlier one ended where this one began.
    const before = late ?? watched.before ?? sinceLast(last, loop.watch?.before ?? null, present);
    watched.before = null;
    const attemptId = attempts.length + 1;
    const { iteration, mark } = log;
    const attempt = {
      iteration,
      of: Math.max(loop.of, iteration),
      retry: again ? last.retry + 1 : 0,
    };
    return [
      { type: 'loop.attempt-started', activationId, attemptId, ...attempt, story: null, text: null, mark },
      { type: 'loop.attempt-prepared', activationId, attemptId, before, error: null },
    ];
  }
}

/** Whether a running run watches the loop in this folder. */
function watches({ state }: LiveRun, of: { readonly projectId: number; readonly folder: string }): boolean {
  if (state.status !== 'running' || state.projectId !== of.projectId) return false;
  const over = new Set(
    Object.values(state.activations).flatMap(({ stepId, status }) => (status === 'finished' ? stepId : [])),
  );
  return state.definition.steps.some(({ id, type, config }) => {
    const folder = typeof config.folder === 'string' ? config.folder : '.';
    const same = join('.', folder, '.') === join('.', of.folder, '.');
    return type === LOOP_STEP && config.watch != null && same && !over.has(id);
  });
}

/** The log of an attempt that is not in the run yet. */
function newLog({ attempts }: LoopState, found: readonly FoundLog[]): FoundLog | undefined {
  const last = attempts.at(-1);
  return found.find((log) => {
    if (last === undefined) return true;
    const known = attempts.some(({ mark, iteration }) => mark === log.mark && iteration === log.iteration);
    return log.iteration >= last.iteration && !known;
  });
}

const keyOf = ({ runId }: LiveRun, { activationId }: LoopState): string => `${runId}/${activationId}`;

function sinceLast(
  last: AttemptState | undefined,
  first: LoopBefore | null,
  present: LoopBefore,
): LoopBefore {
  if (last === undefined) return first ?? present;
  const after = last.after;
  if (after === null) return present;
  const { head, plan, progressBytes, progressHash, untold } = after;
  return {
    head,
    plan,
    progressBytes: progressBytes ?? present.progressBytes,
    progressHash: progressHash ?? present.progressHash,
    ...(untold === undefined ? {} : { untold }),
  };
}
