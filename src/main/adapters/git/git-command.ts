import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBelow, tiedToRepository } from './linked-worktree';
import { GitError, type GitRunner, type GitStart, hereBy, type Take } from './run-git';

export { GitError };

export interface GitCall {
  readonly input?: Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder for input and output of a git that must outlive Muster (`GitStart.detached`). */
  readonly detached?: string;
}

/**
 * The operator's configuration holds (line ends, filters, ignored files), except for what would ask, run programs of
 * theirs, or shape output that is parsed here. Hooks are for the operator's own checkouts: they may be slow, or fail.
 */
const SETTINGS = [
  `core.hooksPath=${process.platform === 'win32' ? 'NUL' : '/dev/null'}`,
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.safecrlf=false',
  'core.quotePath=false',
  'core.logAllRefUpdates=true',
  'submodule.recurse=false',
  'commit.gpgsign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'log.showSignature=false',
  'i18n.logOutputEncoding=UTF-8',
  'diff.suppressBlankEmpty=false',
  'apply.ignoreWhitespace=no',
].flatMap((setting) => ['-c', setting]);

/** Commands that only read, or add objects: done twice they leave what they leave when they are done once. */
const REPEATABLE: ReadonlySet<string> = new Set([
  ...[
    'cat-file',
    'check-ref-format',
    'commit-tree',
    'diff-index',
    'diff-tree',
    'for-each-ref',
    'hash-object',
  ],
  ...['log', 'ls-files', 'ls-tree', 'merge-base', 'merge-tree', 'rev-list', 'rev-parse', 'show', 'status'],
  ...['var', 'version'],
]);

/** Snapshots are Muster's: they need no name of the operator. */
const IDENTITY = { NAME: 'Muster', EMAIL: 'muster@localhost' };

function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const identity = Object.entries(IDENTITY).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(identity),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Reading must not take the operator's locks.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
  };
}

/** Git at one folder. File names and contents are bytes: `latin1` strings hold them one to one. */
export class Git {
  constructor(
    private readonly cwd: string,
    private readonly runner: GitRunner = hereBy('git'),
    private readonly env: Readonly<Record<string, string>> = {},
  ) {}

  with(env: Readonly<Record<string, string>>): Git {
    return new Git(this.cwd, this.runner, { ...this.env, ...env });
  }

  at(path: string): Git {
    return new Git(path, this.runner, this.env);
  }

  /** What git prints, without the last line end. Throws `GitError` where it fails. */
  async text(...args: string[]): Promise<string> {
    return (await this.bytes(args)).toString('utf8').replace(/\n$/, '');
  }

  /** As `text`, or null where git fails. */
  async maybe(...args: string[]): Promise<string | null> {
    try {
      return await this.text(...args);
    } catch (error) {
      if (error instanceof GitError) return null;
      throw error;
    }
  }

  /**
   * As `text`, or null where there is no repository, or none with a work tree. That git fails otherwise (a broken
   * configuration, another user's folder, no memory) is thrown: it must not pass for a folder without a repository.
   */
  async inRepository(...args: string[]): Promise<string | null> {
    try {
      return await this.text(...args);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const none = /not a git repository \(or any|must be run in a work tree/i.test(error.message);
      // Without git no one has made one; where there is one all the same, it can be read with git only.
      if (none || (error.code === null && !(await hasGitFolder(this.cwd)))) return null;
      throw error;
    }
  }

  /** The object that a name stands for; null where there is none of that name. What else git fails of is thrown. */
  async object(name: string): Promise<string | null> {
    try {
      return await this.inRepository('rev-parse', '--verify', '--quiet', name);
    } catch (error) {
      if (error instanceof GitError && error.code === 1) return null;
      throw error;
    }
  }

  /** Records that end with a NUL, as `latin1`. */
  async records(args: readonly string[], call: GitCall = {}): Promise<string[]> {
    const text = (await this.bytes(args, call)).toString('latin1');
    return text === '' ? [] : text.replace(/\0$/, '').split('\0');
  }

  /** What was killed in the middle, or lost with its thread, is done once more where that changes nothing. */
  async bytes(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
    try {
      return await this.runner.whole(this.start(args, call));
    } catch (error) {
      const again = error instanceof GitError && error.cutOff && REPEATABLE.has(args[0] ?? '');
      if (!again) throw error;
      return this.runner.whole(this.start(args, call));
    }
  }

  /** Hands on what git prints; `take` says false once it has enough, which is no failure. While it waits, so does git. */
  stream(args: readonly string[], take: Take): Promise<void> {
    return this.runner.stream(this.start(args, {}), take);
  }

  /** Only of a worktree that Muster made: in their own the operator may set what they like. */
  #ties(gitDir: string | undefined): Readonly<Record<string, string>> {
    const { worktreesDir } = this.runner;
    if (worktreesDir === undefined || !isBelow(worktreesDir, this.cwd)) return {};
    return tiedToRepository(this.cwd, { worktreesDir, gitDir });
  }

  private start(args: readonly string[], call: GitCall): GitStart {
    const env = { ...this.env, ...call.env };
    return {
      args: [...SETTINGS, ...args],
      cwd: this.cwd,
      env: { ...environment(), ...this.#ties(env.GIT_DIR), ...env },
      input: call.input ?? null,
      ...(call.detached === undefined ? {} : { detached: call.detached }),
    };
  }
}

/** Whether the folder or one around it has a `.git`. */
async function hasGitFolder(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(join(at, '.git')).catch(() => null);
    if (found !== null) return true;
    if (dirname(at) === at) return false;
  }
}

export const gitMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').slice(0, 5).join('\n');

/** Bytes that `records` gave, as text for people. */
export const readable = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
export const bytesOf = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
