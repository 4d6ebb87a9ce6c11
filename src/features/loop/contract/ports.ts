import type { Result } from '@contract/result';
import type { Untold } from './events';

/** Where a loop works: a checkout, and the folder in it that holds prd.json, progress.txt and logs/. */
export interface LoopPlace {
  readonly cwd: string;
  /** Relative to `cwd`. */
  readonly folder: string;
  /** The project's own folder, where `cwd` is a worktree of it: ignored files are shared with it. */
  readonly project?: string;
}

/** What a plan says of itself, read by the core: the adapter knows nothing of its format. */
export interface PlanText {
  /** Null: the one that is asked for, or the present one. */
  branchOf(text: string | null): string | null;
}

export interface OpenedPlan {
  /** prd.json as it is on its branch; null where there is none. */
  readonly text: string | null;
  /** The branch that is checked out; null outside of a repository or of a branch. */
  readonly branch: string | null;
  /** Where the previous plan was put, relative to the folder. */
  readonly archived: string | null;
}

export interface LookedBefore {
  readonly head: string | null;
  readonly text: string | null;
  readonly progressBytes: number;
  readonly progressHash: string;
  /** How often HEAD was moved by then; undefined where it does not matter, or git keeps no log of it. */
  readonly moves?: number;
}

/** As it was when the attempt was over: where the next one had begun by then, as it was at its beginning. */
export interface LookedAfter {
  readonly head: string | null;
  /** Undefined where it cannot be told what it said then. */
  readonly text: string | null | undefined;
  readonly rewritten: boolean;
  /** Oldest first, at most the last hundred; short hashes. */
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** New ones that only another branch has. */
  readonly elsewhere?: readonly { readonly hash: string; readonly branch: string }[];
  /** The end of what was appended to progress.txt; empty where it was rewritten. */
  readonly progress: string;
  readonly progressBytes: number;
  readonly progressHash: string;
  /** The worker's last-message file; null where there is none. */
  readonly message: string | null;
  /** By how many milliseconds that file is older than what the log tells last: of someone else's loop it may be stale. */
  readonly messageLag: number;
  readonly untold: readonly Untold[];
  /** The branch that is checked out, null where none is; undefined of someone else's attempt. */
  readonly branch?: string | null;
  /** What is checked out, where that is not the loop's branch: all else here is of the loop's. */
  readonly checkedOut?: string | null;
  /** Whether the loop's branch is checked out again by now; absent where it was all the time. */
  readonly putBack?: boolean;
  /** Ignored files that changed in the project too: the loop's are beside them as `NAME.from-loop`. */
  readonly conflicts?: readonly string[];
}

export interface AttemptPlace {
  readonly iteration: number;
  readonly before: Omit<LookedBefore, 'text'>;
  /** Of someone else's loop: which log it was. The next attempt may have begun, also under the same name. */
  readonly mark: string | null;
  /** The loop's, of which the attempt is; absent where whatever is checked out counts. */
  readonly branch?: string | null;
}

/** Takes a log line by line, however long the log is. */
export interface LineReader {
  line(text: string): void;
}

/** What a worker left that keeps no logs itself. */
export interface WorkerLogs {
  readonly jsonl: () => string;
  readonly message: string;
}

/** A log as it is there now. */
export interface FoundLog {
  readonly iteration: number;
  /** Another one under the same name has another mark. */
  readonly mark: string;
  /** Its last turn has ended, by its own events. */
  readonly ended: boolean;
  /** When it was written last, in milliseconds since 1970, by the clock of the files. */
  readonly writtenAt: number;
  /** It was seen, and another attempt's log has taken its place by now. */
  readonly gone?: boolean;
}

/** A loop's files and its repository. Every method may be called again after a crash, and does then what is left. */
export interface Loops {
  /**
   * Checks out the plan's branch (made of the present commit where it is new), archives the plan before it where the
   * branch is another than last time, and begins progress.txt. prd.json itself is never written.
   */
  open(place: LoopPlace, plan: PlanText): Promise<Result<OpenedPlan>>;
  /**
   * Before an attempt: what is there now. The logs of an earlier attempt with these names go: before a retry they are
   * copied to `-attempt-N` first, so that no stale file is taken for the next attempt's. The loop's branch is checked out
   * again where the worker before left it (null: it has none). Errors: git does not take it out.
   */
  prepare(
    place: LoopPlace,
    attempt: { readonly iteration: number; readonly retry: number; readonly branch: string | null },
  ): Promise<Result<LookedBefore>>;
  /** As `prepare`, and leaves everything as it is. */
  look(place: LoopPlace): Promise<Result<LookedBefore>>;
  /** What there was when an attempt began that no one watched then, as far as git and the times of files tell it. */
  begun(
    place: LoopPlace,
    iteration: number,
  ): Promise<Result<LookedBefore & { readonly untold: readonly Untold[] }>>;
  /** The logs of all iterations that there are, by their number. */
  logs(place: LoopPlace): Promise<Result<readonly FoundLog[]>>;
  /**
   * Notes what there is at the moment in which a log appears, so that attempts which follow each other closely can be told
   * apart, and calls `changed` then and when a last message is written. Until it ends, `look` and `logs` read only what
   * is another file than at the look before. Gives what ends it. Where files cannot be watched
   * nothing is noted and nothing called.
   */
  follow(place: LoopPlace, changed: () => void): Promise<() => void>;
  /**
   * After it. A branch of the loop that the worker left is checked out again, where git does that without losing anything.
   * `logs` are written where the worker left none (null: nothing is written); the log is handed to `reader` line by line.
   */
  examine(
    place: LoopPlace,
    attempt: AttemptPlace,
    use: { readonly logs: WorkerLogs | null; readonly reader: LineReader },
  ): Promise<Result<LookedAfter>>;
}
