import { spawn } from 'node:child_process';
import { MINUTE_MS } from '@contract/time-units';
import { LONGEST_GIT_MS } from '../../../limits/core';
import { wholeDetached } from './detached-git';
import { GitError, type GitStart } from './git-start';

export { GitError, type GitStart };

/** False stops reading. */
export type Take = (chunk: Buffer) => boolean | Promise<boolean>;

/** Starts git. Throws `GitError` on failure. */
export interface GitRunner {
  /** The whole output. */
  whole(start: GitStart): Promise<Buffer>;
  /** Passes on the output; if `take` stops it, that is no failure. Git waits while `take` does. */
  stream(start: GitStart, take: Take): Promise<void>;
  /** The parent of Muster's worktrees, whose git folders agents may write. */
  readonly worktreesDir?: string | undefined;
}

interface Program {
  readonly binary: string;
  readonly longestMs: number;
  /** Receives the process id as soon as it runs. */
  readonly began?: (pid: number) => void;
}
const GIT: Program = { binary: 'git', longestMs: LONGEST_GIT_MS };
/** A git that reports its process. */
export const gitReporting = (began: (pid: number) => void): Program => ({ ...GIT, began });

/** Starts git in the current thread, which blocks it for some milliseconds each time. */
export function hereBy(binary: string, longestMs = LONGEST_GIT_MS): GitRunner {
  const program = { binary, longestMs };
  return {
    whole: (start) => whole(start, program),
    stream: (start, take) => stream(start, take, program),
  };
}

export async function whole(start: GitStart, program = GIT): Promise<Buffer> {
  if (start.detached !== undefined) return wholeDetached(start, start.detached, program);
  const chunks: Buffer[] = [];
  await stream(start, (chunk) => chunks.push(chunk) > 0, program);
  return Buffer.concat(chunks);
}

export function stream(start: GitStart, take: Take, program = GIT): Promise<void> {
  const { args, cwd, env, input } = start;
  const { binary, began } = program;
  const longestMs = start.longestMs ?? program.longestMs;
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    const late = setTimeout(() => {
      const minutes = Math.ceil(longestMs / MINUTE_MS);
      const message = `git ${commandOf(args)} did not end within ${minutes} min and was ended`;
      reject(new GitError(message, null));
      child.kill('SIGKILL');
    }, longestMs);
    let stderr = '';
    let enough = false;
    child.once('spawn', () => began?.(child.pid ?? 0));
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      reject(new GitError(error.message, null));
    });
    // A git that fails early does not read its input; its exit reports the reason.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 16_384) stderr += chunk.toString('utf8');
    });
    // Read in chunks: a paused stream resumes by itself when its program has ended.
    const read = async (): Promise<void> => {
      for await (const chunk of child.stdout) {
        if (enough || (await take(chunk as Buffer))) continue;
        enough = true;
        child.kill();
      }
    };
    const taken = read().catch((fault: NodeJS.ErrnoException) => {
      // If git could not be started, its own error is reported.
      if (fault.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      child.kill();
      reject(fault);
    });
    child.on('close', (code, signal) => {
      clearTimeout(late);
      void taken.then(() => {
        if (code === 0 || enough) resolve();
        else if (signal !== null)
          reject(new GitError(`git ${commandOf(args)} was ended by ${signal}`, null, true));
        else reject(new GitError(stderr.trim() || `git ${commandOf(args)} ended with ${code}`, code));
      });
    });
  });
}

/** The command after the leading settings. */
const commandOf = (args: readonly string[]): string =>
  args.find((arg, index) => arg !== '-c' && args[index - 1] !== '-c') ?? '';
