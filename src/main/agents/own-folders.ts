import { artifactsFolder } from '@contract/run/results/artifacts-folder';
import type { SessionSpec } from '../core/ports/ports';
import { type RepositoryFiles, repositoryRoots } from './worktree-repository';

/** Folders besides its working folder that a session may write without asking. */
export interface OwnFolders {
  /** The git files that a commit in its worktree writes. */
  readonly repository: readonly string[];
  /** `$ARTIFACTS_DIR`. Muster's logs are beside it; no agent writes to them. */
  readonly artifacts: string;
}

/** Null for an agent that writes nothing. Each kind passes them to its program in its own way. */
export async function ownFolders(
  spec: Pick<SessionSpec, 'profile' | 'cwd' | 'projectPath' | 'artifactsDir'>,
  files: RepositoryFiles,
): Promise<OwnFolders | null> {
  if (spec.profile.read_only || spec.profile.permissions === 'deny') return null;
  return { repository: await repositoryRoots(spec, files), artifacts: artifactsFolder(spec.artifactsDir) };
}

/** The sandbox setting that lets a program write to them, for its `-c`. */
export const writableRoots = ({ repository, artifacts }: OwnFolders): string =>
  `sandbox_workspace_write.writable_roots=${JSON.stringify([...repository, artifacts])}`;
