import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf, type Git, type GitError } from '../command/git-command';
import {
  type ChangedFile,
  fileAt,
  LINK,
  type Look,
  lookAt,
  type Side,
  SUBMODULE,
  stagedAgainst,
  touchedFiles,
} from './files';
import type { MoveEntry, Tip } from './journal';

/**
 * `before`, `after`: as on that side. `half`: missing, or a partial copy of one side. `yours`: other content,
 * which belongs to the operator. `either`: matches both, for example a submodule, whose folder git leaves
 * alone.
 */
type FileState = 'before' | 'after' | 'half' | 'yours' | 'either';

export interface ExaminedFile extends ChangedFile {
  readonly state: FileState;
  readonly look: Look | null;
}

export interface Examined {
  /** The state of the whole checkout; `half` if on neither side, `elsewhere` if HEAD has moved on. */
  readonly at: 'before' | 'after' | 'half' | 'elsewhere';
  readonly head: 'before' | 'after' | 'elsewhere';
  readonly files: readonly ExaminedFile[];
  /** Locks left by the interrupted git. */
  readonly locks: readonly string[];
}

export async function examine(git: Git, entry: MoveEntry): Promise<Examined> {
  const touched = await touchedFiles(git, entry);
  const files = await statesOf(git, entry, touched);
  const head = entry.kind === 'files' ? null : sideOfHead(await tipOf(git), entry);
  const index = entry.index !== null ? null : await sideOfIndex(git, entry, touched);
  const all = (side: 'before' | 'after'): boolean =>
    (head ?? side) === side &&
    (index === null || index[side]) &&
    files.every(({ state }) => state === side || state === 'yours' || state === 'either');
  const at = head === 'elsewhere' ? 'elsewhere' : all('before') ? 'before' : all('after') ? 'after' : 'half';
  return { at, head: head ?? 'before', files, locks: await locksOf(git, entry) };
}

type Head = Pick<Tip, 'branch' | 'commit'>;

export async function tipOf(git: Git): Promise<Head> {
  const commit = await git.maybe('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  return { branch: await git.maybe('symbolic-ref', '--quiet', 'HEAD'), commit };
}

function sideOfHead(now: Head, { from, to }: MoveEntry): Examined['head'] {
  const is = (tip: Head) => tip.branch === now.branch && tip.commit === now.commit;
  return is(from) ? 'before' : is(to) ? 'after' : 'elsewhere';
}

async function sideOfIndex(
  git: Git,
  { from, to }: MoveEntry,
  touched: readonly ChangedFile[],
): Promise<{ before: boolean; after: boolean }> {
  const staged = await stagedAgainst(git, from.tree);
  const then = await stagedAgainst(git, to.tree);
  return {
    before: touched.every(({ path }) => !staged.has(path)),
    after: touched.every(({ path }) => !then.has(path)),
  };
}

/**
 * Lock files that git normally removes; after a kill they remain, and block every other change of the
 * checkout.
 */
async function locksOf(git: Git, entry: MoveEntry): Promise<string[]> {
  const names =
    entry.index === null
      ? ['index.lock', 'HEAD.lock', ...[entry.to.branch].flatMap((name) => (name ? [`${name}.lock`] : []))]
      : [];
  const paths = await Promise.all(
    names.map((name) => git.text('rev-parse', '--path-format=absolute', '--git-path', name)),
  );
  const found = paths.map(async (path) => {
    const facts = await lstat(path).catch(() => null);
    // None existed when the change began. File system clocks are coarse.
    return facts !== null && facts.mtimeMs >= entry.startedAt - 2_000 ? path : null;
  });
  return (await Promise.all(found)).filter((path) => path !== null);
}

export const indexLock = (gitDir: string): string => join(gitDir, 'index.lock');

async function statesOf(
  git: Git,
  entry: MoveEntry,
  files: readonly ChangedFile[],
): Promise<readonly ExaminedFile[]> {
  const looks = new Map<string, Look | null>();
  for (const { path } of files) looks.set(path, await lookAt(entry.top, path));
  const hashes = await cleanHashes(
    git,
    files.map(({ path }) => path).filter((path) => looks.get(path)?.kind === 'file'),
  );
  const sparse = (await git.maybe('config', '--type=bool', 'core.sparseCheckout')) === 'true';
  const modes = (await git.maybe('config', '--type=bool', 'core.fileMode')) !== 'false';
  const states: ExaminedFile[] = [];
  for (const file of files) {
    const look = looks.get(file.path) ?? null;
    const at = { file, look, top: entry.top, hash: hashes.get(file.path) ?? null, modes };
    const missing = look === null && sparse && file.from !== null && file.to !== null;
    states.push({ ...file, look, state: missing ? 'either' : await stateOf(git, at) });
  }
  return states;
}

interface FileNow {
  readonly file: ChangedFile;
  readonly look: Look | null;
  readonly top: string;
  /** Hash of its content as git would store it. */
  readonly hash: string | null;
  readonly modes: boolean;
}

async function stateOf(git: Git, at: FileNow): Promise<FileState> {
  const { file, look, top } = at;
  if ([file.from, file.to].some((side) => side?.mode === SUBMODULE)) return 'either';
  if (look === null) return file.from === null ? 'before' : file.to === null ? 'after' : 'half';
  // A folder in place of a file: if the other side has the folder, its files decide.
  if (look.kind === 'folder') return 'either';
  if (look.kind === 'special') return 'yours';
  if (look.kind === 'link') {
    const oid = await linkOid(top, file);
    const is = (side: Side | null) => side?.mode === LINK && side.oid === oid;
    return is(file.from) ? 'before' : is(file.to) ? 'after' : 'yours';
  }
  if (fits(at, file.from)) return 'before';
  if (fits(at, file.to)) return 'after';
  return stateOfContent(git, at);
}

const isFile = (side: Side | null): side is Side => side?.mode.startsWith('100') === true;

function fits({ look, hash, modes }: FileNow, side: Side | null): boolean {
  if (!isFile(side) || side.oid !== hash) return false;
  return !modes || (side.mode === '100755') === look?.executable;
}

/**
 * Filters may not round-trip, so the content is also compared as the filters write it. A file being written
 * is a prefix of it; after a power failure it may be empty or all zeros.
 */
async function stateOfContent(git: Git, { file, look, top }: FileNow): Promise<FileState> {
  const present = await readFile(fileAt(top, file.path)).catch(() => null);
  if (present === null || look === null) return 'half';
  for (const [side, state] of [
    [file.from, 'before'],
    [file.to, 'after'],
  ] as const) {
    if (isFile(side) && present.equals(await written(git, file.path, side))) return state;
  }
  if (present.every((byte) => byte === 0)) return 'half';
  // Also compared with the old content: a rollback may have been interrupted too.
  for (const side of [file.to, file.from]) {
    const fullContent = isFile(side) ? await written(git, file.path, side) : Buffer.alloc(0);
    if (fullContent.subarray(0, present.length).equals(present)) return 'half';
  }
  return 'yours';
}

const written = (git: Git, path: string, { oid }: Side): Promise<Buffer> =>
  git
    .bytes(['cat-file', '--filters', `--path=${Buffer.from(path, 'latin1').toString('utf8')}`, oid])
    .catch((_: GitError) => git.bytes(['cat-file', 'blob', oid]));

async function linkOid(top: string, { path, from, to }: ChangedFile): Promise<string | null> {
  const target = await readlink(fileAt(top, path), { encoding: 'buffer' }).catch(() => null);
  if (target === null) return null;
  const length = (from ?? to)?.oid.length ?? 40;
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${target.length}\0`).update(target).digest('hex');
}

/** Hashes of the files' contents as git would store them, with a single process. */
async function cleanHashes(git: Git, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const input = bytesOf(paths.map((path) => `${quoted(path)}\n`).join(''));
  const printed = await git.bytes(['hash-object', '--stdin-paths'], { input }).catch(() => null);
  // A file is unreadable or its filter fails: each file is then compared by content.
  const lines = printed?.toString('latin1').split('\n') ?? [];
  return new Map(paths.map((path, index) => [path, lines[index] ?? '']));
}

/** Quoted as git reads names line by line. */
function quoted(path: string): string {
  if (!/["\\\n\r\t]|[^ -~]/.test(path)) return path;
  const octal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${path.replace(/["\\]|[^ -~]/g, octal)}"`;
}
