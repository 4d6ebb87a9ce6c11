import { spawn } from 'node:child_process';
import { MINUTE_MS } from '@contract/time-units';
import { LONGEST_GIT_MS } from '../../limits/core';
import { wholeDetached } from './detached-git';
import { GitError, type GitStart } from './git-start';

export { GitError, type GitStart };

/** False once it has enough. */
export type Take = (chunk: Buffer) => boolean | Promise<boolean>;

/** Who starts git. Throws `GitError` where it fails. */
export interface GitRunner {
  /** All that it prints. */
  whole(start: GitStart): Promise<Buffer>;
  /** Hands on what it prints; that `take` has enough is no failure. While `take` waits, so does git. */
  stream(start: GitStart, take: Take): Promise<void>;
  /** Where Muster makes worktrees, whose git folders agents may write. */
  readonly worktreesDir?: string | undefined;
}

interface Program {
  readonly binary: string;
  readonly longestMs: number;
  /** Told the process as soon as it runs. */
  readonly began?: (pid: number) => void;
}
const GIT: Program = { binary: 'git', longestMs: LONGEST_GIT_MS };
/** Git whose process is told. */
export const gitTold = (began: (pid: number) => void): Program => ({ ...GIT, began });

/** Starts git in this very thread, which holds it up for some milliseconds each time. */
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

export function stream({ args, cwd, env, input }: GitStart, take: Take, program = GIT): Promise<void> {
  const { binary, began, longestMs } = program;
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    const late = setTimeout(() => {
      const minutes = Math.ceil(longestMs / MINUTE_MS);
      reject(new GitError(`git ${commandOf(args)} did not end within ${minutes} min and was ended`, null));
      child.kill('SIGKILL');
    }, longestMs);
    let stderr = '';
    let enough = false;
    child.once('spawn', () => began?.(child.pid ?? 0));
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      reject(new GitError(error.message, null));
    });
    // A git that fails early does not read its input; why it failed is told by its end.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 16_384) stderr += chunk.toString('utf8');
    });
    // Read chunk by chunk: a paused stream continues by itself as soon as its program has ended.
    const read = async (): Promise<void> => {
      for await (const chunk of child.stdout) {
        if (enough || (await take(chunk as Buffer))) continue;
        enough = true;
        child.kill();
      }
    };
    const taken = read().catch((fault: NodeJS.ErrnoException) => {
      // Of a git that could not be started its own error tells.
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

/** Behind the settings that come before it. */
const commandOf = (args: readonly string[]): string =>
  args.find((arg, index) => arg !== '-c' && args[index - 1] !== '-c') ?? '';
