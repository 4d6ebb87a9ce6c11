import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@contract/error-message';
import { foldersUp } from '../../../guarded-files/search-up';
import { isBelow, tiedToRepository } from './linked-worktree';
import { GitError, type GitRunner, type GitStart, hereBy, type Take } from './run-git';

export { GitError };

export interface GitCall {
  readonly input?: Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder for input and output of a git that must survive Muster (`GitStart.detached`). */
  readonly detached?: string;
  readonly longestMs?: number;
}

/**
 * The operator's configuration applies (line ends, filters, ignored files), except for settings that prompt,
 * run their programs, or change output parsed here. Hooks are for the operator's own checkouts: they may be
 * slow, or fail.
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

/** Commands that only read or add objects, so that repeating them is harmless. */
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

/** The identity for snapshots, which are Muster's. */
const IDENTITY = { NAME: 'Muster', EMAIL: 'muster@localhost' };

/** The operator's variables for git are for their own commands, except where git may look for repositories. */
const isInherited = (name: string): boolean => !name.startsWith('GIT_') || name === 'GIT_CEILING_DIRECTORIES';

function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => isInherited(name));
  const identity = Object.entries(IDENTITY).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(identity),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Reading must not take the operator's locks.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
  };
}

/** Git in one folder. File names and contents are bytes, held one to one in `latin1` strings. */
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

  /** Git's output without the last line end. Throws `GitError` on failure. */
  async text(...args: string[]): Promise<string> {
    return (await this.bytes(args)).toString('utf8').replace(/\n$/, '');
  }

  /** Like `text`, but null on failure. */
  async maybe(...args: string[]): Promise<string | null> {
    try {
      return await this.text(...args);
    } catch (error) {
      if (error instanceof GitError) return null;
      throw error;
    }
  }

  /**
   * Like `text`, but null if there is no repository, or none with a work tree. Other failures of git (a
   * broken configuration, another user's folder, no memory) are thrown: they must not look like a missing
   * repository.
   */
  async inRepository(...args: string[]): Promise<string | null> {
    try {
      return await this.text(...args);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const none = /not a git repository \(or any|must be run in a work tree/i.test(error.message);
      // Without git there usually is no repository; an existing one can only be read with git.
      if (none || (error.code === null && !(await hasGitFolder(this.cwd)))) return null;
      throw error;
    }
  }

  /** The object with a name; null if there is none. Other failures of git are thrown. */
  async object(name: string): Promise<string | null> {
    try {
      return await this.inRepository('rev-parse', '--verify', '--quiet', name);
    } catch (error) {
      if (error instanceof GitError && error.code === 1) return null;
      throw error;
    }
  }

  /** Records that end with NUL, as `latin1`. */
  async records(args: readonly string[], call: GitCall = {}): Promise<string[]> {
    const text = (await this.bytes(args, call)).toString('latin1');
    return text === '' ? [] : text.replace(/\0$/, '').split('\0');
  }

  /** A killed git, or one lost with its thread, is run again if that is harmless. */
  async bytes(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
    try {
      return await this.runner.whole(this.start(args, call));
    } catch (error) {
      const again = error instanceof GitError && error.cutOff && REPEATABLE.has(args[0] ?? '');
      if (!again) throw error;
      return this.runner.whole(this.start(args, call));
    }
  }

  /**
   * Passes on git's output; `take` returns false to stop early, which is no failure. Git waits while `take`
   * does.
   */
  stream(args: readonly string[], take: Take): Promise<void> {
    return this.runner.stream(this.start(args, {}), take);
  }

  /** Only for Muster's worktrees: in their own, operators may set what they like. */
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
      ...(call.longestMs === undefined ? {} : { longestMs: call.longestMs }),
    };
  }
}

/** Whether the folder or a parent has a `.git`. */
async function hasGitFolder(folder: string): Promise<boolean> {
  for (const at of foldersUp(folder)) {
    const found = await stat(join(at, '.git')).catch(() => null);
    if (found !== null) return true;
  }
  return false;
}

export const gitMessage = (error: unknown): string =>
  messageOf(error).trim().split('\n').slice(0, 5).join('\n');

/** Bytes from `records`, as text for people. */
export const readable = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
export const bytesOf = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
