import { access, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { ProcessList, SeenProcess } from '@main/core/ports/programs/process';
import { foldersUp } from '@main/guarded-files/search-up';
import type { WatchSeen } from '../contract/events';
import { RUNNER_SEARCH_MS } from '../contract/limits';
import type { LoopPlace } from '../contract/ports';
import { type LoopWatch, runnerOf } from '../contract/state';
import { iterationsOf, type LoopGround, loopRunners, mattersToLoops, programOf } from '../core/runner';

/** The result of one look at the processes. */
interface RunnerLook {
  /** Null if nothing has changed. */
  readonly seen: WatchSeen | null;
  /** Why no one runs the loop any more; null if someone does, or may. */
  readonly gone: string | null;
}
const NOTHING: RunnerLook = { seen: null, gone: null };

/**
 * Determines who runs a watched loop, and when it ends. Never guesses: if several processes match, it picks
 * none.
 */
export class RalphRunner {
  readonly #searched = new Map<string, number>();

  constructor(
    private readonly processes: ProcessList,
    private readonly now: () => number,
  ) {}

  /** `key` identifies the loop. */
  async look(key: string, place: LoopPlace, watch: LoopWatch): Promise<RunnerLook> {
    const runner = runnerOf(watch);
    if (runner !== null) return this.#lookAfter(runner);
    if (watch.pid !== null && watch.seen === null) return this.#meet(watch.pid);
    const last = this.#searched.get(key);
    const now = this.now();
    if (watch.seen?.how === 'untold' || (last !== undefined && now - last < RUNNER_SEARCH_MS)) return NOTHING;
    this.#searched.set(key, now);
    const found = await this.#search(place);
    if (found === null) return { seen: { how: 'untold', processes: [] }, gone: null };
    return compare(watch.seen, found);
  }

  forget(key: string): void {
    this.#searched.delete(key);
  }

  /** The process named by the operator. Fails if there is none with this number. */
  async named(pid: number): Promise<Result<WatchSeen>> {
    const process = await this.processes.one(pid);
    if (process === 'gone') return err(noProcess(pid));
    if (process === null) return fail('unavailable', 'this system does not list its processes');
    return ok({ how: 'named', processes: [facts(process)] });
  }

  async #lookAfter({ pid, mark, script }: WatchSeen['processes'][number]): Promise<RunnerLook> {
    const process = await this.processes.one(pid);
    // The same number with another start time is another process.
    const lives = process === null || (process !== 'gone' && process.mark === mark);
    return lives ? NOTHING : { seen: null, gone: `process ${pid} (${script}) has ended` };
  }

  async #meet(pid: number): Promise<RunnerLook> {
    const named = await this.named(pid);
    if (named.ok) return { seen: named.value, gone: null };
    if (named.error.code === 'not_found') return { seen: null, gone: named.error.message };
    return { seen: { how: 'untold', processes: [] }, gone: null };
  }

  async #search(place: LoopPlace): Promise<readonly SeenProcess[] | null> {
    const [all, ground] = await Promise.all([this.processes.all(mattersToLoops), groundOf(place)]);
    return all === null ? null : loopRunners(all, ground);
  }
}

/**
 * Once several were seen, none is picked automatically, not even the last remaining one: the work may be
 * another's.
 */
function compare(before: WatchSeen | null, found: readonly SeenProcess[]): RunnerLook {
  const several = before?.how === 'several' || found.length > 1;
  if (before?.how === 'several' && found.length === 0)
    return { seen: null, gone: 'the processes that may have run it have ended' };
  const how = several ? 'several' : found.length === 1 ? 'found' : 'none';
  const seen: WatchSeen = { how, processes: found.map(facts) };
  const marks = ({ processes }: WatchSeen) => processes.map(({ pid, mark }) => `${pid} ${mark}`).sort();
  const same = before?.how === how && marks(before).join() === marks(seen).join();
  return { seen: same ? null : seen, gone: null };
}

const facts = ({ pid, args, startedAt, mark }: SeenProcess): WatchSeen['processes'][number] => ({
  pid,
  startedAt,
  mark,
  script: programOf(args).slice(0, 300),
  iterations: iterationsOf(args),
});

const noProcess = (pid: number): AppError => appError('not_found', `there is no process ${pid}`);

/** Paths with links resolved, as the system reports working folders. */
async function groundOf({ cwd, folder }: LoopPlace): Promise<LoopGround> {
  const real = await realpath(join(cwd, folder)).catch(() => join(cwd, folder));
  for (const path of foldersUp(real)) {
    const inside = await access(join(path, '.git')).then(
      () => true,
      () => false,
    );
    if (inside) return { folder: real, repository: path };
  }
  return { folder: real, repository: null };
}
