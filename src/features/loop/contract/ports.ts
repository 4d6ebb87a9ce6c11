import type { Result } from '@contract/result';
import type { Untold } from './events';

/** A loop's location: a checkout, and the folder in it with prd.json, progress.txt and logs/. */
export interface LoopPlace {
  readonly cwd: string;
  /** Relative to `cwd`. */
  readonly folder: string;
  /** The project's own folder if `cwd` is a worktree of it: ignored files are shared with it. */
  readonly project?: string;
}

/** Plan information that the core parses: the adapter does not know the format. */
export interface PlanText {
  /** Null: the requested branch, or the current one. */
  branchOf(text: string | null): string | null;
}

export interface OpenedPlan {
  /** prd.json on its branch; null if there is none. */
  readonly text: string | null;
  /** The checked-out branch; null outside of a repository or branch. */
  readonly branch: string | null;
  /** Where the previous plan was archived, relative to the folder. */
  readonly archived: string | null;
}

export interface LookedBefore {
  readonly head: string | null;
  readonly text: string | null;
  readonly progressBytes: number;
  readonly progressHash: string;
  /** How often HEAD was moved by then; undefined if irrelevant, or git keeps no reflog. */
  readonly moves?: number;
}

/** The state at the attempt's end; if the next one had begun by then, at that beginning. */
export interface LookedAfter {
  readonly head: string | null;
  /** Undefined if its content at that time cannot be determined. */
  readonly text: string | null | undefined;
  readonly rewritten: boolean;
  /** Oldest first, at most the last hundred; short hashes. */
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** New commits that only another branch has. */
  readonly elsewhere?: readonly { readonly hash: string; readonly branch: string }[];
  /** The end of the text appended to progress.txt; empty if it was rewritten. */
  readonly progress: string;
  readonly progressBytes: number;
  readonly progressHash: string;
  /** The worker's last-message file; null if there is none. */
  readonly message: string | null;
  /**
   * How many milliseconds that file is older than the log's last entry: in a watched loop it may be stale.
   */
  readonly messageLag: number;
  readonly untold: readonly Untold[];
  /** The checked-out branch, null if none; undefined for a watched attempt. */
  readonly branch?: string | null;
  /** What is checked out, if not the loop's branch: all other fields describe the loop's branch. */
  readonly checkedOut?: string | null;
  /** Whether the loop's branch is checked out again; absent if it always was. */
  readonly putBack?: boolean;
  /**
   * Ignored files that changed in the project too: the loop's versions are beside them as `NAME.from-loop`.
   */
  readonly conflicts?: readonly string[];
}

export interface AttemptPlace {
  readonly iteration: number;
  readonly before: Omit<LookedBefore, 'text'>;
  /** For a watched loop: identifies its log. The next attempt may have begun, also under the same name. */
  readonly mark: string | null;
  /** The loop's branch; absent if any checked-out branch counts. */
  readonly branch?: string | null;
  /** HEAD when the worker had ended and the project's check had not begun; later commits are the check's. */
  readonly worked?: string | null;
}

/** Receives a log line by line, whatever its length. */
export interface LineReader {
  line(text: string): void;
}

/** The output of a worker that keeps no logs itself. */
export interface WorkerLogs {
  readonly jsonl: () => string;
  readonly message: string;
}

/** The current state of a log. */
export interface FoundLog {
  readonly iteration: number;
  /** Another log with the same name has another mark. */
  readonly mark: string;
  /** Its last turn has ended, according to its events. */
  readonly ended: boolean;
  /** Modification time in milliseconds since 1970, by the file system's clock. */
  readonly writtenAt: number;
  /** It was seen, but another attempt's log has replaced it. */
  readonly gone?: boolean;
}

/**
 * A loop's files and repository. Every method may be called again after a crash, and then completes the rest.
 */
export interface Loops {
  /**
   * Checks out the plan's branch (created at the current commit if new), archives the previous plan if the
   * branch differs from last time, and starts progress.txt. Never writes prd.json itself.
   */
  open(place: LoopPlace, plan: PlanText): Promise<Result<OpenedPlan>>;
  /**
   * Records the state before an attempt. Removes earlier logs with these names (before a retry they are
   * copied to `-attempt-N`), so that no stale file is taken for the next attempt's. Checks the loop's branch
   * out again if the previous worker left it (null: it has none). Fails if git cannot.
   */
  prepare(
    place: LoopPlace,
    attempt: { readonly iteration: number; readonly retry: number; readonly branch: string | null },
  ): Promise<Result<LookedBefore>>;
  /** Like `prepare`, but changes nothing. */
  look(place: LoopPlace): Promise<Result<LookedBefore>>;
  /** The state at the start of an unobserved attempt, as far as git and file times reveal it. */
  begun(
    place: LoopPlace,
    iteration: number,
  ): Promise<Result<LookedBefore & { readonly untold: readonly Untold[] }>>;
  /** The logs of all existing iterations, by number. */
  logs(place: LoopPlace): Promise<Result<readonly FoundLog[]>>;
  /**
   * Records the state at the moment a log appears, so that attempts in quick succession can be separated.
   * Calls `changed` then, and when a last message is written. Meanwhile `look` and `logs` read only files
   * that have changed. Returns a function that stops it. If files cannot be watched, it does nothing.
   */
  follow(place: LoopPlace, changed: () => void): Promise<() => void>;
  /**
   * Records the state after an attempt. Checks the loop's branch out again if the worker left it and git can
   * do so without losing anything. `logs` are written if the worker left none (null: nothing is written); the
   * log is passed to `reader` line by line.
   */
  examine(
    place: LoopPlace,
    attempt: AttemptPlace,
    use: { readonly logs: WorkerLogs | null; readonly reader: LineReader },
  ): Promise<Result<LookedAfter>>;
}
