import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '@contract/counted';
import type { AppError } from '@contract/errors';
import { isFolder } from '../checkout';
import { Git, readable } from '../command/git-command';
import type { ContentParts } from './worktree-content';

const MOST_NAMES = 20;

interface Unread {
  readonly root: string;
  /** The last state of the folder that is known. */
  readonly commit: string;
  readonly error: AppError;
}

/** The error of a folder that cannot be read, with the files that would be lost with it. */
export async function namingFiles(
  parts: ContentParts,
  project: Git,
  { root, commit, error }: Unread,
): Promise<AppError> {
  if (!(await isFolder(root))) return error;
  const files = await differing(parts, project, { root, commit }).catch(() => null);
  if (files === null || files.length === 0) return error;
  const named = files.slice(0, MOST_NAMES).map(readable).join(', ');
  const more = files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : '';
  const what = `${counted(files.length, 'file')} there ${files.length === 1 ? 'differs' : 'differ'} from its last known commit`;
  return { ...error, message: `${error.message} ${what}: ${named}${more}.` };
}

/** Compared by the project's repository with an index of its own, so that nothing changes in either. */
async function differing(
  { git }: ContentParts,
  project: Git,
  { root, commit }: Pick<Unread, 'root' | 'commit'>,
): Promise<string[]> {
  const gitDir = await project.text('rev-parse', '--path-format=absolute', '--git-common-dir');
  const folder = await mkdtemp(join(tmpdir(), 'muster-index-'));
  const index = join(folder, 'index');
  try {
    const own = new Git(root, git, { GIT_DIR: gitDir, GIT_WORK_TREE: root, GIT_INDEX_FILE: index });
    await own.text('read-tree', commit);
    // A new index knows no file's time, so every file would count as changed.
    await own.maybe('update-index', '-q', '--refresh');
    const [changed, added] = await Promise.all([
      own.records(['diff-files', '-z', '--name-only', '--ignore-submodules=dirty']),
      own.records(['ls-files', '-z', '-o', '--exclude-standard']),
    ]);
    return [...new Set([...changed, ...added])].sort();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
