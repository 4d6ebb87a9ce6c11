import { spawn } from 'node:child_process';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '@contract/time-units';
import { GitError, type GitStart } from './git-start';

/** The process id of the last git started with this folder; null if there was none. */
export async function lastPid(folder: string): Promise<number | null> {
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => 'none'));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

const MOST_SAID = 16_384;
const onWindows = process.platform === 'win32';

/**
 * Git's process writes its id before it becomes git. If this process wrote it after the start, it could be killed in
 * between, and the next core would take a checkout that git is still changing for one that was left half changed.
 */
const startThatTellsItsPid = (
  binary: string,
  args: readonly string[],
  file: string,
): readonly [string, readonly string[]] =>
  onWindows ? [binary, args] : ['/bin/sh', ['-c', 'echo $$ > "$0" && exec "$@"', file, binary, ...args]];

/**
 * Runs git in its own session, with files instead of pipes: git dies of SIGPIPE if it reports progress to a
 * killed process, possibly in the middle of a change. There is no timeout.
 */
export async function wholeDetached(
  { args, cwd, env, input }: GitStart,
  folder: string,
  { binary, longestMs }: { readonly binary: string; readonly longestMs: number },
): Promise<Buffer> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [stdin, stdout, stderr] = ['in', 'out', 'err'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(stdin, input ?? '');
  const files = [await open(stdin, 'r'), await open(stdout, 'w'), await open(stderr, 'w')];
  try {
    const [program, words] = startThatTellsItsPid(binary, args, join(folder, 'pid'));
    const child = spawn(program, words, {
      cwd,
      env,
      detached: true,
      windowsHide: true,
      stdio: files.map(({ fd }) => fd) as [number, number, number],
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      const late = setTimeout(() => {
        const minutes = Math.ceil(longestMs / MINUTE_MS);
        reject(new GitError(`git has not ended after ${minutes} minutes`, null));
      }, longestMs);
      child.on('error', (error) => {
        clearTimeout(late);
        reject(new GitError(error.message, null));
      });
      child.on('exit', (code) => {
        clearTimeout(late);
        resolve(code);
      });
    });
    if (onWindows && child.pid !== undefined) await writeFile(join(folder, 'pid'), String(child.pid));
    const code = await ended;
    if (code === 0) return await readFile(stdout);
    const errorText = (await readFile(stderr, 'utf8')).slice(-MOST_SAID).trim();
    throw new GitError(errorText || `git ended with ${code ?? 'a signal'}`, code);
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}
