import { constants } from 'node:fs';
import { access, copyFile, lstat, rename, rm, stat, utimes } from 'node:fs/promises';
import { SNAPSHOT_FILE_BYTES } from '../../../limits/core-sizes';
import type { Checkout } from '../checkout';
import { bytesOf, GitError, readable } from '../command/git-command';

/** Maximum parallel stat calls. */
const STATS_AT_ONCE = 64;

/** An agent may change files while they are read; then they are read again. */
const TRIES = 3;

export interface LeftOut {
  readonly path: string;
  readonly why: 'large' | 'unreadable' | 'repository';
}

export interface Present {
  readonly tree: string;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Updates Muster's index to the folder's current state and returns its tree: like `git add -A`, but without
 * the operator's index and locks. Nested repositories and submodules are excluded. `also`: files to include
 * although they are ignored now.
 */
export async function presentState(checkout: Checkout, also: readonly string[] = []): Promise<Present> {
  for (let tried = 1; ; tried += 1) {
    try {
      await seedIndex(checkout);
      const leftOut = await update(checkout, also);
      return { tree: await checkout.own.text('write-tree'), leftOut };
    } catch (error) {
      // A git that could not start, or did not end, has nothing to do with changing files.
      if (!(error instanceof GitError) || tried === TRIES) throw error;
      if (error.code === null && !error.cutOff) throw error;
      // It may refer to objects that were garbage-collected: the next try starts with a new index.
      if (tried > 1) await rm(checkout.indexFile, { force: true });
    }
  }
}

/** Muster's index starts as a copy of the operator's, which knows unchanged files and a sparse checkout. */
async function seedIndex({ gitDir, indexFile, shadow }: Checkout): Promise<void> {
  // Only this process uses the index, one call at a time: an existing lock is from a killed git.
  await rm(`${indexFile}.lock`, { force: true });
  if (shadow) return;
  const sparse = await exists(`${gitDir}/info/sparse-checkout`);
  if (!sparse && (await exists(indexFile))) return;
  const from = `${gitDir}/index`;
  const facts = await stat(from).catch(() => null);
  if (facts === null) return rm(indexFile, { force: true });
  await copyFile(from, `${indexFile}.new`);
  // Git compares files as young as their index by content, so a copy must keep its original time.
  await utimes(`${indexFile}.new`, facts.atime, (Math.floor(facts.mtimeMs) - 1) / 1000);
  await rename(`${indexFile}.new`, indexFile);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Paths are `latin1` strings of their bytes, relative to the root of the work tree. */
interface Changes {
  readonly update: Set<string>;
  readonly remove: Set<string>;
  readonly leftOut: LeftOut[];
}

async function update(checkout: Checkout, also: readonly string[]): Promise<readonly LeftOut[]> {
  const { own } = checkout;
  const [differing, untracked, dropped] = await Promise.all([
    differingFiles(checkout),
    own.records(['ls-files', '-z', '-o', '--exclude-standard', ...within(checkout)]),
    ignoredFiles(checkout),
  ]);
  const changes: Changes = {
    update: new Set(),
    remove: new Set([...differing.gone, ...dropped.remove]),
    leftOut: [],
  };
  const nested = untracked.filter((path) => path.endsWith('/'));
  changes.leftOut.push(...nested.map((path) => ({ path: readable(path), why: 'repository' as const })));
  const fresh = untracked.filter((path) => !path.endsWith('/'));
  const candidates = new Set([...differing.changed, ...fresh, ...dropped.add, ...also]);
  for (const path of also) changes.remove.delete(path);
  for (const path of changes.remove) candidates.delete(path);
  await sort(
    checkout,
    { candidates: [...candidates], links: differing.links, forced: new Set(also) },
    changes,
  );
  if (changes.remove.size > 0)
    await own.bytes(['update-index', '-z', '--force-remove', '--stdin'], listed(changes.remove));
  if (changes.update.size > 0)
    await own.bytes(
      ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'],
      listed(changes.update),
    );
  return changes.leftOut;
}

const listed = (paths: Iterable<string>) => ({
  input: bytesOf([...paths].map((path) => `${path}\0`).join('')),
});

/** The pathspec of the snapshots' part of the tree. */
export const within = ({ scope }: Pick<Checkout, 'scope'>): string[] => (scope === '' ? [] : ['--', scope]);

async function differingFiles(checkout: Checkout) {
  const records = await checkout.own.records([
    'diff-files',
    '-z',
    '--ignore-submodules=dirty',
    ...within(checkout),
  ]);
  const changed: string[] = [];
  const gone: string[] = [];
  /** Submodules. */
  const links = new Set<string>();
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [oldMode = '', newMode = ''] = (records[at] ?? '').slice(1).split(' ');
    const path = records[at + 1] ?? '';
    if (oldMode === '160000') links.add(path);
    // An unresolved conflict is listed twice; the file's current content counts.
    const conflict = (records[at] ?? '').endsWith(' U');
    if (newMode === '000000' && !conflict) gone.push(path);
    else changed.push(path);
  }
  return { changed, gone, links };
}

/** Ignored files in the operator's index are kept; those only in Muster's are dropped. */
async function ignoredFiles(checkout: Checkout): Promise<{ add: string[]; remove: string[] }> {
  const list = ['ls-files', '-z', '-c', '-i', '--exclude-standard', ...within(checkout)];
  const [mine, theirs] = await Promise.all([
    checkout.own.records(list),
    checkout.shadow ? Promise.resolve([]) : checkout.git.records(list),
  ]);
  if (mine.length === 0 && theirs.length === 0) return { add: [], remove: [] };
  const kept = new Set(theirs);
  const had = new Set(mine);
  return { add: theirs.filter((path) => !had.has(path)), remove: mine.filter((path) => !kept.has(path)) };
}

interface Candidates {
  readonly candidates: readonly string[];
  readonly links: ReadonlySet<string>;
  readonly forced: ReadonlySet<string>;
}

async function sort(checkout: Checkout, of: Candidates, changes: Changes): Promise<void> {
  for (let at = 0; at < of.candidates.length; at += STATS_AT_ONCE) {
    const some = of.candidates.slice(at, at + STATS_AT_ONCE);
    await Promise.all(
      some.map(async (path) => {
        const what = await look(checkout, path, of);
        if (what === 'update') changes.update.add(path);
        else changes.remove.add(path);
        if (what === 'large' || what === 'unreadable')
          changes.leftOut.push({ path: readable(path), why: what });
      }),
    );
  }
}

async function look(
  { top, git }: Checkout,
  path: string,
  of: Candidates,
): Promise<'update' | 'remove' | 'large' | 'unreadable'> {
  const file = bytesOf(`${Buffer.from(`${top}/`).toString('latin1')}${path}`);
  const facts = await lstat(file).catch(() => null);
  if (facts === null) return 'remove';
  if (facts.isDirectory()) return of.links.has(path) ? 'update' : 'remove';
  if (facts.isSymbolicLink()) return 'update';
  if (!facts.isFile()) return 'remove';
  const mine = process.getuid?.() === undefined || facts.uid === process.getuid();
  if (!mine || (facts.mode & 0o400) === 0) {
    const may = await access(file, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!may) return 'unreadable';
  }
  if (facts.size <= SNAPSHOT_FILE_BYTES || of.forced.has(path)) return 'update';
  // Files that the operator tracks are included, however large.
  return (await git.maybe('cat-file', '-e', `HEAD:${readable(path)}`)) === null ? 'large' : 'update';
}
