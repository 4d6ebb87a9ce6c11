import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, lstat, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Git, GitError } from '@main/adapters/git/command/git-command';
import { IGNORED_FILE_BYTES } from '../../contract/limits';
import type { LoopPlace } from '../../contract/ports';

/**
 * Files of a loop that a project may ignore in git. Those that only instruct the worker are never copied
 * back.
 */
const BOTH_WAYS = ['prd.json', 'progress.txt', '.last-branch'] as const;
const INTO_THE_WORKTREE = ['prompt.md', 'CLAUDE.md', 'AGENTS.md'] as const;
/** This command does not support git's literal pathspecs; after `./` no name is taken for a pattern. */
const CHECK_IGNORE = ['--no-literal-pathspecs', 'check-ignore', '--quiet', '--'] as const;

interface Pair {
  readonly name: string;
  readonly worktree: string;
  readonly project: string;
  /** The common content when both were last equal. */
  readonly base: string;
}

/**
 * Keeps a loop's ignored files equal in the project and in the loop's worktree, for which git does not copy
 * them. A change on one side is copied to the other; changes on both are merged by lines. If that fails, the
 * project's file stays and the loop's is placed beside it as `NAME.from-loop`. Returns the names of those
 * files. May be repeated after a crash at any point.
 */
export async function shareIgnored(git: Git, { cwd, folder, project }: LoopPlace): Promise<string[]> {
  if (project === undefined || project === cwd) return [];
  const gitDir = await git.maybe('rev-parse', '--absolute-git-dir');
  if (gitDir === null) return [];
  const key = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const conflicts: string[] = [];
  let planIsIgnored = false;
  for (const name of [...BOTH_WAYS, ...INTO_THE_WORKTREE]) {
    const pair = {
      name,
      worktree: join(cwd, folder, name),
      project: join(project, folder, name),
      base: join(gitDir, 'muster-loop', key, name),
    };
    const ignored = await isIgnored(git, pair);
    if (name === 'prd.json') planIsIgnored = ignored;
    // Muster itself hides `.last-branch` from git: it belongs to the project only together with its plan.
    if (!ignored || (name === '.last-branch' && !planIsIgnored)) continue;
    const oneWay = !(BOTH_WAYS as readonly string[]).includes(name);
    if (oneWay) await fillIn(pair);
    else if (!(await level(git, pair))) conflicts.push(name);
  }
  return conflicts;
}

/** Copies an archived plan of an ignored folder to where the operator looks for it. Overwrites nothing. */
export async function shareArchive({ cwd, folder, project }: LoopPlace, archived: string): Promise<void> {
  if (project === undefined || project === cwd) return;
  const options = { recursive: true, force: false, errorOnExist: false };
  await cp(join(cwd, folder, archived), join(project, folder, archived), options);
}

/** Ignored in the project, and not part of the worktree's branch. */
async function isIgnored(git: Git, { name, worktree, project }: Pair): Promise<boolean> {
  const folder = dirname(project);
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (!isFolder || (await git.at(folder).maybe(...CHECK_IGNORE, `./${name}`)) === null) return false;
  await mkdir(dirname(worktree), { recursive: true });
  return (await git.at(dirname(worktree)).maybe('ls-files', '--error-unmatch', '--', name)) === null;
}

async function fillIn({ worktree, project }: Pair): Promise<void> {
  const theirs = await read(project);
  if (theirs !== null && (await read(worktree)) === null) await replace(worktree, theirs);
}

/** False if both sides changed the file in conflicting ways. */
async function level(git: Git, { name, worktree, project, base }: Pair): Promise<boolean> {
  const [loops, theirs, before] = await Promise.all([read(worktree), read(project), read(base)]);
  const set = async (path: string, bytes: Buffer | null): Promise<void> => {
    if (bytes === null) await rm(path, { force: true });
    else await replace(path, bytes);
  };
  if (!same(loops, theirs)) {
    if (same(loops, before) || loops === null) await set(worktree, theirs);
    else if (same(theirs, before) || (theirs === null && before === null)) await set(project, loops);
    else {
      const merged = await mergeOf(git, { name, loops, theirs, before });
      if (merged === null) {
        await replace(`${project}.from-loop`, loops);
        return false;
      }
      await replace(project, merged);
      await replace(worktree, merged);
    }
  }
  // Last: after a crash either the same work is found again, or none.
  await set(base, await read(worktree));
  return true;
}

interface Sides {
  readonly name: string;
  readonly loops: Buffer;
  readonly theirs: Buffer | null;
  readonly before: Buffer | null;
}

async function mergeOf(git: Git, { name, loops, theirs, before }: Sides): Promise<Buffer | null> {
  if (theirs === null || before === null) return null;
  const gitDir = await git.text('rev-parse', '--absolute-git-dir');
  const sides = [loops, before, theirs].map((bytes) => ({
    bytes,
    path: join(gitDir, `muster-merge-${randomUUID()}`),
  }));
  try {
    for (const { path, bytes } of sides) await writeFile(path, bytes);
    const merged = await git.bytes(['merge-file', '-p', '--quiet', ...sides.map(({ path }) => path)]);
    return name.endsWith('.json') && !isJson(merged) ? null : merged;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  } finally {
    await Promise.all(sides.map(({ path }) => rm(path, { force: true })));
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

const same = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

/** A regular file, not a link; null if there is none. */
async function read(path: string): Promise<Buffer | null> {
  const facts = await lstat(path).catch(() => null);
  if (facts === null) return null;
  if (!facts.isFile() || facts.size > IGNORED_FILE_BYTES)
    throw new Error(`${path} is not a plain file of at most ${IGNORED_FILE_BYTES / 2 ** 20} MiB`);
  const file = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Replaces the file atomically, even if the process is killed. */
async function replace(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, bytes, { flag: 'wx' });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}
