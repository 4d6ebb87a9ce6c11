import type { ApplyOutlook } from '../../../core/ports/workspaces/apply-port';
import { type Git, readable } from '../command/git-command';
import { type ChangedFile, changedBetween, lookAt, stagedAgainst } from '../moves/files';
import { tryMerge } from './merge-trees';

const MOST_COMMITS = 100;

/** What bringing `commit` into the checkout at `into` would meet and bring. Git is at the root of the files. */
export async function outlookOf(
  git: Git,
  { top, into, commit }: { readonly top: string; readonly into: string; readonly commit: string },
): Promise<ApplyOutlook> {
  const { tree } = await tryMerge(git, into, commit);
  const range = `${into}..${commit}`;
  const lines = await git.records(['log', '-z', `-${MOST_COMMITS}`, '--format=%H%x09%an%x09%s', range]);
  const commits = lines.map((line) => {
    const [id = '', author = '', ...subject] = readable(line).split('\t');
    return { commit: id, author, subject: subject.join('\t') };
  });
  const commitCount = Number(await git.text('rev-list', '--count', range));
  return { ...(await ownChanges(git, { top, into, tree })), commits, commitCount };
}

/** How the operator's uncommitted changes meet the files that a merge changes. */
async function ownChanges(
  git: Git,
  { top, into, tree }: { readonly top: string; readonly into: string; readonly tree: string },
): Promise<Pick<ApplyOutlook, 'inTheWay' | 'staged'>> {
  const changed = await changedBetween(git, into, tree);
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no'];
  const records = await git.records([...status, '--ignore-submodules=all']);
  const own = new Map(records.map((record) => [record.slice(3), record.slice(0, 2)]));
  const differs = own.size === 0 ? new Map() : await stagedAgainst(git, tree);
  const inTheWay: string[] = [];
  let staged = false;
  for (const file of changed) {
    const [inIndex = ' ', inFolder = ' '] = own.get(file.path) ?? '';
    const same = inIndex !== ' ' && !differs.has(file.path);
    if (same) staged = true;
    // Git writes a missing file again.
    const edited = inFolder !== ' ' && inFolder !== 'D';
    if (edited || (inIndex !== ' ' && !same) || (inIndex === ' ' && (await isUntracked(top, file))))
      inTheWay.push(readable(file.path));
  }
  return { inTheWay, staged };
}

async function isUntracked(top: string, { path, from }: ChangedFile): Promise<boolean> {
  if (from !== null) return false;
  const kind = (await lookAt(top, path))?.kind;
  return kind === 'file' || kind === 'link';
}
