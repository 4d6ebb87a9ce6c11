import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '@main/adapters/git/command/git-command';
import { GIT_CACHE_MS, UNSETTLED_FILE_MS } from '../../contract/limits';
import type { FoundLog, LookedBefore } from '../../contract/ports';

const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
const changedAt = ({ mtimeMs, ctimeMs }: Stats): number => Math.max(mtimeMs, ctimeMs);

/** Caches values read from files while the files are unchanged. */
class KeptFiles<T> {
  readonly #entries = new Map<string, { readonly stamp: string; readonly found: T }>();

  constructor(private readonly now: () => number) {}

  /** `facts` are from before the reading: what is written meanwhile is read at the next look. */
  async of(path: string, facts: Stats, read: () => Promise<T>): Promise<T> {
    const stamp = stampOf(facts);
    const entry = this.#entries.get(path);
    if (entry?.stamp === stamp) return entry.found;
    const settled = this.now() - changedAt(facts) >= UNSETTLED_FILE_MS;
    const found = await read();
    if (settled) this.#entries.set(path, { stamp, found });
    else this.#entries.delete(path);
    return found;
  }
}

interface GitFolders {
  /** This checkout's git folder, which contains its HEAD. */
  readonly own: string;
  /** The git folder shared by all checkouts, which contains the branches. */
  readonly common: string;
}

/** The checked-out commit, queried from git only if a file that may move it has changed. */
class KeptHead {
  #folders: GitFolders | null = null;
  #cached: { readonly stamp: string; readonly head: string | null; readonly at: number } | null = null;

  constructor(private readonly now: () => number) {}

  async of(git: Git): Promise<string | null> {
    const now = this.now();
    const stamp = this.#folders === null ? null : await headStamp(this.#folders, now);
    const cached = this.#cached;
    if (stamp !== null && cached?.stamp === stamp && Math.abs(now - cached.at) < GIT_CACHE_MS)
      return cached.head;
    const head = await git.object('HEAD^{commit}');
    this.#cached = stamp === null ? null : { stamp, head, at: now };
    // Its files are known from the next look on.
    if (stamp === null) this.#folders = head === null ? null : await foldersOf(git);
    return head;
  }
}

async function foldersOf(git: Git): Promise<GitFolders | null> {
  const args = ['--path-format=absolute', '--git-dir', '--git-common-dir'];
  const [own = '', common = ''] = ((await git.maybe('rev-parse', ...args)) ?? '').split('\n');
  return own === '' || common === '' ? null : { own, common };
}

/**
 * A stamp of all files that determine HEAD, including packed branches; null if they are too new, or missing.
 */
async function headStamp({ own, common }: GitFolders, now: number): Promise<string | null> {
  const head = await readFile(join(own, 'HEAD'), 'utf8').catch(() => null);
  if (head === null) return null;
  const branch = /^ref: (.+)$/m.exec(head)?.[1];
  const paths = [
    ...['HEAD', 'logs/HEAD', 'reftable/tables.list'].map((name) => join(own, name)),
    ...['packed-refs', 'reftable/tables.list', ...(branch === undefined ? [] : [branch])].map((name) =>
      join(common, name),
    ),
  ];
  const all = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  if (all.some((facts) => facts !== null && now - changedAt(facts) < UNSETTLED_FILE_MS)) return null;
  return [head, ...all.map((facts) => (facts === null ? '' : stampOf(facts)))].join('\n');
}

/** Caches for a loop that is examined repeatedly. */
export class Kept {
  readonly logs: KeptFiles<FoundLog | null>;
  readonly plan: KeptFiles<string | null>;
  readonly progress: KeptFiles<Pick<LookedBefore, 'progressBytes' | 'progressHash'>>;
  readonly head: KeptHead;

  constructor(
    readonly cwd: string,
    now: () => number,
  ) {
    this.logs = new KeptFiles(now);
    this.plan = new KeptFiles(now);
    this.progress = new KeptFiles(now);
    this.head = new KeptHead(now);
  }
}
