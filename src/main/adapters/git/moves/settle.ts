import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf, type Git, GitError } from '../command/git-command';
import { type Examined, type ExaminedFile, tipOf } from './examine';
import { fileAt, lookAt, removeEmptyFolders, type Side, syncFiles } from './files';
import type { MoveEntry } from './journal';

export type Outcome = 'finish' | 'roll_back';

/**
 * Files are checked again before each batch of this many writes, because the operator may edit them while a
 * slow filter runs.
 */
const AT_ONCE = 50;

interface Work {
  /** At the root of the work tree. */
  readonly git: Git;
  readonly entry: MoveEntry;
  readonly folder: string;
  /** For git processes that change the checkout. */
  readonly detached: { readonly detached: string; readonly env: Readonly<Record<string, string>> };
}

/**
 * Brings the whole checkout to one side of an interrupted change. Every part is repeatable: HEAD moves last,
 * and the journal entry stays until all is done. Files with the operator's content stay unchanged and appear
 * as modified afterwards.
 */
export async function settle(work: Work, seen: Examined, outcome: Outcome): Promise<void> {
  const { git, entry, folder } = work;
  const side = outcome === 'finish' ? 'to' : 'from';
  const done = outcome === 'finish' ? 'after' : 'before';
  for (const lock of seen.locks) await rm(lock, { force: true });
  await rm(join(folder, 'scratch'), { force: true });
  const open = seen.files.filter(({ state }) => state !== done && state !== 'yours' && state !== 'either');
  await keepHalves(work, open);
  for (const file of open) if (file[side] === null) await remove(entry.top, file);
  await write(
    work,
    side,
    open.filter((file) => file[side] !== null),
  );
  if (entry.index === null) await setIndex(git, seen.files, side);
  // Muster's own index is rebuilt from the operator's.
  else for (const name of [entry.index, `${entry.index}.lock`]) await rm(name, { force: true });
  const paths = open.map(({ path }) => path);
  await syncFiles(entry.top, paths);
  if (entry.kind !== 'files') await moveHead(git, entry, side);
}

/** A partial file could also be an edit that shortened it, so a copy is kept before it is overwritten. */
async function keepHalves({ git, entry, folder }: Work, files: readonly ExaminedFile[]): Promise<void> {
  const halves = files.filter(
    ({ state, look }) => state === 'half' && look?.kind === 'file' && look.size > 0,
  );
  if (halves.length === 0) return;
  const keptIndex = git.with({ GIT_INDEX_FILE: join(folder, 'kept') });
  await rm(join(folder, 'kept'), { force: true });
  for (const { path, from, to } of halves) {
    const content = await readFile(fileAt(entry.top, path));
    const stored = await git.bytes(['hash-object', '-w', '--stdin'], { input: content });
    const line = `${(from ?? to)?.mode ?? '100644'} ${stored.toString('latin1').trim()}\t${path}\0`;
    await keptIndex.bytes(['update-index', '-z', '--index-info'], { input: bytesOf(line) });
  }
  const commit = await git.text(
    'commit-tree',
    await keptIndex.text('write-tree'),
    '-m',
    `Half of: ${entry.what}`,
  );
  await git.text('update-ref', `refs/muster/kept/checkout-${entry.id}`, commit);
}

/** False if the file has changed since. */
const isStill = async (top: string, { path, look }: ExaminedFile): Promise<boolean> =>
  (await lookAt(top, path))?.stamp === look?.stamp;

async function remove(top: string, file: ExaminedFile): Promise<void> {
  if (file.look === null || !(await isStill(top, file))) return;
  await rm(fileAt(top, file.path), { force: true });
  await removeEmptyFolders(top, file.path);
}

async function write(work: Work, side: 'from' | 'to', files: readonly ExaminedFile[]): Promise<void> {
  if (files.length === 0) return;
  const { git, entry, folder, detached } = work;
  const env = { ...detached.env, GIT_INDEX_FILE: join(folder, 'scratch') };
  await git.bytes(['read-tree', entry[side].tree], { env });
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some: ExaminedFile[] = [];
    for (const file of files.slice(at, at + AT_ONCE)) {
      const there = await lookAt(entry.top, file.path);
      // Git would remove a folder in its way with all its content.
      if (there?.kind !== 'folder' && there?.stamp === file.look?.stamp) some.push(file);
    }
    const input = bytesOf(some.map(({ path }) => `${path}\0`).join(''));
    await git.bytes(['checkout-index', '-f', '-z', '--stdin'], { ...detached, env, input });
  }
}

async function setIndex(git: Git, files: readonly ExaminedFile[], side: 'from' | 'to'): Promise<void> {
  const gone = files.filter((file) => file[side] === null);
  const there = files.filter((file) => file[side] !== null);
  const zeros = '0'.repeat((files[0]?.from ?? files[0]?.to)?.oid.length ?? 40);
  const line = (path: string, at: Side | null) => `${at?.mode ?? '0'} ${at?.oid ?? zeros}\t${path}\0`;
  const input = [...gone, ...there].map((file) => line(file.path, file[side])).join('');
  if (input !== '') await git.bytes(['update-index', '-z', '--index-info'], { input: bytesOf(input) });
  // Fails if a file differs from the index, which is what it should find out.
  await git.maybe('update-index', '-q', '--refresh');
}

/** Fails if HEAD is on neither side. */
export async function moveHead(
  git: Git,
  { kind, what, from, to }: MoveEntry,
  side: 'from' | 'to',
): Promise<void> {
  const [goal, other] = side === 'to' ? [to, from] : [from, to];
  const now = await tipOf(git);
  const is = (tip: typeof goal) => tip.branch === now.branch && tip.commit === now.commit;
  if (is(goal)) return;
  if (!is(other)) throw new GitError('HEAD of the checkout has moved on since', null);
  const reason = ['-m', `muster: ${side === 'to' ? 'finish' : 'roll back'}: ${what}`];
  if (kind === 'branch' && goal.branch !== null)
    await git.text('symbolic-ref', ...reason, 'HEAD', goal.branch);
  else {
    const own = kind === 'branch' ? ['--no-deref'] : [];
    await git.text('update-ref', ...own, ...reason, 'HEAD', goal.commit ?? '', other.commit ?? '');
  }
}
